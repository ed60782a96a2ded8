package runtime

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// encoded returns what a handler's line makes of the argument "body".
func encoded(t *testing.T, json string, files fileRoot, line func(*Request, Arg)) (payload, error) {
	t.Helper()
	r := (*Call)(nil).Request("POST", "/x")
	arg := Arg{Name: "body"}
	if json != "" {
		arg.Value = []byte(json)
	}
	line(r, arg)
	return r.encode(files)
}

func TestBodies(t *testing.T) {
	const pdf = "JVBERi0x" // %PDF-1
	jsonLine := func(options ...BodyOption) func(*Request, Arg) {
		return func(r *Request, a Arg) { r.JSON(a, options...) }
	}
	textLine := func(options ...BodyOption) func(*Request, Arg) {
		return func(r *Request, a Arg) { r.Text(a, options...) }
	}
	bytesLine := func(options ...BodyOption) func(*Request, Arg) {
		return func(r *Request, a Arg) { r.Bytes(a, options...) }
	}
	xmlLine := func(options ...BodyOption) func(*Request, Arg) {
		return func(r *Request, a Arg) { r.XML(a, options...) }
	}
	for _, tc := range []struct {
		name, json  string
		line        func(*Request, Arg)
		contentType string
		want        string // or part of the error
	}{
		{"json as the model wrote it", `{"z": 1.10, "a":[ 9007199254740993 ],"n":null,"u":"\u003c"}`, jsonLine(), "application/json", `{"z": 1.10, "a":[ 9007199254740993 ],"n":null,"u":"\u003c"}`},
		{"merge patch keeps null", `{"nick":null}`, jsonLine(MediaType("application/merge-patch+json")), "application/merge-patch+json", `{"nick":null}`},
		{"vendor json with parameters", `{"data":{}}`, jsonLine(MediaType("application/vnd.api+json; charset=utf-8")), "application/vnd.api+json; charset=utf-8", `{"data":{}}`},
		{"json array", `["a","b"]`, jsonLine(), "application/json", `["a","b"]`},
		{"json scalar", `5`, jsonLine(), "application/json", `5`},
		{"json null", `null`, jsonLine(), "application/json", `null`},
		{"empty object", `{}`, jsonLine(), "application/json", `{}`},
		{"no body", ``, jsonLine(), "", ""},
		{"text", `"héllo\n"`, textLine(), "text/plain", "héllo\n"},
		{"text of another type", `"a,b"`, textLine(MediaType("text/csv")), "text/csv", "a,b"},
		{"text in Latin 1", `"héllo"`, textLine(MediaType("text/plain; charset=ISO-8859-1")), "text/plain; charset=ISO-8859-1", "h\xe9llo"},
		{"text in UTF-8, said", `"héllo"`, textLine(MediaType("text/plain; charset=utf-8")), "text/plain; charset=utf-8", "héllo"},
		{"text in UTF-16", `"é"`, textLine(MediaType("text/plain; charset=utf-16be")), "text/plain; charset=utf-16be", "\x00\xe9"},
		{"character that Latin 1 lacks", `"5 €"`, textLine(MediaType("text/plain; charset=ISO-8859-1")), "", `argument "body": the API wants text in the charset iso-8859-1, and some character is not in it`},
		{"unknown charset", `"é"`, textLine(MediaType("text/plain; charset=x-own")), "", "the charset x-own, of which this server knows only ASCII"},
		{"ASCII in an unknown charset", `"e"`, textLine(MediaType("text/plain; charset=x-own")), "text/plain; charset=x-own", "e"},
		{"XML text in Latin 1", `"<a>é</a>"`, xmlLine(MediaType("text/xml; charset=latin1")), "text/xml; charset=latin1", "<a>\xe9</a>"},
		{"XML in Latin 1", `{"n":"é"}`, xmlLine(MediaType("application/xml; charset=iso-8859-1"), Element{Name: "a", Children: []Element{{Property: "n", Name: "n"}}}), "application/xml; charset=iso-8859-1", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<a><n>\xe9</n></a>"},
		{"empty text", `""`, textLine(), "text/plain", ""},
		{"text null", `null`, textLine(), "", ""},
		{"bytes", `"AP8Q"`, bytesLine(), "application/octet-stream", "\x00\xff\x10"},
		{"bytes of an image", `"AP8Q"`, bytesLine(MediaType("image/png")), "image/png", "\x00\xff\x10"},
		{"bytes in the URL alphabet", `"-_8"`, bytesLine(), "application/octet-stream", "\xfb\xff"},
		{"bytes on several lines", `"AP\n8Q\r\n"`, bytesLine(), "application/octet-stream", "\x00\xff\x10"},
		{"no bytes", `""`, bytesLine(), "application/octet-stream", ""},
		{"bytes as an object", `{"data":"` + pdf + `","contentType":"application/pdf"}`, bytesLine(MediaType("*/*")), "application/pdf", "%PDF-1"},
		{"bytes of any image", `"iVBORw0KGgo="`, bytesLine(MediaType("image/*")), "image/png", "\x89PNG\r\n\x1a\n"},
		{"bytes as a data URL", `"data:image/gif;base64,R0lG"`, bytesLine(MediaType("image/*")), "image/gif", "GIF"},
		{"not base64", `"@@@"`, bytesLine(), "", `argument "body": not valid base64`},
		{"half a byte", `"A"`, bytesLine(), "", "not valid base64"},
		{"data URL without base64", `"data:text/plain,hi"`, bytesLine(), "", "must be base64"},
		{"bytes from a number", `5`, bytesLine(), "", "a file is a base64 string"},
		{"bytes from an empty object", `{}`, bytesLine(), "", "needs data"},
		{"data and path", `{"data":"","path":"x"}`, bytesLine(), "", "either data or path"},
		{"a path without a folder", `{"path":"x"}`, bytesLine(), "", "reads no local files"},
		{"content type that breaks the line", `{"data":"","contentType":"a/b\r\nX: y"}`, bytesLine(), "", "is not a media type"},
		{"xml as text", `"<a>é</a>"`, xmlLine(), "application/xml", "<a>é</a>"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := encoded(t, tc.json, fileRoot{}, tc.line)
			if err != nil {
				if tc.contentType != "" || !strings.Contains(err.Error(), tc.want) {
					t.Errorf("error %q, want %q", err, tc.want)
				}
				return
			}
			if got.contentType != tc.contentType && got.data != nil {
				t.Errorf("Content-Type %q, want %q", got.contentType, tc.contentType)
			}
			if (got.data == nil) != (tc.contentType == "") {
				t.Errorf("body sent: %v, want the opposite", got.data != nil)
			}
			if string(got.data) != tc.want {
				t.Errorf("got %q, want %q", got.data, tc.want)
			}
		})
	}
}

