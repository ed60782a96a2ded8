package runtime

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// How APIs hand out lists in pages is nowhere declared, but there are few ways and
// they go by a few names: a Link header (RFC 8288), a field of the answer that
// holds the address of the next page or the cursor for it, a number of the page, or
// of the first item.

// paging names the arguments of a tool that choose a page; each may be empty.
type paging struct{ page, offset, cursor, size string }

var (
	pageNames   = strings.Fields("page pagenumber pageno pagenum pageindex")
	offsetNames = strings.Fields("offset skip startat startindex")
	cursorNames = strings.Fields("cursor pagetoken nexttoken nextpagetoken after startingafter continue continuationtoken marker nextcursor pagecursor startcursor")
	sizeNames   = strings.Fields("perpage pagesize limit maxresults maxitems resultsperpage size first top take")
	// nextNames are fields that hold a cursor or an address.
	nextNames = strings.Fields("nextcursor nextpagetoken nexttoken nextpage nextlink odatanextlink nextpageurl nexturl next continue continuationtoken nextmarker endcursor cursor after")
	// pageHolders are objects that such fields stand in.
	pageHolders = strings.Fields("meta metadata pagination paging pageinfo responsemetadata cursors links page")
	lastNames   = strings.Fields("last islast islastpage lastpage")
	moreNames   = strings.Fields("hasmore hasnextpage hasnext more istruncated")
	// listNames are fields that hold the list.
	listNames = strings.Fields("items data results result values value records entries list elements objects rows content resources hits")
)

// pagingOf finds the arguments among names.
func pagingOf(names []string) paging {
	plain := make([]string, len(names))
	for i, name := range names {
		plain[i] = plainField(name)
	}
	find := func(known []string) string {
		for _, want := range known {
			if i := slices.Index(plain, want); i >= 0 {
				return names[i]
			}
		}
		return ""
	}
	return paging{page: find(pageNames), offset: find(offsetNames), cursor: find(cursorNames), size: find(sizeNames)}
}

// paging finds the arguments of the tool that is called, without those that this
// server added.
func (c *Call) paging() paging {
	sc := c.tool.check()
	return pagingOf(slices.DeleteFunc(sortedKeys(propertiesOf(sc.doc)), func(name string) bool { return slices.Contains(sc.added, name) }))
}

// any reports whether some argument chooses a page.
func (p paging) any() bool { return p.page != "" || p.offset != "" || p.cursor != "" }

// chosenBy is the argument that chooses the page that an address leads to, and its
// value there; empty if the address has none.
func (p paging) chosenBy(link string) (name string, value json.RawMessage) {
	to, err := url.Parse(link)
	if err != nil {
		return "", nil
	}
	query := to.Query()
	for _, name := range []string{p.cursor, p.page, p.offset} {
		for _, key := range slices.Sorted(maps.Keys(query)) {
			if name == "" || plainField(key) != plainField(name) {
				continue
			}
			text := query.Get(key)
			if name != p.cursor && isIndex(text) {
				return name, json.RawMessage(text)
			}
			return name, quote(text)
		}
	}
	return "", nil
}

// fieldMarks are what the spellings of a field differ in.
var fieldMarks = strings.NewReplacer("@", "", "_", "", "$", "", "[", "", "]", "", "-", "", ".", "", " ", "")

// plainField is a name without what spellings differ in: @odata.nextLink, next_link.
func plainField(name string) string { return strings.ToLower(fieldMarks.Replace(name)) }

// maxHolders bounds how deep the list of an answer may lie: each level reads all
// that is below once more.
const maxHolders = 4

// listIn finds the list of an answer: its path and its items.
func listIn(data json.RawMessage) (path []string, list json.RawMessage) {
	return listWithin(data, maxHolders)
}

func listWithin(data json.RawMessage, depth int) (path []string, list json.RawMessage) {
	if kindOf(data) == '[' {
		return nil, data
	}
	if kindOf(data) != '{' {
		return nil, nil
	}
	var named, only string
	count := 0
	lists := map[string]json.RawMessage{}
	holders := map[string]json.RawMessage{}
	for key, value := range members(data) {
		switch kindOf(value) {
		case '[':
			count++
			only, lists[key] = key, value
			if named == "" && slices.Contains(listNames, plainField(key)) {
				named = key
			}
		case '{':
			holders[key] = value
		}
	}
	if named == "" && count == 1 {
		named = only
	}
	if named != "" {
		return []string{named}, lists[named]
	}
	if depth == 0 {
		return nil, nil
	}
	for _, key := range sortedHolders(holders) { // {"data":{"items":[…]}}
		if path, list := listWithin(holders[key], depth-1); list != nil {
			return append([]string{key}, path...), list
		}
	}
	return nil, nil
}

