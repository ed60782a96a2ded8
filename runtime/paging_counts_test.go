package runtime

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// numberedPages is an API of 35 items in pages of ten that are chosen by a number,
// first for the first. frame is its answer, with ITEMS, the number of the page FROM0
// and FROM1, and LAST, which is true on the last one.
func numberedPages(first int, frame string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		page, err := strconv.Atoi(r.URL.Query().Get("page"))
		if err != nil {
			page = first
		}
		page = max(page-first, 0)
		var items []string
		for i := page * 10; i < min(page*10+10, 35); i++ {
			items = append(items, fmt.Sprintf(`{"id":%d}`, i))
		}
		w.Header().Set("Content-Type", "application/json")
		fill := strings.NewReplacer("ITEMS", "["+strings.Join(items, ",")+"]", "FROM0", strconv.Itoa(page), "FROM1", strconv.Itoa(page+1), "LAST", strconv.FormatBool(page == 3))
		fmt.Fprint(w, fill.Replace(frame))
	}
}

// Whether pages are counted from 0 or 1, none is left out, and what does not add up
// is told.
func TestPaginateNumbers(t *testing.T) {
	from := func(first string) string { return strings.Replace(pick("page"), `"page":{`, `"page":{`+first+`,`, 1) }
	for _, tc := range []struct {
		name          string
		first         int
		frame         string
		schema, given string
		items         int
		note          string
	}{
		{"from 0, as the answer says", 0, `{"content":ITEMS,"number":FROM0,"totalPages":4,"last":LAST}`, pick("page"), ``, 35, "35 items from 4 pages."},
		{"from 0, as an object in the answer says", 0, `{"_embedded":{"pets":ITEMS},"page":{"number":FROM0,"totalElements":35}}`, pick("page"), ``, 35, "35 items from 5 pages."},
		{"from 0, as nobody says", 0, `ITEMS`, pick("page"), ``, 35, "35 items from 5 pages."},
		{"from 1, as nobody says", 1, `ITEMS`, pick("page"), ``, 35, "35 items from 5 pages."},
		{"from 1, as the answer says", 1, `{"data":ITEMS,"meta":{"current_page":FROM1,"last_page":4}}`, pick("page"), ``, 35, "35 items from 5 pages."},
		{"from 1, but the answer counts from 0", 1, `{"content":ITEMS,"number":FROM0,"totalPages":4,"last":LAST}`, pick("page"), ``, 35, "35 items from 4 pages."},
		{"from 0, but the answer counts from 1", 0, `{"items":ITEMS,"page":FROM1,"pages":4}`, pick("page"), ``, 35, "35 items from 5 pages."},
		{"from 1, but the schema says 0", 1, `{"items":ITEMS,"time":FROM1}`, from(`"default":0`), ``, 35, "35 items from 5 pages."},
		{"from 0, but the schema says 1, and the answer more", 0, `{"items":ITEMS,"total_count":35}`, from(`"default":1`), ``, 25, "25 items from 4 pages: the answer says that there are 35, so that some are missing: read the pages one by one, without _max_items."},
		{"from 0, but the schema says 1, and the answer more pages", 0, `{"items":ITEMS,"total_pages":4}`, from(`"minimum":1`), ``, 25, "the answer says that there are 4 pages, so that some are missing"},
		{"a page that was asked for", 0, `{"content":ITEMS,"number":FROM0,"totalPages":4,"last":LAST}`, pick("page"), `,"page":2`, 15, "15 items from 2 pages."},
		{"a page that was asked for with a fraction", 1, `{"content":ITEMS,"number":FROM0,"totalPages":4,"last":LAST}`, pick("page"), `,"page":3.0`, 15, "15 items from 2 pages."},
		{"a page that was asked for with an exponent", 1, `ITEMS`, pick("page"), `,"page":3e0`, 15, "15 items from 3 pages."},
		{"the second one, which may be the first", 0, `{"items":ITEMS,"total":35}`, pick("page"), `,"page":1`, 25, "the answer says that there are 35, so that some are missing"},
		{"a size that the API does not give", 1, `ITEMS`, pick("page", "per_page"), `,"per_page":100`, 35, "35 items from 4 pages."},
		{"an end before the end", 1, `{"items":ITEMS,"total":35,"has_more":false}`, pick("page"), ``, 10, "10 items from 1 page: the answer says that there are 35, so that some are missing"},
		{"more than there are", 1, `{"items":ITEMS,"total":34}`, pick("page"), ``, 35, "35 items from 5 pages: the answer says that there are 34, so that some may be here twice."},
		{"a count of the page", 1, `{"items":ITEMS,"count":10,"total":10}`, pick("page"), ``, 35, "35 items from 5 pages."},
		{"a number of anything", 0, `{"items":ITEMS,"number":1}`, pick("page"), ``, 35, "35 items from 5 pages."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			session := inMemory(t, NewServer(Config{Paginate: true, Log: quiet()}, api(upstream(t, numberedPages(tc.first, tc.frame)), "GET /pets", tc.schema, listPets)))
			text, failed := ask(t, session, "listPets", `{"_max_items":100`+tc.given+`}`)
			_, note, _ := strings.Cut(text, "\nNote: ")
			if got := strings.Count(text, `"id":`); failed || got != tc.items || !strings.Contains(note, tc.note) {
				t.Errorf("%d items, %s\nwant %d, %s", got, note, tc.items, tc.note)
			}
		})
	}
}

// Items may be counted from 1, too, and headers tell how many there are.
func TestPaginateOffsets(t *testing.T) {
	base := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		begin, _ := strconv.Atoi(r.URL.Query().Get("offset"))
		begin = max(begin, 1)
		var items []string
		for i := begin; i < min(begin+10, 36); i++ {
			items = append(items, fmt.Sprintf(`{"id":%d}`, i))
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Total-Count", "36")
		fmt.Fprintf(w, `{"Resources":[%s],"startIndex":%d}`, strings.Join(items, ","), begin)
	})
	session := inMemory(t, NewServer(Config{Paginate: true, Log: quiet()}, api(base, "GET /pets", pick("offset"), listPets)))
	text, _ := ask(t, session, "listPets", `{"_max_items":100}`)
	if got := strings.Count(text, `"id":`); got != 35 || !strings.Contains(text, "35 items from 5 pages: the answer says that there are 36") {
		t.Errorf("%d items, %s", got, text)
	}
}

func TestCountsOf(t *testing.T) {
	for _, tc := range []struct {
		name, body string
		want       counts
	}{
		{"nothing", `{"items":[]}`, counts{-1, -1, -1, -1}},
		{"a list", `[1]`, counts{-1, -1, -1, -1}},
		{"the surest name", `{"items":[],"page":2,"currentPage":3,"count":1,"totalCount":"7"}`, counts{3, -1, 7, -1}},
		{"where the list is", `{"data":{"items":[],"skip":5,"page_count":2}}`, counts{-1, 5, -1, 2}},
		{"not numbers", `{"items":[],"page":{"a":1},"total":null,"pages":[1],"offset":-1}`, counts{-1, -1, -1, -1}},
		{"too large", `{"items":[],"page":1e3,"total":99999999999999999999}`, counts{-1, -1, -1, -1}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			data := json.RawMessage(tc.body)
			path, _ := listIn(data)
			if got := countsOf(nil, data, path); got != tc.want {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
		})
	}
}