func TestForms(t *testing.T) {
	for _, tc := range []struct {
		name, json string
		fields     []BodyOption
		want       string
	}{
		{"scalars", `{"amount":500,"note":"a & b","ok":true,"p":1.10}`, nil, "amount=500&note=a%20%26%20b&ok=true&p=1.10"},
		{"array repeats", `{"tag":["x","y"]}`, nil, "tag=x&tag=y"},
		{"object in brackets", `{"metadata":{"order":"o 1"}}`, nil, "metadata%5Border%5D=o%201"},
		{"array of objects", `{"items":[{"price":"p1","qty":2},{"price":"p2"}],"shipping":{"address":{"city":"Köln"}}}`, nil,
			"items%5B0%5D%5Bprice%5D=p1&items%5B0%5D%5Bqty%5D=2&items%5B1%5D%5Bprice%5D=p2&shipping%5Baddress%5D%5Bcity%5D=K%C3%B6ln"},
		{"array below an object is indexed", `{"a":{"b":[1,2]}}`, nil, "a%5Bb%5D%5B0%5D=1&a%5Bb%5D%5B1%5D=2"},
		{"array of arrays", `{"a":[[1,2],[3]]}`, nil, "a%5B0%5D%5B0%5D=1&a%5B0%5D%5B1%5D=2&a%5B1%5D%5B0%5D=3"},
		{"null and empty", `{"a":null,"b":[],"c":{},"d":""}`, nil, "d="},
		{"deepObject indexes arrays", `{"expand":["x","y"],"items":[{"price":"p"}]}`,
			[]BodyOption{Field{Name: "expand", Style: DeepObject, Explode: true}, Field{Name: "items", Style: DeepObject, Explode: true}},
			"expand%5B0%5D=x&expand%5B1%5D=y&items%5B0%5D%5Bprice%5D=p"},
		{"form without explode", `{"a":["x","y,z"],"o":{"k":1}}`,
			[]BodyOption{Field{Name: "a", Style: Form}, Field{Name: "o", Style: Form}}, "a=x,y%2Cz&o=k,1"},
		{"form exploded object", `{"o":{"k":1,"l":2}}`, []BodyOption{Field{Name: "o", Style: Form, Explode: true}}, "k=1&l=2"},
		{"pipes", `{"a":["x","y"]}`, []BodyOption{Field{Name: "a", Style: PipeDelimited}}, "a=x%7Cy"},
		{"json field", `{"o":{"k": [1]},"s":"t","j":"{\"k\":1}"}`,
			[]BodyOption{Field{Name: "o", ContentType: "application/json"}, Field{Name: "s", ContentType: "application/json"}, Field{Name: "j", ContentType: "application/json"}},
			"o=%7B%22k%22%3A%5B1%5D%7D&s=%22t%22&j=%7B%22k%22%3A1%7D"},
		{"allowReserved", `{"u":"http://a/?b&c"}`, []BodyOption{Field{Name: "u", Style: Form, AllowReserved: true}}, "u=http://a/?b%26c"},
		{"names", `{"a b":1,"c[]":2}`, nil, "a%20b=1&c%5B%5D=2"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := encoded(t, tc.json, fileRoot{}, func(r *Request, a Arg) { r.Form(a, tc.fields...) })
			if err != nil {
				t.Fatal(err)
			}
			if string(got.data) != tc.want {
				t.Errorf("got  %s\nwant %s", got.data, tc.want)
			}
			if _, err := url.ParseQuery(string(got.data)); err != nil {
				t.Error(err)
			}
		})
	}
	if _, err := encoded(t, `[1]`, fileRoot{}, func(r *Request, a Arg) { r.Form(a) }); err == nil || !strings.Contains(err.Error(), "is an object") {
		t.Errorf("an array as a form: %v", err)
	}
}

