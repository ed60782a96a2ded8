package runtime

import (
	"cmp"
	"net/http"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

const metadataPath = "/.well-known/oauth-protected-resource"

// resource is this server as OAuth sees it (RFC 9728).
type resource struct {
	metadata    *oauthex.ProtectedResourceMetadata
	metadataURL string
	paths       []string // where the metadata is served
}

func newResource(o *httpOptions, s *Server) *resource {
	u := resourceOf(o.publicURL, o.inbound.audience)
	path := u.EscapedPath()
	if path == "/" {
		path = ""
	}
	at := url.URL{Scheme: u.Scheme, Host: u.Host, Path: metadataPath + path}
	r := &resource{
		metadataURL: at.String(),
		metadata: &oauthex.ProtectedResourceMetadata{
			Resource:               u.String(),
			ResourceName:           cmp.Or(s.def.Title, s.def.Name),
			AuthorizationServers:   []string{o.inbound.issuer},
			BearerMethodsSupported: []string{"header"},
		},
	}
	// Clients look under the path that they know, then at the root. A proxy may
	// know the endpoint under another path than this server.
	r.paths = append(r.paths, metadataPath)
	for _, p := range []string{path, o.path} {
		if p = metadataPath + p; p != metadataPath && p != metadataPath+"/" && r.paths[len(r.paths)-1] != p {
			r.paths = append(r.paths, p)
		}
	}
	return r
}

// publish serves the metadata, if there is any.
func (in *inbound) publish(mux *http.ServeMux) {
	if in == nil || in.resource == nil {
		return
	}
	handler := auth.ProtectedResourceMetadataHandler(in.resource.metadata)
	for _, path := range in.resource.paths {
		mux.Handle(path, handler)
	}
}
