package runtime

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// maxPages bounds the requests of one call.
const maxPages = 100

// pager reads page after page for one call.
//
// Pages are never cut: whoever goes on where the answer says must not miss what
// was cut off. So there are as many whole pages as the limit allows, but one at least.
type pager struct {
	call   *Call
	paging paging
	limit  int // of items

	items []byte // of the merged list, without brackets
	count int
	pages int
	bytes int64           // read so far
	last  json.RawMessage // the latest page
	list  json.RawMessage // its items
	told  bool            // a page said where the next one is, so that the last one need not
	step  *step           // to the page behind the latest; nil: there is none
	made  []uint64        // steps that were made, each with the page that it led to
	hash  maphash.Hash    // of one of these

	said    counts // what the first page says about itself
	start   int    // number of the first page, or of its first item
	moved   bool   // start was found to be another
	whole   bool   // the first page is the first of all
	largest int    // number of items of a page
	filled  int    // pages that have items
}

// step is how a page is asked for.
type step struct {
	link  string          // its address
	name  string          // else the argument that chooses it
	value json.RawMessage // of that argument

	counted bool // the value is a page's number, which was counted here
}

// maxItems is how many items the model asked to have from several pages; 0: it
// did not.
func (c *Call) maxItems() int { return c.addedArg(maxItemsArgument).number(0) }

// paginate answers a call with the items of several pages in one list. Before the
// first page has come in, all is as without it.
func (x *exchange) paginate(ctx context.Context, limit int) *Result {
	c := x.call
	p := &pager{call: c, paging: c.paging(), limit: limit}
	p.whole = !c.Arg(p.paging.cursor).Given() && c.Arg(p.paging.page).number(0) <= 1 && c.Arg(p.paging.offset).number(0) <= 1
	for {
		resp, err := x.send(ctx)
		if err != nil {
			return p.stopped(x.noAnswer(ctx, err))
		}
		data, failed := x.page(ctx, resp)
		resp.Body.Close()
		if failed != nil {
			return p.stopped(failed)
		}
		path, list := listIn(data)
		if list == nil && p.pages == 0 {
			c.note("the answer has no list, so that " + maxItemsArgument + " did nothing.")
			x.noteHeaders(resp)
			return x.json(data)
		}
		said, why := countsOf(resp.Header, data, path), ""
		if by := p.missed(said, list); by != 0 && !p.moved {
			p.start, p.moved = p.start-by, true
			p.step = p.counted()
		} else if why = p.read(data, list, said, nextOf(resp.Header, data, path)); why != "" || p.step == nil {
			return p.done(why)
		}
		c.progress(ctx, float64(p.count), float64(limit), "")
		if x, why = p.take(ctx, x); x == nil {
			return p.done(why)
		}
	}
}

// page reads one answer that should be JSON; failed is the result if it is not, as
// it is without pages.
func (x *exchange) page(ctx context.Context, resp *http.Response) (data json.RawMessage, failed *Result) {
	contentType := resp.Header.Get("Content-Type")
	if resp.StatusCode < 200 || resp.StatusCode > 299 || isStream(contentType) {
		return nil, x.result(ctx, resp)
	}
	body, err := decompress(resp)
	if err != nil {
		return nil, x.brokenAnswer(ctx, resp, err)
	}
	if data, err = x.read(resp, body); err != nil {
		return nil, x.brokenAnswer(ctx, resp, err)
	}
	if len(data) > 0 && mediaKind(contentType, data) == jsonMedia {
		if text := bytes.TrimSpace(toUTF8(contentType, data)); json.Valid(text) {
			return text, nil
		}
	}
	x.noteHeaders(resp)
	if len(data) == 0 {
		return nil, Text(emptyText(resp, x.method))
	}
	return nil, x.content(resp, contentType, data)
}