// seen is a part as the standard library reads it.
type seen struct{ Name, File, Type, Data string }

func readParts(t *testing.T, p payload) []seen {
	t.Helper()
	mediaType, params, err := mime.ParseMediaType(p.contentType)
	if err != nil || !strings.HasPrefix(mediaType, "multipart/") {
		t.Fatalf("Content-Type %q: %v", p.contentType, err)
	}
	var out []seen
	reader := multipart.NewReader(bytes.NewReader(p.data), params["boundary"])
	for {
		part, err := reader.NextRawPart()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(part)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, seen{part.FormName(), part.FileName(), part.Header.Get("Content-Type"), string(data)})
	}
}

func TestMultipart(t *testing.T) {
	for _, tc := range []struct {
		name, json string
		fields     []BodyOption
		want       []seen
		err        string
	}{
		{"file, text and object", `{"file":"JVBERi0x","title":"T","meta":{"k": "v"}}`,
			[]BodyOption{Field{Name: "file", File: true, ContentType: "application/pdf"}},
			[]seen{{"file", "file", "application/pdf", "%PDF-1"}, {"title", "", "", "T"}, {"meta", "", "application/json", `{"k":"v"}`}}, ""},
		{"several files", `{"f":["YQ==",{"data":"Yg","filename":"b.txt","contentType":"text/x"}]}`,
			[]BodyOption{Field{Name: "f", File: true}},
			[]seen{{"f", "f", "application/octet-stream", "a"}, {"f", "b.txt", "text/x", "b"}}, ""},
		{"content type by the bytes", `{"f":"iVBORw0KGgo="}`, []BodyOption{Field{Name: "f", File: true, ContentType: "image/jpeg, image/png"}},
			[]seen{{"f", "f", "image/png", "\x89PNG\r\n\x1a\n"}}, ""},
		{"content type of a list that does not fit", `{"f":"YQ"}`, []BodyOption{Field{Name: "f", File: true, ContentType: "image/jpeg, image/png"}},
			[]seen{{"f", "f", "image/jpeg", "a"}}, ""},
		{"content type by the name", `{"f":{"data":"YSxi","filename":"t.CSV"}}`, []BodyOption{Field{Name: "f", File: true, ContentType: "application/vnd.ms-excel, text/csv"}},
			[]seen{{"f", "t.CSV", "text/csv", "a,b"}}, ""},
		{"a name says more than plain text", `{"f":{"data":"YSxi","filename":"t.csv"}}`, []BodyOption{Field{Name: "f", File: true, ContentType: "text/plain, text/csv; header=absent"}},
			[]seen{{"f", "t.csv", "text/csv; header=absent", "a,b"}}, ""},
		{"bytes say more than a name", `{"f":{"data":"iVBORw0KGgo=","filename":"t.jpg"}}`, []BodyOption{Field{Name: "f", File: true, ContentType: "image/*"}},
			[]seen{{"f", "t.jpg", "image/png", "\x89PNG\r\n\x1a\n"}}, ""},
		{"content type of a range by the name", `{"f":{"data":"YSxi","filename":"t.csv"}}`, []BodyOption{Field{Name: "f", File: true, ContentType: "image/*, text/*"}},
			[]seen{{"f", "t.csv", "text/csv", "a,b"}}, ""},
		{"content type that the model says", `{"f":{"data":"YSxi","filename":"t.txt","contentType":"text/csv; header=absent"}}`, []BodyOption{Field{Name: "f", File: true, ContentType: "application/vnd.ms-excel, text/csv"}},
			[]seen{{"f", "t.txt", "text/csv; header=absent", "a,b"}}, ""},
		{"content type that the model says in a range", `{"f":{"data":"YSxi","contentType":"image/x"}}`, []BodyOption{Field{Name: "f", File: true, ContentType: "text/csv, image/*"}},
			[]seen{{"f", "f", "image/x", "a,b"}}, ""},
		{"content type that the document does not allow", `{"f":{"data":"YSxi","filename":"t.csv","contentType":"text/plain"}}`, []BodyOption{Field{Name: "f", File: true, ContentType: "application/vnd.ms-excel, text/csv"}},
			[]seen{{"f", "t.csv", "text/csv", "a,b"}}, ""},
		{"nothing in a range fits", `{"f":"YSxi"}`, []BodyOption{Field{Name: "f", File: true, ContentType: "image/*"}},
			[]seen{{"f", "f", "application/octet-stream", "a,b"}}, ""},
		{"the first behind a range", `{"f":"YSxi"}`, []BodyOption{Field{Name: "f", File: true, ContentType: "image/*, application/pdf"}},
			[]seen{{"f", "f", "application/pdf", "a,b"}}, ""},
		{"numbers and booleans", `{"n":9007199254740993,"b":false,"d":1.10}`, nil,
			[]seen{{"n", "", "", "9007199254740993"}, {"b", "", "", "false"}, {"d", "", "", "1.10"}}, ""},
		{"arrays repeat", `{"tag":["x","y"],"o":[{"a":1},[2]]}`, nil,
			[]seen{{"tag", "", "", "x"}, {"tag", "", "", "y"}, {"o", "", "application/json", `{"a":1}`}, {"o", "", "application/json", `[2]`}}, ""},
		{"arrays in one part", `{"tag":["x","y"],"p":["a",1],"e":[],"one":"z"}`,
			[]BodyOption{Field{Name: "tag", Style: Form}, Field{Name: "p", Style: PipeDelimited}, Field{Name: "e", Style: Form}, Field{Name: "one", Style: Form}},
			[]seen{{"tag", "", "", "x,y"}, {"p", "", "", "a|1"}, {"one", "", "", "z"}}, ""},
		{"declared content types", `{"csv":"a,b","s":"t","j":"{\"a\":1}"}`,
			[]BodyOption{Field{Name: "csv", ContentType: "text/csv"}, Field{Name: "s", ContentType: "application/json"}, Field{Name: "j", ContentType: "application/json"}},
			[]seen{{"csv", "", "text/csv", "a,b"}, {"s", "", "application/json", `"t"`}, {"j", "", "application/json", `{"a":1}`}}, ""},
		{"charset of a part", `{"a":"é","b":["é"]}`, []BodyOption{Field{Name: "a", ContentType: "text/plain; charset=iso-8859-1"}},
			[]seen{{"a", "", "text/plain; charset=iso-8859-1", "\xe9"}, {"b", "", "", "é"}}, ""},
		{"character that the charset of a part lacks", `{"a":["€"]}`, []BodyOption{Field{Name: "a", ContentType: "text/plain; charset=iso-8859-1"}}, nil, `property "a": the API wants text in the charset iso-8859-1`},
		{"null is left out", `{"a":null,"b":[null],"c":""}`, nil, []seen{{"c", "", "", ""}}, ""},
		{"no properties", `{}`, nil, nil, ""},
		{"names that need quotes", `{"a\"b é":"x"}`, nil, []seen{{"a\"b é", "", "", "x"}}, ""},
		{"file name that needs quotes", `{"f":{"data":"","filename":"a\".txt"}}`, []BodyOption{Field{Name: "f", File: true}},
			[]seen{{"f", "a\".txt", "application/octet-stream", ""}}, ""},
		{"name that breaks the line", `{"a\r\nX: y":"x"}`, nil, nil, "must not hold line breaks"},
		{"file name that breaks the line", `{"f":{"data":"","filename":"a\r\nX: y"}}`, []BodyOption{Field{Name: "f", File: true}}, nil, "must not hold line breaks"},
		{"not base64", `{"f":"@@@"}`, []BodyOption{Field{Name: "f", File: true}}, nil, `argument "body": property "f": not valid base64`},
		{"not base64 in a list", `{"f":["YQ","@"]}`, []BodyOption{Field{Name: "f", File: true}}, nil, "not valid base64"},
		{"not an object", `"x"`, nil, nil, "is an object"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			line := func(r *Request, a Arg) { r.Multipart(a, tc.fields...) }
			got, err := encoded(t, tc.json, fileRoot{}, line)
			if tc.err != "" {
				if err == nil || !strings.Contains(err.Error(), tc.err) {
					t.Errorf("error %v, want %q", err, tc.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, readParts(t, got)); diff != "" {
				t.Error(diff)
			}
			again, _ := encoded(t, tc.json, fileRoot{}, line)
			if again.contentType != got.contentType || !bytes.Equal(again.data, got.data) {
				t.Error("the same call made another body")
			}
		})
	}
	mixed, err := encoded(t, `{"a":1}`, fileRoot{}, func(r *Request, a Arg) { r.Multipart(a, MediaType("multipart/mixed; boundary=x")) })
	if err != nil || !strings.HasPrefix(mixed.contentType, "multipart/mixed; boundary=") || strings.HasSuffix(mixed.contentType, "=x") {
		t.Errorf("multipart/mixed: %q, %v", mixed.contentType, err)
	}
}

// TestPartHeaders reads what parts carry beside their names.
func TestPartHeaders(t *testing.T) {
	header := func(property, name, json string, options ...ParamOption) func(*Request) {
		return func(r *Request) {
			arg := Arg{Name: property + "__" + name}
			if json != "" {
				arg.Value = []byte(json)
			}
			r.PartHeader(property, name, arg, options...)
		}
	}
	for _, tc := range []struct {
		name, body string
		lines      []func(*Request)
		want       string // or part of the error
	}{
		{"a text", `{"f":"YQ","t":"x"}`, []func(*Request){header("f", "x-note", `"a, é"`)}, `f [X-Note: a, é] a|t [] x`},
		{"each part of a list", `{"f":["YQ","Yg"]}`, []func(*Request){header("f", "X-Note", `"n"`)}, `f [X-Note: n] a|f [X-Note: n] b`},
		{"several", `{"t":"x"}`, []func(*Request){header("t", "X-B", `1`), header("t", "X-A", `true`)}, `t [X-A: true] [X-B: 1] x`},
		{"styles", `{"t":"x"}`, []func(*Request){header("t", "X-List", `["a","b"]`), header("t", "X-Map", `{"k":1}`, Simple, Explode), header("t", "X-Json", `{"k": 1}`, Content("application/json"))},
			`t [X-Json: {"k":1}] [X-List: a,b] [X-Map: k=1] x`},
		{"fixed", `{"t":"x"}`, []func(*Request){func(r *Request) { r.PartHeader("t", "X-Kind", Fixed(`"thumb"`)) }}, `t [X-Kind: thumb] x`},
		{"left out, null and empty", `{"t":"x"}`, []func(*Request){header("t", "X-A", ""), header("t", "X-B", "null"), header("t", "X-C", "[]")}, `t [] x`},
		{"of a part that is not sent", `{"t":"x"}`, []func(*Request){header("f", "X-A", `"a"`)}, `t [] x`},
		{"base64 in transfer", `{"f":"AP8","t":"x"}`, []func(*Request){header("f", "Content-Transfer-Encoding", `"base64"`), header("t", "Content-Transfer-Encoding", `"base64"`)},
			`f [Content-Transfer-Encoding: base64] AP8=|t [Content-Transfer-Encoding: base64] x`},
		{"the client's own", `{"t":"x"}`, []func(*Request){header("t", "Content-Disposition", `"form-data; name=evil"`), header("t", "Host", `"evil.test"`)}, `t [] x`},
		{"a line break", `{"t":"x"}`, []func(*Request){header("t", "X-A", `"a\r\nX-B: b"`)}, `argument "t__X-A": a header must not hold line breaks`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p, err := encoded(t, tc.body, fileRoot{}, func(r *Request, a Arg) {
				for _, line := range tc.lines {
					line(r)
				}
				r.Multipart(a, Field{Name: "f", File: true})
			})
			if err != nil {
				if !strings.HasPrefix(err.Error(), tc.want) {
					t.Errorf("error %q, want %q", err, tc.want)
				}
				return
			}
			_, params, err := mime.ParseMediaType(p.contentType)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for reader := multipart.NewReader(bytes.NewReader(p.data), params["boundary"]); ; {
				part, err := reader.NextRawPart()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				text := part.FormName()
				for _, name := range slices.Sorted(maps.Keys(part.Header)) {
					if name != "Content-Disposition" && name != "Content-Type" {
						text += " [" + name + ": " + strings.Join(part.Header[name], "|") + "]"
					}
				}
				if !strings.Contains(text, "[") {
					text += " []"
				}
				data, err := io.ReadAll(part)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, text+" "+string(data))
			}
			if all := strings.Join(got, "|"); all != tc.want {
				t.Errorf("got  %s\nwant %s", all, tc.want)
			}
		})
	}
}

