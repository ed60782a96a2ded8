package runtime

import (
	"net/http"
	"strings"
	"testing"
)

// value makes an argument for tests.
func value(json string) Arg { return Arg{Name: "color", Value: []byte(json)} }

const (
	blue   = `"blue"`
	colors = `["blue","black","brown"]`
	rgb    = `{"R":100,"G":200,"B":150}`
)

// TestPathStyles has every cell of OpenAPI's table of style values for paths
// (OpenAPI 3.1.1, Style Examples) and what the table leaves open.
func TestPathStyles(t *testing.T) {
	for _, tc := range []struct {
		name, json string
		options    []ParamOption
		want       string // after /v1/, or the error
	}{
		{"simple scalar", blue, nil, "blue"},
		{"simple array", colors, nil, "blue,black,brown"},
		{"simple object", rgb, nil, "R,100,G,200,B,150"},
		{"pipes", colors, []ParamOption{PipeDelimited}, "blue%7Cblack%7Cbrown"},
		{"tabs", colors, []ParamOption{TabDelimited}, "blue%09black%09brown"},
		{"simple exploded scalar", blue, []ParamOption{Explode}, "blue"},
		{"simple exploded array", colors, []ParamOption{Explode}, "blue,black,brown"},
		{"simple exploded object", rgb, []ParamOption{Explode}, "R=100,G=200,B=150"},
		{"label scalar", blue, []ParamOption{Label}, ".blue"},
		{"label array", colors, []ParamOption{Label}, ".blue,black,brown"},
		{"label object", rgb, []ParamOption{Label}, ".R,100,G,200,B,150"},
		{"label exploded scalar", blue, []ParamOption{Label, Explode}, ".blue"},
		{"label exploded array", colors, []ParamOption{Label, Explode}, ".blue.black.brown"},
		{"label exploded object", rgb, []ParamOption{Label, Explode}, ".R=100.G=200.B=150"},
		{"matrix scalar", blue, []ParamOption{Matrix}, ";color=blue"},
		{"matrix empty", `""`, []ParamOption{Matrix}, ";color"},
		{"matrix array", colors, []ParamOption{Matrix}, ";color=blue,black,brown"},
		{"matrix object", rgb, []ParamOption{Matrix}, ";color=R,100,G,200,B,150"},
		{"matrix exploded scalar", blue, []ParamOption{Matrix, Explode}, ";color=blue"},
		{"matrix exploded array", colors, []ParamOption{Matrix, Explode}, ";color=blue;color=black;color=brown"},
		{"matrix exploded object", rgb, []ParamOption{Matrix, Explode}, ";R=100;G=200;B=150"},

		{"integer beyond 2^53", `9007199254740993`, nil, "9007199254740993"},
		{"decimal as written", `1.10`, nil, "1.10"},
		{"exponent as written", `1e3`, nil, "1e3"},
		{"negative", `-2`, nil, "-2"},
		{"boolean", `true`, nil, "true"},
		{"escapes in a string", `"a\u002fb\n\"\ud83d\ude00"`, nil, "a%2Fb%0A%22%F0%9F%98%80"},
		{"lone surrogate", `"\ud83d"`, nil, "%EF%BF%BD"},
		{"everything reserved", `"a/b c?d#e%2F~é:@,;=&+$!*'()[]\\"`, nil, "a%2Fb%20c%3Fd%23e%252F~%C3%A9%3A%40%2C%3B%3D%26%2B%24%21%2A%27%28%29%5B%5D%5C"},
		{"commas inside items", `["r","g,h"]`, nil, "r,g%2Ch"},
		{"slash inside an item", `["monday","a/b"]`, nil, "monday,a%2Fb"},
		{"keys are encoded", `{"a/b":"c=d"}`, []ParamOption{Explode}, "a%2Fb=c%3Dd"},
		{"null items are left out", `[null,"a",null]`, nil, "a"},
		{"null properties are left out", `{"a":null,"b":1}`, nil, "b,1"},
		{"nested value is JSON", `["a",{"b": [1, 2]}]`, nil, "a,%7B%22b%22%3A%5B1%2C2%5D%7D"},
		{"space in the JSON of the call", "[ \"a\" ,\n\t1 ]", nil, "a,1"},
		{"allowReserved", `"a:b@c,d;e=f&g+h$i!j/k?l#m[n]%41%zz"`, []ParamOption{AllowReserved}, "a:b@c,d;e=f&g+h$i!j%2Fk%3Fl%23m%5Bn%5D%41%25zz"},
		{"content", `{"a": 1}`, []ParamOption{Content("application/json")}, "%7B%22a%22%3A1%7D"},
		{"content of text", `"a b"`, []ParamOption{Content("text/plain")}, "a%20b"},

		{"empty string", `""`, nil, "must not be empty"},
		{"empty array", `[]`, nil, "must not be empty"},
		{"empty object", `{}`, nil, "must not be empty"},
		{"empty label", `[]`, []ParamOption{Label}, "must not be empty"},
		{"array of nulls", `[null]`, nil, "must not be empty"},
		{"null", `null`, nil, "needs a value"},
		{"dot", `"."`, nil, `"." is not allowed in a path`},
		{"dots", `".."`, nil, `".." is not allowed in a path`},
		{"dots in an array", `[".."]`, nil, "is not allowed in a path"},
		{"label that makes dots", `"."`, []ParamOption{Label}, "is not allowed in a path"},
		{"label of nothing", `""`, []ParamOption{Label}, "is not allowed in a path"},
		{"encoded dots under allowReserved", `"%2e%2E"`, []ParamOption{AllowReserved}, "is not allowed in a path"},
		{"encoded dots", `"%2e%2e"`, nil, "%252e%252e"},
		{"dots and more", `"../../admin"`, nil, "..%2F..%2Fadmin"},
		{"backslash", `"..\\x"`, nil, "..%5Cx"},
		{"another host", `"//evil.test/x"`, nil, "%2F%2Fevil.test%2Fx"},
		{"user info", `"@evil.test"`, nil, "%40evil.test"},
		{"three dots", `"..."`, nil, "..."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := (*Call)(nil).Request("GET", "/v1/{color}")
			r.Path("color", value(tc.json), tc.options...)
			got, err := r.target()
			if err != nil {
				if !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), `argument "color"`) {
					t.Errorf("error %q, want %q", err, tc.want)
				}
				return
			}
			if got.path != "/v1/"+tc.want {
				t.Errorf("got  %s\nwant /v1/%s", got.path, tc.want)
			}
		})
	}
}

