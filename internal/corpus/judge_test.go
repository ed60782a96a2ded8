package corpus

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi2"
	"github.com/getkin/kin-openapi/openapi2conv"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"github.com/seed7346ab69/toolmill/internal/prove"
	"github.com/seed7346ab69/toolmill/parse/ir"
)

// judge validates requests against a document that kin-openapi has read itself.
type judge struct {
	doc *openapi3.T
	// blind counts the parameters that the filter cannot read, by reason.
	blind map[string]int
}

// newJudge loads the document, after taking out what keeps kin-openapi from
// reading it at all.
func newJudge(t *testing.T, file string) *judge {
	t.Helper()
	raw := decode(t, file)
	data, err := json.Marshal(readable(raw, ""))
	if err != nil {
		t.Fatal(err)
	}
	j := &judge{blind: map[string]int{}}
	if _, old := raw["swagger"]; old {
		var doc openapi2.T
		if err := json.Unmarshal(data, &doc); err != nil {
			t.Fatal(err)
		}
		j.doc, err = openapi2conv.ToV3(&doc)
	} else {
		j.doc, err = openapi3.NewLoader().LoadFromData(data)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range j.doc.Paths.Map() {
		item.Parameters = j.drop(item.Parameters)
		for _, operation := range item.Operations() {
			operation.Parameters = j.drop(operation.Parameters)
		}
	}
	return j
}

// readable returns the value with string keys, without examples, which may have
// any shape, and with lists of items made one.
func readable(value any, key string) any {
	switch v := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, member := range v {
			if name != "examples" || key == "properties" {
				out[name] = readable(member, name)
			}
		}
		return out
	case map[any]any:
		out := map[string]any{}
		for name, member := range v {
			out[fmt.Sprint(name)] = member
		}
		return readable(out, key)
	case []any:
		if key == "items" {
			return map[string]any{}
		}
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = readable(item, "")
		}
		return out
	}
	return value
}

// drop takes out the parameters that the filter has no decoder for. Their bytes
// are pinned by golden/openapi/param_styles.
func (j *judge) drop(params openapi3.Parameters) openapi3.Parameters {
	return slices.DeleteFunc(params, func(ref *openapi3.ParameterRef) bool {
		p := ref.Value
		if p == nil || p.Schema == nil || p.Schema.Value == nil {
			return false
		}
		method, err := p.SerializationMethod()
		if err != nil {
			return false
		}
		s := types{p.Schema}
		reason := ""
		switch {
		case method.Style == openapi3.SerializationDeepObject && !s.allow("object"):
			reason = "deepObject of what is no object"
		case p.In == openapi3.ParameterInCookie && method.Explode && (s.allow("array") || s.allow("object")):
			reason = "exploded arrays and objects in cookies"
		default:
			return false
		}
		j.blind[reason]++
		return true
	})
}

// request returns what is wrong with a request of a tool. The router is not
// asked: which operation it must be is known.
func (j *judge) request(ctx context.Context, tool *ir.Tool, seen *prove.Request) error {
	path := tool.Request.Path
	item := j.doc.Paths.Value(path)
	if item == nil {
		return fmt.Errorf("the filter knows no path %s", path)
	}
	operation := item.GetOperation(tool.Request.Method)
	if operation == nil {
		return fmt.Errorf("the filter knows no operation %s %s", tool.Request.Method, path)
	}
	target := seen.Target
	if len(tool.Request.Upstreams) > 0 {
		target = withoutPrefix(target, tool.Request.Upstreams[0])
	}
	params, err := pathParams(path, target, operation)
	if err != nil {
		return err
	}
	if seen.Method != tool.Request.Method {
		return fmt.Errorf("the method is %s", seen.Method)
	}
	req, err := http.NewRequestWithContext(ctx, seen.Method, "https://judge.test"+target, bytes.NewReader(seen.Body))
	if err != nil {
		return err
	}
	req.Header = seen.Header
	return openapi3filter.ValidateRequest(ctx, &openapi3filter.RequestValidationInput{
		Request:    req,
		PathParams: params,
		Route:      &routers.Route{Spec: j.doc, Path: path, PathItem: item, Method: seen.Method, Operation: operation},
		Options: &openapi3filter.Options{
			AuthenticationFunc:  openapi3filter.NoopAuthenticationFunc,
			SkipSettingDefaults: true,
		},
	})
}

// withoutPrefix takes the path of an operation's own server off a target.
func withoutPrefix(target string, upstream ir.Upstream) string {
	address := upstream.URL
	for _, v := range upstream.Variables {
		address = strings.ReplaceAll(address, "{"+v.Name+"}", v.Default)
	}
	parsed, err := url.Parse(address)
	if err != nil {
		return target
	}
	return strings.TrimPrefix(target, strings.TrimSuffix(parsed.Path, "/"))
}

var variable = regexp.MustCompile(`\\\{([^{}]+?)\\\}`)

// pathParams takes the values of a template's variables from a target. Arrays
// and objects stay encoded: the filter looks for their separators.
func pathParams(template, target string, operation *openapi3.Operation) (map[string]string, error) {
	path, _, _ := strings.Cut(target, "?")
	template, _, _ = strings.Cut(template, "?")
	quoted := regexp.QuoteMeta(template)
	var names []string
	for _, m := range variable.FindAllStringSubmatch(quoted, -1) {
		names = append(names, strings.ReplaceAll(m[1], `\`, ""))
	}
	re, err := regexp.Compile("^" + variable.ReplaceAllString(quoted, `([^/]*)`) + "$")
	if err != nil {
		return nil, err
	}
	values := re.FindStringSubmatch(path)
	if values == nil {
		return nil, fmt.Errorf("the path %s is none of %s", path, template)
	}
	params := map[string]string{}
	for i, name := range names {
		params[name] = values[i+1]
		if p := operation.Parameters.GetByInAndName("path", name); p != nil && p.Schema != nil {
			if s := (types{p.Schema}); s.allow("array") || s.allow("object") {
				continue
			}
		}
		if params[name], err = url.PathUnescape(values[i+1]); err != nil {
			return nil, err
		}
	}
	return params, nil
}

// The filter decodes few media types by itself. Bytes come back as the base64
// that the schema of the argument has.
func init() {
	for _, mediaType := range []string{"application/x-tar", "application/pgp-signature", "image/png", "text/x-markdown"} {
		openapi3filter.RegisterBodyDecoder(mediaType, func(body io.Reader, _ http.Header, _ *openapi3.SchemaRef, _ openapi3filter.EncodingFn) (any, error) {
			data, err := io.ReadAll(body)
			return base64.StdEncoding.EncodeToString(data), err
		})
	}
}
