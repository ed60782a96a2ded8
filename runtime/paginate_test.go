package runtime

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// paged is an API whose answers come in pages of ten, 35 items in all.
func paged(style string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		number := func(name string, otherwise int) int {
			if n, err := strconv.Atoi(q.Get(name)); err == nil {
				return n
			}
			return otherwise
		}
		begin := 0
		switch style {
		case "link", "page", "link elsewhere", "fails", "not json":
			begin = (number("page", 1) - 1) * 10
		case "offset":
			begin = number("offset", 0)
		case "cursor", "nested cursor", "next address", "hal", "circle", "circle of links":
			begin = number("cursor", 0)
		case "next number":
			begin = (number("page", 1) - 1) * 10
		case "stripe":
			begin = number("starting_after", -1) + 1
		}
		var items []string
		for i := begin; i < min(begin+10, 35); i++ {
			items = append(items, fmt.Sprintf(`{"id":%d}`, i))
		}
		list := "[" + strings.Join(items, ",") + "]"
		more := begin+10 < 35
		w.Header().Set("Content-Type", "application/json")
		switch style {
		case "link":
			if more {
				w.Header().Set("Link", fmt.Sprintf(`<http://%s/pets?page=1>; rel="first", </pets?page=%d>; title="a, b"; rel="next"`, r.Host, begin/10+2))
			} else {
				w.Header().Set("Link", `</pets?page=1>; rel="first"`)
			}
		case "link elsewhere":
			w.Header().Set("Link", `<https://evil.example/pets?page=2>; rel=next`)
		case "fails":
			if begin == 20 {
				http.Error(w, `{"error":"broken"}`, http.StatusBadRequest)
				return
			}
		case "not json":
			if begin == 10 {
				fmt.Fprint(w, "{")
				return
			}
		case "cursor":
			list = fmt.Sprintf(`{"items":%s,"next_cursor":"%d"}`, list, begin+10)
			if !more {
				list = fmt.Sprintf(`{"items":[%s],"next_cursor":null}`, strings.Join(items, ","))
			}
		case "circle": // the third page leads to the second
			list = fmt.Sprintf(`{"items":%s,"next":"%d"}`, list, begin%20+10)
		case "circle of links":
			w.Header().Set("Link", fmt.Sprintf(`</pets?cursor=%d>; rel="next"`, begin%20+10))
		case "nested cursor":
			list = fmt.Sprintf(`{"data":{"pets":%s},"meta":{"pagination":{"nextCursor":"%d"}}}`, list, begin+10)
			if !more {
				list = fmt.Sprintf(`{"data":{"pets":[%s]},"meta":{"pagination":{"nextCursor":""}}}`, strings.Join(items, ","))
			}
		case "next address":
			list = fmt.Sprintf(`{"results":%s,"previous":null,"next":"/pets?cursor=%d"}`, list, begin+10)
			if !more {
				list = fmt.Sprintf(`{"results":[%s],"previous":"/pets?cursor=0","next":null}`, strings.Join(items, ","))
			}
		case "next number":
			list = fmt.Sprintf(`{"rows":%s,"next_page":%d}`, list, begin/10+2)
			if !more {
				list = fmt.Sprintf(`{"rows":[%s],"next_page":null}`, strings.Join(items, ","))
			}
		case "hal":
			next := ""
			if more {
				next = fmt.Sprintf(`,"next":{"href":"/pets?cursor=%d"}`, begin+10)
			}
			list = fmt.Sprintf(`{"_embedded":{"pets":%s},"_links":{"self":{"href":"/pets"}%s}}`, list, next)
		case "stripe":
			list = fmt.Sprintf(`{"object":"list","data":%s,"has_more":%t}`, list, more)
		}
		fmt.Fprint(w, list)
	}
}

