package runtime

import (
	"context"
	"crypto/rand"
	"strconv"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// keptScheme begins the URI of a whole answer.
const keptScheme = "response://"

const (
	maxKept      = 20
	maxKeptBytes = 64 << 20
)

// kept are the latest answers that a model was shown only a part of, whole, for
// clients to read as resources. Over HTTP, where there are several clients, their
// addresses cannot be guessed, and with tokens only the caller whose they are can
// read them.
type kept struct {
	mu    sync.Mutex
	list  []keptAnswer // oldest first
	size  int
	count int // of all, ever
}

// keptAnswer is one of them, secrets redacted.
type keptAnswer struct {
	uri, media, text string
	owner            string // the caller's name; empty: nobody in particular
}

// keep stores an answer and returns its address, which ends in a number or
// something secret; empty if the answer is too large.
func (k *kept) keep(a keptAnswer, secret bool) string {
	if len(a.text) > maxKeptBytes {
		return ""
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.count++
	if secret {
		a.uri += rand.Text()
	} else {
		a.uri += strconv.Itoa(k.count)
	}
	k.list = append(k.list, a)
	k.size += len(a.text)
	for len(k.list) > maxKept || k.size > maxKeptBytes {
		k.size -= len(k.list[0].text)
		k.list[0] = keptAnswer{}
		k.list = k.list[1:]
	}
	return a.uri
}

func (k *kept) find(uri, owner string) (keptAnswer, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, a := range k.list {
		if a.uri == uri && a.owner == owner {
			return a, true
		}
	}
	return keptAnswer{}, false
}

// cuts reports whether answers may be cut, so that the whole is worth keeping.
func (s *Server) cuts() bool { return s.def.callsAPI() && s.config.MaxResponse >= 0 }

// addKept offers the answers as resources.
func (s *Server) addKept(server *mcp.Server) {
	server.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: keptScheme + "{tool}/{id}",
		Name:        "response",
		Title:       "Whole answer of a call",
		Description: "An answer of which a result shows only a part and links here. The latest ones are kept.",
	}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		a, ok := s.kept.find(req.Params.URI, callerOf(req.Extra))
		if !ok {
			return nil, mcp.ResourceNotFoundError(req.Params.URI)
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: a.uri, MIMEType: a.media, Text: a.text}}}, nil
	})
}

// callerOf is the name that a caller's token has.
func callerOf(extra *mcp.RequestExtra) string {
	if extra == nil || extra.TokenInfo == nil {
		return ""
	}
	return extra.TokenInfo.UserID
}

// firstLinks is the first protocol version whose results may link to resources.
const firstLinks = "2025-06-18"

// whole keeps the whole of an answer that is cut, adds a link to it where the client
// knows those, and returns what to say about it. The text has no secrets in it.
func (c *Call) whole(r *Result, media, text string) string {
	owner := ""
	if c.origin.tool != nil {
		owner = callerOf(c.origin.tool.Extra)
	}
	a := keptAnswer{uri: keptScheme + c.tool.Name + "/", media: media, text: text, owner: owner}
	uri := c.server.kept.keep(a, c.header != nil)
	if uri == "" {
		return ""
	}
	if c.knowsLinks() {
		size := int64(len(text))
		r.Content = append(r.Content, &mcp.ResourceLink{URI: uri, Name: c.tool.Name, Title: "Whole answer", MIMEType: media, Size: &size})
	}
	return " The whole answer is the resource " + uri + "."
}

func (c *Call) knowsLinks() bool {
	if c.origin.session == nil {
		return true
	}
	params := c.origin.session.InitializeParams()
	return params == nil || params.ProtocolVersion == "" || params.ProtocolVersion >= firstLinks
}
