package runtime

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Answers say what they are a part of: which page, of how many, how many items there
// are in all. Nowhere is declared whether an API counts its pages from 0 or 1, so
// that this is what tells whether a page was missed.

// counts are what an answer says about itself; -1 where it says nothing.
type counts struct {
	page   int // its number
	offset int // number of its first item
	items  int // in all pages
	pages  int // in all
}

var (
	// numberNames are fields that hold the number of the page, the surest first.
	numberNames = strings.Fields("currentpage pagenumber pageno pagenum pageindex page number")
	// itemsNames are fields that hold the number of all items. The last two can
	// also be that of one page.
	itemsNames = strings.Fields("totalcount totalitems totalresults totalelements totalrecords totalentries totalhits totalrows totalsize total count")
	pagesNames = strings.Fields("totalpages pagecount numpages numberofpages lastpage pages")
)

// countsOf reads what an answer says about itself; path leads to its list.
func countsOf(header http.Header, data json.RawMessage, path []string) counts {
	c := counts{-1, -1, -1, -1}
	for _, object := range pageObjects(data, path) {
		found := counts{first(object, numberNames), first(object, offsetNames), first(object, itemsNames), first(object, pagesNames)}
		if found.page >= 0 && found.items < 0 && found.pages < 0 && !hasNumber(object, numberNames[:len(numberNames)-1]) {
			found.page = -1 // a number of anything
		}
		c.fill(found)
	}
	c.fill(counts{-1, -1, atLeast0(header.Get("X-Total-Count")), atLeast0(header.Get("X-Total-Pages"))})
	return c
}

// fill takes what is not known yet.
func (c *counts) fill(from counts) {
	for _, pair := range [][2]*int{{&c.page, &from.page}, {&c.offset, &from.offset}, {&c.items, &from.items}, {&c.pages, &from.pages}} {
		if *pair[0] < 0 {
			*pair[0] = *pair[1]
		}
	}
}

// first is the number in the first of some fields that an object has; -1 if it has
// none.
func first(object json.RawMessage, names []string) int {
	best, n := len(names), -1
	for key, value := range members(object) {
		if at := slices.Index(names, plainField(key)); at >= 0 && at < best && (kindOf(value) == '0' || kindOf(value) == '"') {
			if number := atLeast0(textOf(value)); number >= 0 {
				best, n = at, number
			}
		}
	}
	return n
}

func hasNumber(object json.RawMessage, names []string) bool { return first(object, names) >= 0 }

// atLeast0 is the number that a text is; -1 if it is none.
func atLeast0(text string) int {
	if n, err := strconv.Atoi(text); err == nil && n >= 0 {
		return n
	}
	return -1
}

// pageObjects are the objects of an answer that say something about its pages: those
// on the way to the list, and what they have for that.
func pageObjects(data json.RawMessage, path []string) []json.RawMessage {
	var list []json.RawMessage
	for _, name := range append([]string{""}, path...) {
		if name != "" {
			data = memberOf(data, name)
		}
		if kindOf(data) != '{' {
			break
		}
		list = append(list, data)
		for key, value := range members(data) {
			if !slices.Contains(pageHolders, plainField(key)) || kindOf(value) != '{' {
				continue
			}
			list = append(list, value)
			for below, inner := range members(value) { // paging.cursors.after
				if slices.Contains(pageHolders, plainField(below)) && kindOf(inner) == '{' {
					list = append(list, inner)
				}
			}
		}
	}
	return list
}

func memberOf(object json.RawMessage, name string) (value json.RawMessage) {
	for key, v := range members(object) {
		if key == name {
			value = v
		}
	}
	return value
}

// begin is the number of the first page, or of its first item: the one that was
// asked for, or that the answer says, or that is usual.
func (p *pager) begin(name string, said int) int {
	arg := p.call.Arg(name)
	if !arg.Given() && (said == 0 || said == 1) {
		return said
	}
	return arg.number(p.call.standard(name, 0))
}

// firstPage is the number of the first page, by an answer that was asked for without
// one or by the tool's schema; -1 if neither says.
func (c *Call) firstPage(p paging, data json.RawMessage) int {
	if !c.Arg(p.page).Given() {
		path, _ := listIn(data)
		if said := countsOf(nil, data, path).page; said == 0 || said == 1 {
			return said
		}
	}
	return c.standard(p.page, -1)
}

// missed tells how many pages lie between the first page and the one that was taken
// for the second: -1 if that is the first again. Then the API counts from another
// number than was thought.
func (p *pager) missed(said counts, list json.RawMessage) int {
	switch {
	case p.pages != 1 || p.step == nil || !p.step.counted:
		return 0
	case sameItems(p.list, list):
		return -1
	case said.page >= 0 && p.said.page >= 0 && said.page-p.said.page == 2:
		return 1
	}
	return 0
}

// sameItems reports whether two lists have the same items, by their ids if they
// have some: other fields may change meanwhile.
func sameItems(a, b json.RawMessage) bool {
	if length(a) == 0 || length(a) != length(b) {
		return false
	}
	idsA, idsB := idsOf(a), idsOf(b)
	if len(idsA) == length(a) {
		return slices.Equal(idsA, idsB)
	}
	return string(a) == string(b)
}

// idsOf are the ids of the items that have one.
func idsOf(list json.RawMessage) []string {
	var ids []string
	for item := range items(list) {
		if id := memberOf(orObject(item), "id"); id != nil {
			ids = append(ids, textOf(id))
		}
	}
	return ids
}

// doubt says that all that was read is not what the answer says that there is;
// empty if it is. That needs all to be read from the beginning.
func (p *pager) doubt() string {
	switch {
	case !p.whole:
	case p.said.items > p.largest: // not the number of items of the page
		if p.said.items > p.count {
			return fmt.Sprintf("the answer says that there are %d, so that some are missing: read the pages one by one, without %s", p.said.items, maxItemsArgument)
		}
		if p.said.items < p.count {
			return fmt.Sprintf("the answer says that there are %d, so that some may be here twice", p.said.items)
		}
	case p.said.pages > p.filled:
		return fmt.Sprintf("the answer says that there are %s, so that some are missing: read them one by one, without %s", counted(p.said.pages, "page"), maxItemsArgument)
	}
	return ""
}
