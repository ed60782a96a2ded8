package openapi

import "testing"

func TestMethodsOfAdditionalOperations(t *testing.T) {
	s, diags := mustParse(t, `
openapi: 3.2.0
info: {title: T, version: '1'}
servers: [{url: 'https://api.test'}]
paths:
  /a:
    additionalOperations:
      COPY: {operationId: copy, responses: {'200': {description: ok}}}
      'bad method': {operationId: bad, responses: {'200': {description: ok}}}
      "B\r\nX: y": {responses: {'200': {description: ok}}}
      '': {operationId: none, responses: {'200': {description: ok}}}
`, Options{})
	if got := toolNames(s); len(got) != 1 || got[0] != "copy" {
		t.Errorf("tools %q", got)
	}
	want := `bad-method: operation bad (#/paths/~1a/additionalOperations/bad method): HTTP allows no method "bad method"
bad-method: operation B` + "\r\n" + `X: y /a (#/paths/~1a/additionalOperations/B` + "\r\n" + `X: y): HTTP allows no method "B\r\nX: y"
bad-method: operation none (#/paths/~1a/additionalOperations/): HTTP allows no method ""
`
	if got := codes(diags); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for _, d := range diags.All() {
		if d.Line == 0 || d.Hint == "" {
			t.Errorf("no position or no hint: %s", d)
		}
	}
}
