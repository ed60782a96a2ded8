package openapi

import (
	"net/http"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// Options is what a user can decide about reading a document. The zero Options
// are the defaults of the command line.
type Options struct {
	// AllowRef lists folders outside the document's own that $ref may read,
	// absolute or relative to the working directory.
	AllowRef []string
	// AllowRemote permits http and https, for the source and for $ref.
	AllowRemote bool
	// Client fetches remote documents; nil is a client with a time limit.
	Client *http.Client

	// Overlays are files, or addresses, of OpenAPI Overlays 1.0 and 1.1 to apply
	// to the document, in their order, before anything is read of it.
	Overlays []string
	// Include and Exclude choose operations. One stays if a member of Include
	// matches it, or there is none, and no member of Exclude does.
	Include, Exclude []Selector
	// OtherVersion says that the document is not the version that these were
	// written for: what of them matches nothing does nothing, and is no error.
	OtherVersion bool

	// Name is the server's name, ^[A-Za-z0-9_-]+$; empty: made from the
	// document's title.
	Name string
	// Names is how tools are named; empty is [ir.AsWritten].
	Names ir.NameStyle
	// OutputSchema promises the shape of results. Clients check it.
	OutputSchema bool
	// FullDescriptions keeps tool descriptions of any length, with their markup.
	FullDescriptions bool
	// Markup keeps the Markdown and HTML of tool descriptions.
	Markup bool
	// GetBody sends the request bodies that GET and HEAD operations declare.
	GetBody bool
	// AllMethods makes tools of HEAD, OPTIONS and TRACE operations too.
	AllMethods bool
	// MediaTypes are preferred, the first most, where a request body comes in
	// several media types; else JSON is, then forms, text, XML and bytes.
	MediaTypes []string
	// Mock gives each request the responses that the document describes.
	Mock bool
}
