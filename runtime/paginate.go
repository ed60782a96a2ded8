package runtime

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// maxPages bounds the requests of one call.
const maxPages = 100

// pager reads page after page for one call.
type pager struct {
	call   *Call
	paging paging
	limit  int // of items

	items []byte // of the merged list, without brackets
	count int
	pages int
	bytes int64           // read so far
	last  json.RawMessage // the latest page
	start int             // number of the first page, or of its first item
	told  bool            // a page said where the next one is, so that the last one need not
}

// maxItems is how many items the model asked to have from several pages; 0: it
// did not.
func (c *Call) maxItems() int { return c.addedArg(maxItemsArgument).number(0) }

// paginate answers a call with the items of several pages in one list. Before the
// first page has come in, all is as without it.
func (x *exchange) paginate(ctx context.Context, limit int) *Result {
	c := x.call
	p := &pager{call: c, paging: c.paging(), limit: limit}
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
		if list == nil {
			if p.pages == 0 {
				c.note("the answer has no list, so that " + maxItemsArgument + " did nothing.")
				x.noteHeaders(resp)
				return x.json(data)
			}
			return p.done(path, fmt.Sprintf("page %d has no list", p.pages+1))
		}
		if why := p.add(data, list); why != "" {
			return p.done(path, why)
		}
		c.progress(ctx, float64(p.count), float64(limit), "")
		following, why := p.next(ctx, x, nextOf(resp.Header, data), list)
		if following == nil {
			return p.done(path, why)
		}
		x = following
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

// add takes the items of a page. It returns why that was the last one, if it was.
func (p *pager) add(data, list json.RawMessage) string {
	if p.pages > 0 && bytes.Equal(data, p.last) {
		return "the next page was the same again"
	}
	p.pages++
	p.last, p.bytes = data, p.bytes+int64(len(data))
	for item := range items(list) {
		if p.count == p.limit {
			return fmt.Sprintf("there are more; %s was %d", maxItemsArgument, p.limit)
		}
		if p.count > 0 {
			p.items = append(p.items, ',')
		}
		p.items = append(p.items, item...)
		p.count++
	}
	switch {
	case p.count == p.limit:
		return fmt.Sprintf("there may be more; %s was %d", maxItemsArgument, p.limit)
	case p.pages == maxPages:
		return fmt.Sprintf("there may be more; one call reads %d pages at most", maxPages)
	case p.bytes > p.call.server.config.MaxBody:
		return fmt.Sprintf("there may be more; one call reads %s at most", byteCount(p.call.server.config.MaxBody))
	}
	return ""
}

// next returns the request for the next page, or why there is none; the reason is
// empty where all has been read.
func (p *pager) next(ctx context.Context, x *exchange, n next, list json.RawMessage) (*exchange, string) {
	empty := len(bytes.TrimSpace(list[1:len(list)-1])) == 0
	ended := n.ended || p.told
	p.told = p.told || n.link != "" || n.cursor != ""
	switch {
	case n.link != "":
		to, ok := samePlace(x.url, n.link)
		if !ok {
			return nil, "the next page is said to be on another host, where requests do not go"
		}
		following := *x
		following.url, following.attempts = to, 0
		if query := x.access.query; query != "" && !strings.Contains(to.RawQuery, query) {
			to.RawQuery = joinQuery(to.RawQuery, query)
		}
		return &following, ""
	case n.cursor != "":
		switch {
		case p.paging.page != "" && (n.number || p.paging.cursor == "" && isIndex(n.cursor)):
			return p.with(ctx, p.paging.page, n.cursor)
		case p.paging.cursor == "":
			return nil, "the answer has a cursor for the next page, but the tool has no argument for one"
		}
		return p.with(ctx, p.paging.cursor, string(quote(n.cursor)))
	case ended || empty || p.short(list):
		return nil, ""
	case p.paging.offset != "":
		if p.pages == 1 {
			p.start = p.call.Arg(p.paging.offset).number(p.call.standard(p.paging.offset, 0))
		}
		return p.with(ctx, p.paging.offset, strconv.Itoa(p.start+p.count))
	case p.paging.page != "":
		if p.pages == 1 {
			p.start = p.call.Arg(p.paging.page).number(p.call.standard(p.paging.page, 1))
		}
		return p.with(ctx, p.paging.page, strconv.Itoa(p.start+p.pages))
	case p.paging.cursor != "" && plainField(p.paging.cursor) == "startingafter":
		if id := lastID(list); id != nil {
			return p.with(ctx, p.paging.cursor, string(quote(textOf(id))))
		}
	}
	return nil, "there may be more; the answer does not say how to go on"
}

// short reports whether a page has fewer items than were asked for.
func (p *pager) short(list json.RawMessage) bool {
	size := 0
	if p.paging.size != "" {
		size = p.call.Arg(p.paging.size).number(0)
	}
	n := 0
	for range items(list) {
		n++
	}
	return n < size
}

// lastID is the id of the last item.
func lastID(list json.RawMessage) (id json.RawMessage) {
	for item := range items(list) {
		for key, value := range members(orObject(item)) {
			if key == "id" {
				id = value
			}
		}
	}
	return id
}

// with runs the handler again with another argument, to learn the request that it
// would send.
func (p *pager) with(ctx context.Context, name, value string) (*exchange, string) {
	c := p.call
	c.args[name] = json.RawMessage(value)
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
func (p *pager) done(path []string, why string) *Result {
	text := fmt.Sprintf("%d items from %d pages", p.count, p.pages)
	if p.pages == 1 {
		text = fmt.Sprintf("%d items from 1 page", p.count)
	}
	if why != "" {
		text += ": " + why
	}
	p.call.note(text + ".")
	x := &exchange{call: p.call, method: "GET"}
	return x.json(withList(p.last, path, slices.Concat([]byte("["), p.items, []byte("]"))))
}

// stopped is the result when a page could not be had: the failure itself if it was
// the first one, else what came before it.
func (p *pager) stopped(failure *Result) *Result {
	if p.pages == 0 {
		return failure
	}
	path, _ := listIn(p.last)
	return p.done(path, fmt.Sprintf("page %d could not be had, so that the rest is missing. %s", p.pages+1, strings.TrimSuffix(textContent(failure), ".")))
}
