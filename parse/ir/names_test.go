package ir

import (
	"slices"
	"strings"
	"testing"
)

func TestToolName(t *testing.T) {
	long := "listNotificationPreferenceOverridesForOrganizationMembersByDepartmentAndRegion"
	tests := []struct{ source, asWritten, snake string }{
		{"getPet", "getPet", "get_pet"},
		{"list-service-requests", "list-service-requests", "list_service_requests"},
		{"Get_Information__v2", "Get_Information__v2", "get_information__v2"},
		{"3gppSubscribe", "3gppSubscribe", "3gpp_subscribe"},
		{"meta/root", "meta_root", "meta_root"},
		{"gmail.users.drafts.list", "gmail_users_drafts_list", "gmail_users_drafts_list"},
		{"(ref/{ref}/)", "ref_ref", "ref_ref"},
		{"Get group level audit logs", "Get_group_level_audit_logs", "get_group_level_audit_logs"},
		{"getHTTPStatus", "getHTTPStatus", "get_http_status"},
		{"GETUSER", "GETUSER", "getuser"},
		{"createUserV2Beta", "createUserV2Beta", "create_user_v2_beta"},
		{"café au lait", "caf_au_lait", "caf_au_lait"},
		{"получить", "", ""},
		{"_x_", "_x_", "_x_"},
		{"", "", ""},
		{long, "listNotificationPreferenceOverridesForOrganizationMembe_3eae15fa", "list_notification_preference_overrides_for_organization_3eae15fa"},
	}
	for _, tt := range tests {
		if got := ToolName(tt.source, AsWritten); got != tt.asWritten {
			t.Errorf("ToolName(%q, id) = %q, want %q", tt.source, got, tt.asWritten)
		}
		if got := ToolName(tt.source, Snake); got != tt.snake {
			t.Errorf("ToolName(%q, snake) = %q, want %q", tt.source, got, tt.snake)
		}
	}
}

func TestArgName(t *testing.T) {
	tests := []struct{ wire, want string }{
		{"limit", "limit"},
		{"X-Request-ID", "X-Request-ID"},
		{"filter[bundleId]", "filter_bundleId"},
		{"filter[created_at][gt]", "filter_created_at_gt"},
		{"ids[]", "ids"},
		{"$top", "top"},
		{"$.xgafv", ".xgafv"},
		{"page.size", "page.size"},
		{"StartTime<", "StartTime"},
		{"[]", "arg"},
		{"日本", "arg"},
		{strings.Repeat("a", 64), strings.Repeat("a", 64)},
		{strings.Repeat("a", 65), strings.Repeat("a", 55) + "_635361c4"},
	}
	for _, tt := range tests {
		if got := ArgName(tt.wire); got != tt.want {
			t.Errorf("ArgName(%q) = %q, want %q", tt.wire, got, tt.want)
		}
	}
}

func TestDistinct(t *testing.T) {
	fixed := func(names ...string) (out []Claim) {
		for _, n := range names {
			out = append(out, Claim{n, true})
		}
		return out
	}
	loose := func(names ...string) (out []Claim) {
		for _, n := range names {
			out = append(out, Claim{n, false})
		}
		return out
	}
	full := strings.Repeat("x", 64)
	tests := []struct {
		name   string
		claims []Claim
		want   []string
	}{
		{"no clash", fixed("a", "b"), []string{"a", "b"}},
		{"P08: only case differs", fixed("getUser", "GetUser", "GETUSER"), []string{"getUser", "GetUser", "GETUSER"}},
		{"P05: exact repeat", fixed("listThings", "listThings", "listThings"), []string{"listThings", "listThings_2", "listThings_3"}},
		{"made names differ in case", loose("a_b", "A_b"), []string{"a_b", "A_b_2"}},
		{"a made name gives way to a later fixed one", append(loose("get_a"), fixed("get_a")...), []string{"get_a_2", "get_a"}},
		{"and to one that differs in case", append(loose("get_a"), fixed("GET_A")...), []string{"get_a_2", "GET_A"}},
		{"the suffix may be taken too", append(fixed("a", "a_2"), loose("a", "a")...), []string{"a", "a_2", "a_3", "a_4"}},
		{"a suffix stays inside the limit", loose(full, full), []string{full, full[:62] + "_2"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Distinct(tt.claims, strings.ToLower); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzNames(f *testing.F) {
	for _, s := range []string{"getPet", "a/b", "", "\xff", "ÄÖ", strings.Repeat("ab/", 50), "__", "A-B_c.d"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, style := range []NameStyle{AsWritten, Snake} {
			if n := ToolName(a, style); n != "" && !IsToolName(n) {
				t.Errorf("ToolName(%q, %s) = %q", a, style, n)
			}
		}
		if IsToolName(a) && ToolName(a, AsWritten) != a {
			t.Errorf("ToolName(%q) = %q", a, ToolName(a, AsWritten))
		}
		names := Distinct([]Claim{{ArgName(a), false}, {ArgName(b), false}, {ArgName(a), false}}, strings.ToLower)
		for i, n := range names {
			if !IsArgName(n) {
				t.Errorf("name %q from %q, %q", n, a, b)
			}
			for _, other := range names[:i] {
				if strings.EqualFold(n, other) {
					t.Errorf("%q twice from %q, %q", n, a, b)
				}
			}
		}
	})
}

func TestEnvName(t *testing.T) {
	for name, want := range map[string]string{"bearerAuth": "BEARERAUTH", "a/b c.d-e": "A_B_C_D_E", "X_1": "X_1", "schlüssel": "SCHL_SSEL", "": ""} {
		if got := EnvName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