// The ways in which APIs hand out pages, to their end and to a limit.
func TestPaginate(t *testing.T) {
	ids := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`{"id":%d}`, i))
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	for _, tc := range []struct {
		name, style, schema, arguments string
		want, note                     string
	}{
		{"link", "link", pick("page"), `{"_max_items":100}`, ids(35), "35 items from 4 pages."},
		{"page", "page", pick("page"), `{"_max_items":100}`, ids(35), "35 items from 5 pages."},
		{"page of a known size", "page", pick("page", "per_page"), `{"_max_items":100,"per_page":10}`, ids(35), "35 items from 4 pages."},
		{"offset", "offset", pick("offset"), `{"_max_items":100}`, ids(35), "35 items from 5 pages."},
		{"cursor", "cursor", pick("cursor"), `{"_max_items":100}`, `{"items":` + ids(35) + `,"next_cursor":null}`, "35 items from 4 pages."},
		{"cursor in an object", "nested cursor", pick("cursor"), `{"_max_items":100}`, `{"data":{"pets":` + ids(35) + `},"meta":{"pagination":{"nextCursor":""}}}`, "35 items from 4 pages."},
		{"address in the answer", "next address", pick("cursor"), `{"_max_items":100}`, `{"results":` + ids(35) + `,"previous":"/pets?cursor=0","next":null}`, "35 items from 4 pages."},
		{"links in the answer", "hal", pick("cursor"), `{"_max_items":100}`, `{"_embedded":{"pets":` + ids(35) + `},"_links":{"self":{"href":"/pets"}}}`, "35 items from 4 pages."},
		{"number of the next page", "next number", pick("page", "cursor"), `{"_max_items":100}`, `{"rows":` + ids(35) + `,"next_page":null}`, "35 items from 4 pages."},
		{"a cursor without an argument", "cursor", pick("offset"), `{"_max_items":100}`, `{"items":` + ids(10) + `,"next_cursor":"10"}`, "10 items from 1 page: the answer has a cursor for the next page, but the tool has no argument for one."},
		{"the last id", "stripe", pick("starting_after"), `{"_max_items":100}`, `{"object":"list","data":` + ids(35) + `,"has_more":false}`, "35 items from 4 pages."},
		{"a limit inside a page", "link", pick("page"), `{"_max_items":12}`, ids(10), "10 items from 1 page: there are more; _max_items was 12, and a page is never cut. To go on, call again with page=2 and otherwise the same arguments."},
		{"a limit at the end of a page", "link", pick("page"), `{"_max_items":20}`, ids(20), "20 items from 2 pages: there may be more; _max_items was 20. To go on, call again with page=3 and otherwise the same arguments."},
		{"a limit at the end of all", "link", pick("page"), `{"_max_items":35}`, ids(35), "35 items from 4 pages."},
		{"a limit inside the first page", "link", pick("page"), `{"_max_items":5}`, ids(10), "10 items from 1 page: there may be more; _max_items was 5, but a page is never cut. To go on, call again with page=2 and otherwise the same arguments."},
		{"a limit and a cursor", "cursor", pick("cursor"), `{"_max_items":25}`, `{"items":` + ids(20) + `,"next_cursor":"20"}`, `20 items from 2 pages: there are more; _max_items was 25, and a page is never cut. To go on, call again with cursor="20" and otherwise the same arguments.`},
		{"a limit and an offset", "offset", pick("offset"), `{"_max_items":25}`, ids(20), "To go on, call again with offset=20 and otherwise the same arguments."},
		{"a limit and the last id", "stripe", pick("starting_after"), `{"_max_items":15}`, `{"object":"list","data":` + ids(10) + `,"has_more":true}`, `To go on, call again with starting_after="9" and otherwise the same arguments.`},
		{"a limit and an address", "next address", pick("cursor"), `{"_max_items":15}`, `{"results":` + ids(10) + `,"previous":null,"next":"/pets?cursor=10"}`, `To go on, call again with cursor="10" and otherwise the same arguments.`},
		{"another host", "link elsewhere", pick("page"), `{"_max_items":100}`, ids(10), "10 items from 1 page: the next page is said to be on another host, where requests do not go."},
		{"nothing to go by", "same", pick("cursor"), `{"_max_items":100}`, ids(10), "10 items from 1 page: there may be more; the answer does not say how to go on."},
		{"the same page again", "same", pick("page"), `{"_max_items":100}`, ids(10), "10 items from 1 page: the next page was the same again."},
		{"pages that go round", "circle", pick("cursor"), `{"_max_items":1000}`, `{"items":` + ids(30) + `,"next":"10"}`, "30 items from 3 pages: the next page was one that had been read."},
		{"links that go round", "circle of links", pick("cursor"), `{"_max_items":1000}`, ids(30), "30 items from 3 pages: the next page was one that had been read."},
		{"a limit written with a fraction", "link", pick("page"), `{"_max_items":20.0}`, ids(20), "20 items from 2 pages"},
		{"a limit written with an exponent", "link", pick("page"), `{"_max_items":2e1}`, ids(20), "20 items from 2 pages"},
		{"an offset written with a fraction", "offset", pick("offset"), `{"_max_items":100,"offset":0.0}`, ids(35), "35 items from 5 pages."},
		{"a page that fails", "fails", pick("page"), `{"_max_items":100}`, ids(20), "20 items from 2 pages: page 3 could not be had, so that the rest is missing. GET /pets on 127.0.0.1 answered 400 Bad Request."},
		{"how to go on from there", "fails", pick("page"), `{"_max_items":100}`, ids(20), "To go on, call again with page=3 and otherwise the same arguments."},
		{"a page that is not JSON", "not json", pick("page"), `{"_max_items":100}`, ids(10), "10 items from 1 page: page 2 could not be had"},
		{"fields too", "cursor", pick("cursor"), `{"_max_items":2,"_fields":"items[].id"}`, `{"items":` + ids(10) + `}`, "10 items from 1 page"},
		{"not asked for", "link", pick("page"), `{}`, ids(10), "Link"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			session := inMemory(t, NewServer(Config{Paginate: true, Select: true, Log: quiet()}, api(upstream(t, paged(tc.style)), "GET /pets", tc.schema, listPets)))
			text, failed := ask(t, session, "listPets", tc.arguments)
			answer, note, _ := strings.Cut(text, "\nNote: ")
			if failed || answer != tc.want || !strings.Contains(note, tc.note) {
				t.Errorf("got %s\n%s\nwant %s\n%s", answer, note, tc.want, tc.note)
			}
		})
	}
}

