package runtime

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// TestStylesAreReadBack has another implementation of OpenAPI decode what is
// sent: its validator must see exactly the value that the model gave.
func TestStylesAreReadBack(t *testing.T) {
	const (
		scalar = `{"type":"string","enum":["blue sky/é"]}`
		list   = `{"type":"array","items":{"type":"string"},"enum":[["blue","black sea","brown"]]}`
		object = `{"type":"object","additionalProperties":false,"properties":{"R":{"type":"integer"},"G":{"type":"string"}},"enum":[{"R":100,"G":"x y"}]}`
	)
	values := map[string]string{scalar: `"blue sky/é"`, list: `["blue","black sea","brown"]`, object: `{"R":100,"G":"x y"}`}
	for _, tc := range []struct {
		in      place
		style   Style
		explode bool
		schemas []string
	}{
		{inPath, Simple, false, []string{scalar, list, object}},
		{inPath, Simple, true, []string{scalar, list, object}},
		{inPath, Label, false, []string{scalar, list, object}},
		{inPath, Label, true, []string{scalar, list, object}},
		{inPath, Matrix, false, []string{scalar, list, object}},
		{inPath, Matrix, true, []string{scalar, list, object}},
		{inQuery, Form, true, []string{scalar, list, object}},
		{inQuery, Form, false, []string{scalar, list, object}},
		{inQuery, SpaceDelimited, true, []string{list}}, // without explode an item must not hold a space
		{inQuery, PipeDelimited, true, []string{list}},
		{inQuery, PipeDelimited, false, []string{list, object}},
		{inQuery, DeepObject, true, []string{object}},
		{inHeader, Simple, false, []string{list, object}},
		{inHeader, Simple, true, []string{list, object}},
	} {
		for _, schema := range tc.schemas {
			t.Run(fmt.Sprintf("%s %s %v %.25s", tc.in.word(), tc.style, tc.explode, schema), func(t *testing.T) {
				path := "/x"
				r := (*Call)(nil).Request("GET", path)
				options := []ParamOption{tc.style, NoExplode}
				if tc.explode {
					options = append(options, Explode)
				}
				arg := value(values[schema])
				switch tc.in {
				case inPath:
					path = "/x/{color}"
					r.path = path
					r.Path("color", arg, options...)
				case inHeader:
					r.Header("color", arg, options...)
				default:
					r.Query("color", arg, options...)
				}
				if err := readBack(r, path, fmt.Sprintf(`{"name":"color","in":%q,"required":true,"style":%q,"explode":%v,"schema":%s}`,
					tc.in.word(), tc.style, tc.explode, schema)); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

func (p place) word() string {
	return [...]string{"path", "query", "querystring", "header", "cookie"}[p]
}

func readBack(r *Request, path, parameter string) error {
	doc, err := openapi3.NewLoader().LoadFromData(fmt.Appendf(nil,
		`{"openapi":"3.0.3","info":{"title":"T","version":"1"},"servers":[{"url":"http://api.test"}],"paths":{%q:{"get":{"parameters":[%s],"responses":{"200":{"description":"ok"}}}}}}`, path, parameter))
	if err != nil {
		return err
	}
	target, err := r.target()
	if err != nil {
		return err
	}
	req, err := http.NewRequest("GET", strings.TrimSuffix("http://api.test"+target.path+"?"+target.query, "?"), nil)
	if err != nil {
		return err
	}
	if err := r.setHeaders(req.Header); err != nil {
		return err
	}
	item := doc.Paths.Value(path)
	err = openapi3filter.ValidateRequest(req.Context(), &openapi3filter.RequestValidationInput{
		Request:    req,
		PathParams: map[string]string{"color": strings.TrimPrefix(req.URL.Path, "/x/")},
		Route:      &routers.Route{Spec: doc, Path: path, PathItem: item, Method: "GET", Operation: item.Get},
	})
	if err != nil {
		return fmt.Errorf("%s %v: %w", req.URL, req.Header, err)
	}
	return nil
}