// TestTemplates has what paths of real documents hold besides plain variables.
func TestTemplates(t *testing.T) {
	for _, tc := range []struct {
		name, template, json, want string
	}{
		{"suffix", "/a/{color}.json", `"x y"`, "/a/x%20y.json"},
		{"verb", "/v1/{color}:cancel", `"op1"`, "/v1/op1:cancel"},
		{"several times", "/t/{color}/{color}/x", `"é"`, "/t/%C3%A9/%C3%A9/x"},
		{"fixed query", "/responses/{color}?beta=true", `"r"`, "/responses/r?beta=true"},
		{"fragment", "/files/{color}#add_shared_link", `"1"`, "/files/1"},
		{"fragment with a question mark", "/files/{color}#x?y", `"1"`, "/files/1"},
		{"variable in the query", "/find?q={color}", `"a&b"`, "/find?q=a%26b"},
		{"braces in the value", "/{color}/{color}", `"{color}"`, "/%7Bcolor%7D/%7Bcolor%7D"},
		{"root", "/", `"unused"`, "/"},
		{"trailing slash", "/trail/{color}/", `"x"`, "/trail/x/"},
		{"no leading slash", "pets/{color}", `"x"`, "/pets/x"},
		{"characters a URL cannot hold", "/a b/^.*$/\"/{color}", `"x"`, "/a%20b/%5E.*$/%22/x"},
		{"encoded already", "/a%20b/{color}", `"x"`, "/a%20b/x"},
		{"at sign", "/users/@me/{color}", `"x"`, "/users/@me/x"},
		{"reserved expansion", "/v1/{+color}:verb", `"projects/p 1/x"`, "/v1/projects/p%201/x:verb"},
		{"reserved expansion with dots", "/v1/{+color}", `"a/../b"`, "holds a segment that would lead to another path"},
		{"reserved expansion with a dot", "/v1/{+color}", `"a/./b"`, "holds a segment that would lead to another path"},
		{"reserved expansion of dots", "/v1/{+color}:verb", `".."`, "is not allowed in a path"},
		{"reserved expansion with a semicolon", "/v1/{+color}", `"a/..;x/b"`, "holds a segment that would lead to another path"},
		{"reserved expansion with encoded dots", "/v1/{+color}", `"a/%2e%2E/b"`, "holds a segment that would lead to another path"},
		{"reserved expansion with twice encoded dots", "/v1/{+color}", `"a/%252e%252e/b"`, "holds a segment that would lead to another path"},
		{"reserved expansion with encoded slashes", "/v1/{+color}", `"a%2F..%2fb"`, "holds a segment that would lead to another path"},
		{"reserved expansion with backslashes", "/v1/{+color}", `"a\\..\\b"`, "holds a segment that would lead to another path"},
		{"reserved expansion beside a name", "/v1/x{+color}", `"/../b"`, "empty path segment"},
		{"reserved expansion with an empty segment", "/v1/{+color}", `"a//b"`, "empty path segment"},
		{"reserved expansion of a rooted value", "/v1/{+color}", `"/a"`, "empty path segment"},
		{"reserved expansion with a question mark", "/v1/{+color}", `"a?b#c"`, "/v1/a%3Fb%23c"},
		{"a variable without an argument", "/v1/{color}/{shape}", `"x"`, "has no argument for {shape}"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := (*Call)(nil).Request("GET", tc.template)
			r.Path("color", value(tc.json))
			got, err := r.target()
			if err != nil {
				if !strings.Contains(err.Error(), tc.want) {
					t.Errorf("error %q, want %q", err, tc.want)
				}
				return
			}
			if line := strings.TrimSuffix(got.path+"?"+got.query, "?"); line != tc.want {
				t.Errorf("got %s, want %s", line, tc.want)
			}
		})
	}
}