// A cursor that stays the same may still move on.
func TestPaginateSameCursor(t *testing.T) {
	asked := 0
	base := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		w.Header().Set("Content-Type", "application/json")
		next := `"same"`
		if asked == 4 {
			next = "null"
		}
		fmt.Fprintf(w, `{"items":[{"id":%d}],"next":%s}`, asked, next)
	})
	session := inMemory(t, NewServer(Config{Paginate: true, Log: quiet()}, api(base, "GET /pets", pick("cursor"), listPets)))
	if text, failed := ask(t, session, "listPets", `{"_max_items":100}`); failed || !strings.Contains(text, "4 items from 4 pages.") {
		t.Error(text)
	}
}

// Whoever went on behind a list that is shortened would miss what was cut.
func TestPaginateShortened(t *testing.T) {
	for _, tc := range []struct{ name, schema, arguments, want string }{
		{"no way to go on", pick("cursor", "per_page"), `{"_max_items":20}`, "20 items from 2 pages: there may be more; _max_items was 20. The answer is 220 bytes and was shortened"},
		{"advice", pick("cursor"), `{"_max_items":20}`, "To see all, call again with _max_items=15, and go on from there."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			session := inMemory(t, NewServer(Config{Paginate: true, MaxResponse: 180, Log: quiet()}, api(upstream(t, paged("cursor")), "GET /pets", tc.schema, listPets)))
			text, _ := ask(t, session, "listPets", tc.arguments)
			if !strings.Contains(text, tc.want) || strings.Contains(text, "To go on") {
				t.Errorf("got %s, want %s", text, tc.want)
			}
		})
	}
}

// What fails before there is anything to show fails as without pages.
func TestPaginateFails(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer answer
		failed bool
		want   string
	}{
		{"refused", with(404, "application/json", `{}`), true, "answered 404 Not Found"},
		{"no list", with(200, "application/json", `{"id":1}`), false, "the answer has no list, so that _max_items did nothing"},
		{"text", with(200, "text/plain", "hello"), false, "hello"},
		{"nothing", with(204, "", ""), false, "204 No Content"},
	} {
		session := inMemory(t, NewServer(Config{Paginate: true, Log: quiet()}, api(upstream(t, tc.answer.ServeHTTP), "GET /pets", pick("page"), listPets)))
		if text, failed := ask(t, session, "listPets", `{"_max_items":5}`); failed != tc.failed || !strings.Contains(text, tc.want) {
			t.Errorf("%s: %t, %s", tc.name, failed, text)
		}
	}
}

// Whatever an API answers, looking for its pages and fields does not panic, and
// what comes out is JSON.
func FuzzPages(f *testing.F) {
	f.Add(`[{"id":1}]`, `<a>; rel=next`, "a,b[].c")
	f.Add(`{"data":{"items":[1]},"meta":{"next":{"href":"x"}},"next":null}`, `<`, "data..items[],[]")
	f.Add(`{"data":{"list":[{"id":1},{"id":null}],"number":0},"page":{"number":-1,"totalPages":"2"}}`, `12`, "data")
	f.Add(`{"items":[],"items":[2],"paging":{"cursors":{"after":5}}}`, `<a>;rel="x NEXT",<b>`, "items")
	f.Fuzz(func(t *testing.T, body, link, fields string) {
		if !json.Valid([]byte(body)) {
			return
		}
		data := json.RawMessage(strings.TrimSpace(body))
		path, list := listIn(data)
		nextOf(http.Header{"Link": {link}}, data, path)
		countsOf(http.Header{"X-Total-Count": {link}}, data, path)
		if list != nil {
			if merged := withList(data, path, json.RawMessage(`[1]`)); !json.Valid(merged) {
				t.Errorf("%s became %s", data, merged)
			}
			lastID(list)
			if length(list) > 0 && !sameItems(list, list) {
				t.Errorf("%s is not the same as itself", list)
			}
		}
		if sel := parseSelection(fields); sel != nil {
			if out := sel.apply(nil, data); !json.Valid(out) {
				t.Errorf("%s of %s is %s", fields, data, out)
			}
			sel.missing("")
		}
	})
}
