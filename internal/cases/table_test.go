package cases

import (
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

// testCase is one way to generate and use the document of one case folder.
type testCase struct {
	folder  string
	variant string // tells several entries of a folder apart

	// lines is how many lines expect.md has: an entry is written against all
	// of them, so a new line asks for a new look. It stands in the first entry
	// of a folder.
	lines int
	// pending holds lines of expect.md (a part that only they have) that this
	// version does not answer, with the reason.
	pending map[string]string

	source string   // "openapi.yaml" unless set; an https URL is served from the folder
	edit   []string // old, new: replaced in the document first
	flags  []string // of generate; $FOLDER stands for the case's

	vet      bool     // the output passes go vet
	exit     int      // of generate; unless 0, nothing may be written
	says     []string // parts of what generate prints
	mentions map[string]int
	silent   []string // parts of what it must not print

	tools   []string // the names in tools/list
	schemas []member // members of tools
	raw     []string // parts of the bytes of tools/list
	rawNot  []string // parts it must not have
	calls   []call
	check   func(*testing.T, *run) // what a table cannot say
}

// name is the case's name in test output and as a Go package.
func (c *testCase) name() string {
	if c.variant == "" {
		return c.folder
	}
	return c.folder + "/" + c.variant
}

// member says what stands at a place of a tool: a path below
// inputSchema.properties, or from the tool object itself when it starts with a
// slash. Numbers are compared as they are written, the order of members is
// free. An empty want: nothing may stand there. "*": anything.
type member struct{ tool, at, want string }

// call is a tools/call and what follows from it. The upstream stands for every
// host; URLs are those of the document.
type call struct {
	env    []string // of the server: credentials and addresses
	flags  []string // of the server
	tool   string
	args   string // the raw arguments object
	answer string // of the upstream; empty: 200 without a body

	// want is method and URL of the single request, byte for byte; or, if that
	// is allowed too, equals or. Empty: nothing may be sent. "*": check decides
	// alone, on the result too.
	want string
	or   string

	headers []string // "Name: value" as a line of the request; "-Name": no such header
	body    string   // payload of the request
	pairs   []string // decoded payload of a form, in order, instead of body

	isError    bool
	text       string   // all text of the result; "" is not checked
	says       []string // parts of the text
	silent     []string // parts it must not have
	structured string   // structuredContent byte for byte; "-": none
	content    string   // the content array, as JSON
	rpcError   int      // code of a JSON-RPC error in place of a result

	check func(*testing.T, *prove.Request, *prove.Result)
}

// allCases are all tables.
func allCases() []testCase {
	var all []testCase
	for _, table := range [][]testCase{
		nameCases, loadCases, schemaCases, argumentCases, parameterCases, bodyCases,
		responseCases, securityCases, serverCases,
	} {
		all = append(all, table...)
	}
	return all
}