// read takes a page and finds the step to the next one. It returns why nothing
// more is read; nothing where there is no more.
func (p *pager) read(data, list json.RawMessage, said counts, n next) string {
	if why := p.add(data, list); why != "" {
		return why
	}
	if p.pages == 1 {
		p.said = said
	}
	if why := p.plan(n); p.step == nil {
		return cmp.Or(why, p.doubt())
	}
	return p.full()
}

// add takes the items of a page. It returns why it did not, if so.
func (p *pager) add(data, list json.RawMessage) string {
	if list == nil {
		p.step = nil
		return fmt.Sprintf("page %d has no list", p.pages+1)
	}
	if p.pages > 0 && (bytes.Equal(data, p.last) || p.step.counted && sameItems(p.list, list)) {
		p.step = nil
		return "the next page was the same again"
	}
	if p.pages > 0 && p.loops(data) {
		p.step = nil
		return "the next page was one that had been read"
	}
	n := length(list)
	if p.pages > 0 && p.count+n > p.limit {
		return fmt.Sprintf("there are more; %s was %d, and a page is never cut", maxItemsArgument, p.limit)
	}
	if p.count > 0 && n > 0 {
		p.items = append(p.items, ',')
	}
	p.items = append(p.items, bytes.TrimSpace(list[1:len(list)-1])...)
	p.pages, p.count = p.pages+1, p.count+n
	p.last, p.list, p.bytes = data, list, p.bytes+int64(len(data))
	p.largest = max(p.largest, n)
	if n > 0 {
		p.filled++
	}
	return ""
}

// loops reports whether the latest step was made before and led to the same page. A
// step alone tells nothing: a cursor may stay the same while it moves on.
func (p *pager) loops(page json.RawMessage) bool {
	p.hash.Reset()
	for _, part := range []string{p.step.link, p.step.name, string(p.step.value)} {
		p.hash.WriteString(part)
		p.hash.WriteByte(0)
	}
	p.hash.Write(page)
	sum := p.hash.Sum64()
	if slices.Contains(p.made, sum) {
		return true
	}
	p.made = append(p.made, sum)
	return false
}

// full returns why no further page is read, if so.
func (p *pager) full() string {
	switch {
	case p.count > p.limit:
		return fmt.Sprintf("there may be more; %s was %d, but a page is never cut", maxItemsArgument, p.limit)
	case p.count == p.limit:
		return fmt.Sprintf("there may be more; %s was %d", maxItemsArgument, p.limit)
	case p.pages == maxPages:
		return fmt.Sprintf("there may be more; one call reads %d pages at most", maxPages)
	case p.bytes > p.call.server.config.MaxBody:
		return fmt.Sprintf("there may be more; one call reads %s at most", byteCount(p.call.server.config.MaxBody))
	}
	return ""
}

// plan finds the step to the page behind the latest. If there is none, it returns
// why; nothing where all has been read.
func (p *pager) plan(n next) string {
	ended := n.ended || p.told
	p.told = p.told || n.link != "" || n.cursor != ""
	p.step = nil
	switch {
	case n.link != "":
		p.step = &step{link: n.link}
	case n.cursor != "":
		switch {
		case p.paging.page != "" && (n.number || p.paging.cursor == "" && isIndex(n.cursor)):
			p.step = &step{name: p.paging.page, value: json.RawMessage(n.cursor)}
		case p.paging.cursor == "":
			return "the answer has a cursor for the next page, but the tool has no argument for one"
		default:
			p.step = &step{name: p.paging.cursor, value: quote(n.cursor)}
		}
	case ended || length(p.list) == 0 || p.short():
	case p.paging.offset != "":
		if p.pages == 1 {
			p.start = p.begin(p.paging.offset, p.said.offset)
		}
		p.step = &step{name: p.paging.offset, value: json.RawMessage(strconv.Itoa(p.start + p.count))}
	case p.paging.page != "":
		if p.pages == 1 {
			p.start = p.begin(p.paging.page, p.said.page)
		}
		p.step = p.counted()
	default:
		if id := lastID(p.list); id != nil && plainField(p.paging.cursor) == "startingafter" {
			p.step = &step{name: p.paging.cursor, value: quote(textOf(id))}
			return ""
		}
		return "there may be more; the answer does not say how to go on"
	}
	return ""
}