func TestQueryStyles(t *testing.T) {
	for _, tc := range []struct {
		name, json string
		options    []ParamOption
		want       string
	}{
		{"form exploded scalar", blue, nil, "color=blue"},
		{"form exploded empty", `""`, nil, "color="},
		{"form exploded array", colors, nil, "color=blue&color=black&color=brown"},
		{"form exploded object", rgb, nil, "R=100&G=200&B=150"},
		{"form scalar", blue, []ParamOption{NoExplode}, "color=blue"},
		{"form empty", `""`, []ParamOption{Form, NoExplode}, "color="},
		{"form array", colors, []ParamOption{NoExplode}, "color=blue,black,brown"},
		{"form object", rgb, []ParamOption{NoExplode}, "color=R,100,G,200,B,150"},
		{"spaceDelimited array", colors, []ParamOption{SpaceDelimited}, "color=blue%20black%20brown"},
		{"spaceDelimited object", rgb, []ParamOption{SpaceDelimited}, "color=R%20100%20G%20200%20B%20150"},
		{"spaceDelimited exploded array", colors, []ParamOption{SpaceDelimited, Explode}, "color=blue&color=black&color=brown"},
		{"spaceDelimited scalar", blue, []ParamOption{SpaceDelimited}, "color=blue"},
		{"pipeDelimited array", colors, []ParamOption{PipeDelimited}, "color=blue%7Cblack%7Cbrown"},
		{"pipeDelimited object", rgb, []ParamOption{PipeDelimited}, "color=R%7C100%7CG%7C200%7CB%7C150"},
		{"pipeDelimited exploded array", colors, []ParamOption{PipeDelimited, Explode}, "color=blue&color=black&color=brown"},
		{"pipeDelimited exploded object", rgb, []ParamOption{PipeDelimited, Explode}, "R=100&G=200&B=150"},
		{"tabDelimited array", colors, []ParamOption{TabDelimited}, "color=blue%09black%09brown"},
		{"deepObject object", rgb, []ParamOption{DeepObject, Explode}, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"},
		{"deepObject without explode", rgb, []ParamOption{DeepObject}, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"},
		{"deepObject with an array", `{"id":"5 7","kinds":["a","b"]}`, []ParamOption{DeepObject, Explode}, "color%5Bid%5D=5%207&color%5Bkinds%5D=a&color%5Bkinds%5D=b"},
		{"deepObject nested", `{"a":{"b":{"c":1,"d":[1,2]}}}`, []ParamOption{DeepObject}, "color%5Ba%5D%5Bb%5D%5Bc%5D=1&color%5Ba%5D%5Bb%5D%5Bd%5D=1&color%5Ba%5D%5Bb%5D%5Bd%5D=2"},
		{"deepObject with objects in an array", `{"a":[{"b":1},{"b":2}]}`, []ParamOption{DeepObject}, "color%5Ba%5D%5B0%5D%5Bb%5D=1&color%5Ba%5D%5B1%5D%5Bb%5D=2"},
		{"deepObject that is an array", `["x","y"]`, []ParamOption{DeepObject}, "color%5B0%5D=x&color%5B1%5D=y"},
		{"deepObject scalar", blue, []ParamOption{DeepObject}, "color=blue"},
		{"deepObject with null", `{"a":null,"b":[null,1]}`, []ParamOption{DeepObject}, "color%5Bb%5D=1"},

		{"empty array", `[]`, nil, ""},
		{"empty array not exploded", `[]`, []ParamOption{NoExplode}, ""},
		{"empty object", `{}`, nil, ""},
		{"empty deepObject", `{}`, []ParamOption{DeepObject}, ""},
		{"array of empty strings", `["",""]`, nil, "color=&color="},
		{"array of empty strings not exploded", `["",""]`, []ParamOption{NoExplode}, "color=,"},
		{"null items", `[null,1]`, nil, "color=1"},
		{"null", `null`, nil, ""},
		{"exploded object with an array", `{"tag":["a","b"],"n":1}`, nil, "tag=a&tag=b&n=1"},
		{"exploded object with an object", `{"f":{"a":1}}`, nil, "f=%7B%22a%22%3A1%7D"},
		{"array of objects", `[{"a": 1}]`, nil, "color=%7B%22a%22%3A1%7D"},
		{"items with commas", `["r","g,h"]`, []ParamOption{NoExplode}, "color=r,g%2Ch"},
		{"order of the call", `{"z":1,"a":2,"m":3}`, []ParamOption{NoExplode}, "color=z,1,a,2,m,3"},

		{"boolean", `false`, nil, "color=false"},
		{"zero", `0`, nil, "color=0"},
		{"integer beyond 2^53", `[2932809024865746956]`, nil, "color=2932809024865746956"},
		{"plus in a number", `1e+3`, nil, "color=1e%2B3"},
		{"reserved", `"a+b&c=d é/?#"`, nil, "color=a%2Bb%26c%3Dd%20%C3%A9%2F%3F%23"},
		{"allowReserved", `"a/b:c?d=e+f;g,h@i!$'()*&#[]%41%"`, []ParamOption{AllowReserved}, "color=a/b:c?d=e+f;g,h@i!$'()*%26%23%5B%5D%41%25"},
		{"allowReserved array", `["a/b","c,d"]`, []ParamOption{NoExplode, AllowReserved}, "color=a/b,c,d"},
		{"content", `{"a": ["é", 1.10]}`, []ParamOption{Content("application/json")}, "color=%7B%22a%22%3A%5B%22%C3%A9%22%2C1.10%5D%7D"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := (*Call)(nil).Request("GET", "/x")
			r.Query("color", value(tc.json), tc.options...)
			got, err := r.target()
			if err != nil {
				t.Fatal(err)
			}
			if got.query != tc.want {
				t.Errorf("got  %s\nwant %s", got.query, tc.want)
			}
		})
	}
}

func TestQueryAsAWhole(t *testing.T) {
	r := (*Call)(nil).Request("GET", "/search?v=2")
	r.Query("filter[bundleId]", value(`"x"`))
	r.Query("ids[]", value(`[1,2]`))
	r.Query("absent", Arg{Name: "absent"})
	r.Query("$top", value(`5`))
	if got, err := r.target(); err != nil || got.query != "v=2&filter%5BbundleId%5D=x&ids%5B%5D=1&ids%5B%5D=2&%24top=5" {
		t.Errorf("got %q, %v", got.query, err)
	}
}

func TestQuerystring(t *testing.T) {
	for _, tc := range []struct{ name, json, mediaType, want string }{
		{"form", `{"a":[1,2],"b":{"c":"d e"}}`, "application/x-www-form-urlencoded", "a=1&a=2&b%5Bc%5D=d%20e"},
		{"json", `{"a": 1}`, "application/json", "%7B%22a%22%3A1%7D"},
		{"text", `"$.a[?(@.b)]"`, "application/jsonpath", "%24.a%5B%3F%28%40.b%29%5D"},
	} {
		r := (*Call)(nil).Request("GET", "/search")
		r.Querystring(value(tc.json), tc.mediaType)
		if got, err := r.target(); err != nil || got.query != tc.want {
			t.Errorf("%s: got %q, %v, want %q", tc.name, got.query, err, tc.want)
		}
	}
}

func TestHeaderStyles(t *testing.T) {
	for _, tc := range []struct {
		name, json string
		options    []ParamOption
		want       string // "-": no such header; else the value or part of the error
	}{
		{"scalar", blue, nil, "blue"},
		{"array", colors, nil, "blue,black,brown"},
		{"object", rgb, nil, "R,100,G,200,B,150"},
		{"exploded object", rgb, []ParamOption{Explode}, "R=100,G=200,B=150"},
		{"not percent-encoded", `"a b/c%,é"`, nil, "a b/c%,é"},
		{"empty", `""`, nil, ""},
		{"empty array", `[]`, nil, "-"},
		{"null", `null`, nil, "-"},
		{"number", `1.10`, nil, "1.10"},
		{"pipes", colors, []ParamOption{PipeDelimited}, "blue|black|brown"},
		{"spaces", colors, []ParamOption{SpaceDelimited}, "blue black brown"},
		{"tabs", colors, []ParamOption{TabDelimited}, "blue\tblack\tbrown"},
		{"pipes of an empty array", `[]`, []ParamOption{PipeDelimited}, "-"},
		{"content", "{\"a\":\n1}", []ParamOption{Content("application/json")}, `{"a":1}`},
		{"line break", `"a\r\nX-Evil: 1"`, nil, "line breaks"},
		{"line feed in an item", `["a","b\nc"]`, nil, "line breaks"},
		{"NUL", `"a\u0000"`, nil, "line breaks or control"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := (*Call)(nil).Request("GET", "/x")
			r.Header("X-Color", value(tc.json), tc.options...)
			h := http.Header{}
			if err := r.setHeaders(h); err != nil {
				if !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), `argument "color"`) {
					t.Errorf("error %q, want %q", err, tc.want)
				}
				return
			}
			got, ok := "-", false
			if _, ok = h["X-Color"]; ok {
				got = h.Get("X-Color")
			}
			if got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestConnectionHeadersAreTheClients(t *testing.T) {
	r := (*Call)(nil).Request("GET", "/x")
	for _, name := range []string{"host", "Content-Length", "transfer-encoding", "Connection"} {
		r.Header(name, value(`"evil"`))
	}
	h := http.Header{}
	if err := r.setHeaders(h); err != nil || len(h) != 0 {
		t.Errorf("got %v, %v", h, err)
	}
}

func TestCookieStyles(t *testing.T) {
	for _, tc := range []struct {
		name, json string
		options    []ParamOption
		want       string
	}{
		{"scalar", `"c 1"`, nil, "color=c%201"},
		{"array", colors, []ParamOption{NoExplode}, "color=blue,black,brown"},
		{"exploded array", colors, nil, "color=blue; color=black; color=brown"},
		{"object", rgb, []ParamOption{NoExplode}, "color=R,100,G,200,B,150"},
		{"exploded object", rgb, nil, "R=100; G=200; B=150"},
		{"cookie style", `"a b%20c"`, []ParamOption{CookieStyle}, "color=a b%20c"},
		{"cookie style array", colors, []ParamOption{CookieStyle, NoExplode}, "color=blue,black,brown"},
		{"content", `{"a":1}`, []ParamOption{Content("application/json")}, "color=%7B%22a%22%3A1%7D"},
		{"empty array", `[]`, nil, ""},
		{"semicolon is encoded", `"a; admin=1"`, nil, "color=a%3B%20admin%3D1"},
		{"semicolon in cookie style", `"a; admin=1"`, []ParamOption{CookieStyle}, "semicolon"},
		{"line break in cookie style", `"a\n"`, []ParamOption{CookieStyle}, "line breaks"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := (*Call)(nil).Request("GET", "/x")
			r.Cookie("color", value(tc.json), tc.options...)
			h := http.Header{}
			if err := r.setHeaders(h); err != nil {
				if !strings.Contains(err.Error(), tc.want) {
					t.Errorf("error %q, want %q", err, tc.want)
				}
				return
			}
			if got := h.Get("Cookie"); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}