func TestFilesInAFolder(t *testing.T) {
	outside := t.TempDir()
	folder := filepath.Join(outside, "files")
	for _, dir := range []string{folder, filepath.Join(folder, "sub")} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range map[string]string{"secret": "s", "files/a.txt": "A", "files/sub/b.txt": "B", "files/large": strings.Repeat("x", 101)} {
		if err := os.WriteFile(filepath.Join(outside, name), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"out": "../secret", "in": "a.txt", "up": ".."} {
		if err := os.Symlink(to, filepath.Join(folder, name)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	root := fileRoot{folder: folder, limit: 100}
	for _, tc := range []struct{ path, want, err string }{
		{"a.txt", "A", ""},
		{"sub/b.txt", "B", ""},
		{"./sub/../a.txt", "A", ""},
		{"in", "A", ""},
		{filepath.Join(folder, "a.txt"), "A", ""},
		{"../secret", "", "not inside the folder"},
		{"sub/../../secret", "", "not inside the folder"},
		{"out", "", "not inside the folder"},
		{"up/secret", "", "not inside the folder"},
		{filepath.Join(outside, "secret"), "", "not inside the folder"},
		{"/etc/hostname", "", "not inside the folder"},
		{"none", "", "does not exist"},
		{"sub", "", "is not a file"},
		{"large", "", "is larger than 100 bytes"},
		{"", "", "not inside the folder"},
	} {
		arg, err := json.Marshal(map[string]string{"path": tc.path})
		if err != nil {
			t.Fatal(err)
		}
		got, err := root.decode(arg)
		switch {
		case tc.err == "" && err != nil:
			t.Errorf("%s: %v", tc.path, err)
		case tc.err != "" && (err == nil || !strings.Contains(err.Error(), tc.err)):
			t.Errorf("%s: error %v, want %q", tc.path, err, tc.err)
		case string(got.data) != tc.want:
			t.Errorf("%s: got %q", tc.path, got.data)
		case tc.err == "" && got.name != filepath.Base(tc.path):
			t.Errorf("%s: file name %q", tc.path, got.name)
		case err != nil && strings.Contains(err.Error(), outside) && !filepath.IsAbs(tc.path):
			t.Errorf("%s: the error tells where the folder is: %v", tc.path, err)
		}
	}
}

func TestXML(t *testing.T) {
	pet := Element{Name: "pet", Namespace: "http://pets.test/", Prefix: "p", Children: []Element{
		{Property: "id", Name: "id", Attribute: true},
		{Property: "name", Name: "name", Prefix: "p"},
		{Property: "tags", Name: "tags", Wrapped: true, Item: &Element{Name: "tag"}},
		{Property: "photos", Name: "photo"},
		{Property: "owner", Name: "owner", Children: []Element{{Property: "city", Name: "city"}}},
	}}
	const open = `<p:pet xmlns:p="http://pets.test/"`
	for _, tc := range []struct {
		name, json string
		element    Element
		want       string // after the declaration, or part of the error
	}{
		{"attributes, wrapped and bare lists", `{"name":"R & <x>","id":9007199254740993,"photos":["a","b"],"tags":["x","y"]}`, pet,
			open + ` id="9007199254740993"><p:name>R &amp; &lt;x&gt;</p:name><tags><tag>x</tag><tag>y</tag></tags><photo>a</photo><photo>b</photo></p:pet>`},
		{"order of the document", `{"owner":{"city":"Köln"},"name":"R"}`, pet, open + `><p:name>R</p:name><owner><city>Köln</city></owner></p:pet>`},
		{"null and empty", `{"name":null,"tags":[],"owner":{}}`, pet, open + `><tags></tags><owner></owner></p:pet>`},
		{"undeclared properties come last", `{"extra":1,"name":"R","list":[1,2]}`, pet, open + `><p:name>R</p:name><extra>1</extra><list>1</list><list>2</list></p:pet>`},
		{"attribute value", `{"id":"a\"b<"}`, pet, open + ` id="a&#34;b&lt;"></p:pet>`},
		{"scalar", `true`, Element{Name: "flag"}, "<flag>true</flag>"},
		{"wrapped root", `[1,2]`, Element{Name: "list", Wrapped: true, Item: &Element{Name: "n"}}, "<list><n>1</n><n>2</n></list>"},
		{"item without a name", `[1]`, Element{Name: "list", Wrapped: true, Item: &Element{}}, "<list><list>1</list></list>"},
		{"bare list as root", `[1]`, Element{Name: "n"}, "one root element"},
		{"a name that XML does not have", `{"a b":1}`, pet, `property "a b"`},
		{"a name that would be markup", `{"a><x":1}`, pet, `cannot be the name`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := encoded(t, tc.json, fileRoot{}, func(r *Request, a Arg) { r.XML(a, tc.element) })
			if err != nil {
				if !strings.Contains(err.Error(), tc.want) {
					t.Errorf("error %q, want %q", err, tc.want)
				}
				return
			}
			want := `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + tc.want
			if string(got.data) != want {
				t.Errorf("got  %s\nwant %s", got.data, want)
			}
		})
	}
}
