package runtime

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// mockDef is apiDef with a mock, and no upstream and no credential.
func mockDef(responses string) Definition {
	def := apiDef("")
	def.Upstreams = nil
	def.Auth = []Auth{{Name: "key", Kind: APIKey, In: "header", Wire: "X-Key"}}
	def.Mock = fstest.MapFS{"mock/getPet.json": {Data: []byte(`{"responses":` + responses + `}`)}}
	return def
}

const petResponses = `[
	{"status":"404","type":"application/problem+json","body":{"title":"No such pet"}},
	{"status":"201","type":"application/json","body":{ "id": 9007199254740993 }},
	{"status":"4xx","type":"text/plain","body":"refused"},
	{"status":"default","type":"application/json","body":{"message":"broken"}}]`

func TestMock(t *testing.T) {
	meta := func(status string) string { return `"` + MetaMockStatus + `":` + status }
	for _, tc := range []struct {
		name, responses, args, pet, meta string
		isError                          bool
		want                             string
	}{
		{"the first success", petResponses, "", "1", "", false, `{"id":9007199254740993}`},
		{"no success but a default", `[{"status":"default","type":"text/plain","body":"fine"}]`, "", "1", "", false, `fine`},
		{"a class", `[{"status":"2XX","type":"application/json","body":[1]}]`, "", "1", "", false, `[1]`},
		{"no body", `[{"status":"204"}]`, "", "1", "", false, `204 No Content`},
		{"nothing at all", `[]`, "", "1", "", false, `200 OK`},
		{"a status asked for by the call", petResponses, "", "1", meta("404"), true, `No such pet`},
		{"its class", petResponses, "", "1", meta("422"), true, `refused`},
		{"the default", petResponses, "", "1", meta("500"), true, `broken`},
		{"one the document has not", `[]`, "", "1", meta("409"), true, `409 Conflict`},
		{"one that is none", petResponses, "", "1", meta(`"x"`), true, `must be a status`},
		{"by the operator", petResponses, "-mock-status=404", "1", "", true, `No such pet`},
		{"for one tool", petResponses, "-mock-status=getPet=422", "1", "", true, `refused`},
		{"the call before the operator", petResponses, "-mock-status=404", "1", meta("201"), false, `9007199254740993`},
		{"a bad argument", petResponses, "", `"x"`, "", true, `petId`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			args := append([]string{"-mock"}, strings.Fields(tc.args)...)
			out, log := converse(t, mockDef(tc.responses), args, initializeLine, petCall(1, tc.pet, tc.meta))
			lines := strings.Split(strings.TrimSpace(out), "\n")
			r := parse(t, lines[len(lines)-1])
			if len(r.Result.Content) == 0 || r.Result.IsError != tc.isError || !strings.Contains(fmt.Sprint(r.Result.Content), tc.want) {
				t.Errorf("got %s, want %v %s", out, tc.isError, tc.want)
			}
			if !strings.Contains(log, "this is a mock") || strings.Contains(log, "credentials are not set") {
				t.Errorf("log: %s", log)
			}
		})
	}
}

func TestMockRefused(t *testing.T) {
	for _, tc := range []struct {
		name string
		def  Definition
		args []string
		code int
		want string
	}{
		{"generated without", sample(), []string{"-mock"}, exitError, "toolmill generate with -mock"},
		{"a status without a mock", mockDef("[]"), []string{"-mock-status=404", "-base-url=http://a.test"}, exitError, "-mock-status needs -mock"},
		{"no status", mockDef("[]"), []string{"-mock", "-mock-status=4O4"}, exitUsage, "it must be a status such as 404"},
		{"no final status", mockDef("[]"), []string{"-mock", "-mock-status=100"}, exitUsage, "it must be a status such as 404"},
		{"an unknown tool", mockDef("[]"), []string{"-mock", "-mock-status=getPets=404"}, exitError, "did you mean getPet?"},
	} {
		code, _, _, stderr := command(t, tc.def, nil, tc.args...)
		if code != tc.code || !strings.Contains(stderr, tc.want) {
			t.Errorf("%s: exit %d, %s, want %d, %s", tc.name, code, stderr, tc.code, tc.want)
		}
	}
	damaged := mockDef("[]")
	damaged.Mock = fstest.MapFS{"mock/getPet.json": {Data: []byte("{")}}
	if out, _ := converse(t, damaged, []string{"-mock"}, initializeLine, petCall(1, "1", "")); !strings.Contains(out, "the mock of getPet is damaged") {
		t.Error(out)
	}
}