// counted is the step to the page of the next number.
func (p *pager) counted() *step {
	return &step{name: p.paging.page, value: json.RawMessage(strconv.Itoa(p.start + p.pages)), counted: true}
}

// take makes the request of the step, or returns why that cannot be.
func (p *pager) take(ctx context.Context, x *exchange) (following *exchange, why string) {
	if p.step.link == "" {
		following, why = p.with(ctx, p.step.name, p.step.value)
	} else if to, ok := samePlace(x.url, p.step.link); ok {
		if query := x.access.query; query != "" && !strings.Contains(to.RawQuery, query) {
			to.RawQuery = joinQuery(to.RawQuery, query)
		}
		same := *x
		following, same.url, same.attempts = &same, to, 0
	} else {
		why = "the next page is said to be on another host, where requests do not go"
	}
	if following == nil {
		p.step = nil
	}
	return following, why
}

// short reports whether a page has fewer items than were asked for. If it is the
// first one, the API may only not give so many at once.
func (p *pager) short() bool {
	n := length(p.list)
	return p.paging.size != "" && n < p.call.Arg(p.paging.size).number(0) && n < p.largest
}

// length is the number of items of a list.
func length(list json.RawMessage) (n int) {
	for range items(list) {
		n++
	}
	return n
}

// lastID is the id of the last item.
func lastID(list json.RawMessage) (id json.RawMessage) {
	for item := range items(list) {
		id = memberOf(orObject(item), "id")
	}
	return id
}

// with runs the handler again with another argument, to learn the request that it
// would send.
func (p *pager) with(ctx context.Context, name string, value json.RawMessage) (*exchange, string) {
	c := p.call
	c.args[name] = value
	var request *Request
	c.capture = func(r *Request) { request = r }
	_, err := c.tool.Handle(ctx, c)
	c.capture = nil
	if err != nil || request == nil {
		return nil, "the request for the next page could not be made"
	}
	x, err := c.prepare(ctx, request)
	if err != nil {
		return nil, fmt.Sprintf("the request for the next page could not be made: %v", err)
	}
	return x, ""
}

// done is the merged answer: the last page with the items of all. why says what
// the model has to know about its end.
func (p *pager) done(why string) *Result {
	c := p.call
	text := counted(p.count, "item") + " from " + counted(p.pages, "page")
	if why != "" {
		text += ": " + why
	}
	before := len(c.notes)
	path, _ := listIn(p.last)
	x := &exchange{call: c, method: "GET"}
	result := x.json(withList(p.last, path, slices.Concat([]byte("["), p.items, []byte("]"))))
	text += "."
	if !x.cut { // else what was cut would be missed
		text += p.goOn()
	}
	c.notes = slices.Insert(c.notes, before, text)
	return result
}

// maxToldValue bounds the value of an argument that a note tells, in bytes. Longer
// ones are in the answer only.
const maxToldValue = 1000

// goOn tells the model how to have what comes behind the latest page.
func (p *pager) goOn() string {
	if p.step == nil {
		return ""
	}
	name, value := p.step.name, p.step.value
	if p.step.link != "" {
		name, value = p.paging.chosenBy(p.step.link)
	}
	if name == "" || len(value) > maxToldValue {
		return ""
	}
	return fmt.Sprintf(" To go on, call again with %s=%s and otherwise the same arguments.", name, value)
}

// stopped is the result when a page could not be had: the failure itself if it was
// the first one, else what came before it.
func (p *pager) stopped(failure *Result) *Result {
	if p.pages == 0 {
		return failure
	}
	return p.done(fmt.Sprintf("page %d could not be had, so that the rest is missing. %s", p.pages+1, strings.TrimSuffix(textContent(failure), ".")))
}
