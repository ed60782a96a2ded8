package openapi

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// operations writes paths with one GET each; an empty id leaves operationId out.
func operations(ids ...string) string {
	var b strings.Builder
	b.WriteString(head + "paths:\n")
	for i, id := range ids {
		b.WriteString("  /" + string(rune('a'+i)) + ": {get: {")
		if id != "" {
			b.WriteString("operationId: '" + id + "', ")
		}
		b.WriteString("responses: {'200': {description: ok}}}}\n")
	}
	return b.String()
}

func TestToolNames(t *testing.T) {
	long := "listNotificationPreferenceOverridesForOrganizationMembersByDepartmentAndRegion"
	tests := []struct {
		name     string
		document string
		style    ir.NameStyle
		want     []string // sorted
		diags    []string // in the printed diagnostics; none: no diagnostic at all
	}{
		{"P01: long", operations(long), "", []string{"listNotificationPreferenceOverridesForOrganizationMembe_3eae15fa"}, []string{"[name-folded]"}},
		{
			"P02: long with a common start",
			operations("exportQuarterlyRevenueRecognitionScheduleForEverySubsidiaryLedgerAsSpreadsheet", "exportQuarterlyRevenueRecognitionScheduleForEverySubsidiaryLedgerAsDocument"), "",
			[]string{"exportQuarterlyRevenueRecognitionScheduleForEverySubsid_4e18fcf8", "exportQuarterlyRevenueRecognitionScheduleForEverySubsid_6dc9fad9"},
			[]string{"2 operationIds are not legal"},
		},
		{
			"P04: no operationId",
			head + "paths:\n  /shops/{shopId}/items: {parameters: [{name: shopId, in: path, required: true, schema: {type: string}}], get: {}, post: {}}\n", "",
			[]string{"get_shops_shopId_items", "post_shops_shopId_items"}, []string{"responses"},
		},
		{
			"P05: duplicate", operations("listThings", "listThings"), "",
			[]string{"listThings", "listThings_2"},
			[]string{`the operationId "listThings" belongs to GET /a; the tool is listThings_2`, "GET /b", "[duplicate-operation-id]"},
		},
		{"P06: Go words", operations("3gppSubscribe", "type", "main", "init", "string"), "", []string{"3gppSubscribe", "init", "main", "string", "type"}, nil},
		{"P08: only case differs", operations("getUser", "GetUser", "GETUSER"), "", []string{"GETUSER", "GetUser", "getUser"}, nil},
		{"P09: legal names stay", operations("list-service-requests", "Get_Information__v2"), "", []string{"Get_Information__v2", "list-service-requests"}, nil},
		{
			"folded names clash without case", operations("a/b", "A.b"), "",
			[]string{"A_b_2", "a_b"}, []string{`the name "A_b" belongs to GET /a; the tool is A_b_2`, "[name-clash]"},
		},
		{"a made name gives way", operations("", "get_a"), "", []string{"get_a", "get_a_2"}, []string{"[name-clash]"}},
		{"nothing left of the operationId", operations("получить"), "", []string{"get_a"}, []string{"[name-folded]"}},
		{"snake", operations("getUser", "GetUser", "meta/root", "list_all"), ir.Snake, []string{"get_user", "get_user_2", "list_all", "meta_root"}, []string{"[name-clash]"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, diags := mustParse(t, tt.document, Options{Names: tt.style})
			if !slices.Equal(toolNames(s), tt.want) {
				t.Errorf("got %q, want %q", toolNames(s), tt.want)
			}
			out := printed(diags)
			if len(tt.diags) == 0 && out != "" {
				t.Errorf("diagnostics:\n%s", out)
			}
			for _, want := range tt.diags {
				if !strings.Contains(out, want) {
					t.Errorf("no %q in\n%s", want, out)
				}
			}
		})
	}
}

func TestLongOperationIDIsKept(t *testing.T) {
	id := "listNotificationPreferenceOverridesForOrganizationMembersByDepartmentAndRegion"
	s, _ := mustParse(t, operations(id), Options{})
	if d := s.Tools()[0].Description; !strings.Contains(d, id) {
		t.Errorf("P01: no operationId in %q", d)
	}
}