func sortedHolders(holders map[string]json.RawMessage) []string {
	var keys []string
	for key := range holders {
		if name := plainField(key); slices.Contains(listNames, name) || name == "embedded" || name == "response" {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// withList returns an answer with another list in the place of its own.
func withList(data json.RawMessage, path []string, list json.RawMessage) json.RawMessage {
	if len(path) == 0 {
		return list
	}
	return replaceMember(data, path[0], func(value json.RawMessage) json.RawMessage {
		return withList(value, path[1:], list)
	})
}

// next is where an answer says that the next page is.
type next struct {
	link   string // an address
	cursor string
	number bool // the cursor is one: maybe that of a page
	ended  bool // it says that there is none
}

// nextOf reads what an answer says about its next page; path leads to its list.
func nextOf(header http.Header, data json.RawMessage, path []string) next {
	if links := header.Values("Link"); len(links) > 0 {
		if link, ok := linkTo("next", links); ok {
			return next{link: link}
		}
		for _, rel := range []string{"prev", "first", "last"} {
			if _, ok := linkTo(rel, links); ok {
				return next{ended: true}
			}
		}
	}
	var n next
	for _, object := range pageObjects(data, path) {
		if n.read(object); n.link != "" || n.cursor != "" {
			break
		}
	}
	return n
}

// read looks for fields that tell the next page.
func (n *next) read(object json.RawMessage) {
	best := len(nextNames)
	for key, value := range members(object) {
		name := plainField(key)
		if slices.Contains(moreNames, name) && string(value) == "false" || slices.Contains(lastNames, name) && string(value) == "true" {
			n.ended = true
		}
		if at := slices.Index(nextNames, name); at >= 0 && at < best && n.take(value) {
			best = at
		}
	}
}

func orObject(value json.RawMessage) json.RawMessage {
	if kindOf(value) != '{' {
		return json.RawMessage("{}")
	}
	return value
}

// take reads one field that tells the next page, and reports whether it did.
func (n *next) take(value json.RawMessage) bool {
	switch kindOf(value) {
	case 'n':
		n.ended = true
		return false
	case '{':
		for key, inner := range members(value) { // {"next":{"href":"…"}}
			if (key == "href" || key == "url") && kindOf(inner) == '"' {
				return n.take(inner)
			}
		}
		return false
	case '"', '0':
		text := textOf(value)
		if text == "" {
			n.ended = true
			return false
		}
		n.link, n.cursor, n.ended = "", "", false
		if strings.Contains(text, "://") || strings.HasPrefix(text, "/") || strings.HasPrefix(text, "?") {
			n.link = text
		} else {
			n.cursor, n.number = text, kindOf(value) == '0'
		}
		return true
	}
	return false
}

// linkTo returns the target of a relation in Link headers (RFC 8288, 3).
func linkTo(rel string, headers []string) (string, bool) {
	for _, header := range headers {
		for header != "" {
			start := strings.IndexByte(header, '<')
			if start < 0 {
				break
			}
			end := strings.IndexByte(header[start:], '>')
			if end < 0 {
				break
			}
			target := header[start+1 : start+end]
			header = header[start+end+1:]
			params := header
			if more := strings.IndexByte(header, '<'); more >= 0 {
				params = header[:more]
			}
			for param := range strings.SplitSeq(params, ";") {
				name, value, _ := strings.Cut(strings.Trim(strings.TrimSpace(param), ","), "=")
				value = strings.Trim(strings.TrimSpace(value), `",`)
				if strings.EqualFold(strings.TrimSpace(name), "rel") && slices.Contains(strings.Fields(strings.ToLower(value)), rel) {
					return target, true
				}
			}
		}
	}
	return "", false
}

// samePlace returns the address of the next page, if it is on the same host:
// credentials go nowhere else.
func samePlace(from *url.URL, link string) (*url.URL, bool) {
	to, err := from.Parse(link)
	if err != nil || to.User != nil || to.Scheme != from.Scheme || !strings.EqualFold(to.Host, from.Host) {
		return nil, false
	}
	to.Fragment, to.RawFragment = "", ""
	return to, true
}

// standard is the default that a tool's schema gives an integer argument, or that it
// must be 1 at least.
func (c *Call) standard(name string, otherwise int) int {
	sc := c.tool.check()
	property := sc.resolve(sc.property(sc.doc, name))
	if n, ok := property["default"].(json.Number); ok {
		return Arg{Value: json.RawMessage(n)}.number(otherwise)
	}
	if n, ok := property["minimum"].(json.Number); ok && n == "1" {
		return 1
	}
	return otherwise
}

// number is an argument as an integer, which may be written 5.0 or 5e0.
func (a Arg) number(otherwise int) int {
	if a.Value == nil {
		return otherwise
	}
	text := textOf(a.Value)
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil && float64(int(n)) == n {
		return int(n)
	}
	return otherwise
}
