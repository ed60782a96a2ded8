package runtime

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// mockBase stands for the address of the API: names that end so are nobody's
// (RFC 2606).
const mockBase = "http://api.invalid"

// MetaMockStatus is the member of a call's _meta that asks a mock for a status.
const MetaMockStatus = "toolmill/mock-status"

// mockFile is mock/<tool>.json.
type mockFile struct {
	Responses []mockResponse `json:"responses"`
}

// mockResponse is a response of the document.
type mockResponse struct {
	Status string          `json:"status"`         // "200", "4XX", "default"
	Type   string          `json:"type,omitempty"` // media type; empty: no body
	Body   json.RawMessage `json:"body,omitempty"` // of a JSON type a value, of any other its text
}

// mocked returns access to the mock, which needs no credential. The request is
// made as for the upstream, so that what could not be sent there is refused.
func (c *Call) mocked() (*access, error) {
	status, err := c.mockStatus()
	if err != nil {
		return nil, err
	}
	_, name, _ := strings.Cut(c.tool.file, "/")
	data, err := fs.ReadFile(c.server.def.Mock, "mock/"+name)
	if err != nil {
		return nil, fmt.Errorf("the mock of %s cannot be read", c.tool.Name)
	}
	var file mockFile
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("the mock of %s is damaged", c.tool.Name)
	}
	return &access{client: &http.Client{Transport: file.answer(status)}}, nil
}

// mockStatus is what the call or the operator asks for, 0 for success.
func (c *Call) mockStatus() (int, error) {
	var asked any
	if req := c.origin.tool; req != nil {
		asked = req.Params.Meta[MetaMockStatus]
	}
	if asked == nil {
		if status, ok := c.server.config.MockStatus[c.tool.Name]; ok {
			return status, nil
		}
		return c.server.config.MockStatus[""], nil
	}
	status, ok := asked.(float64)
	if !ok || checkStatus(int(status)) != nil || float64(int(status)) != status {
		return 0, fmt.Errorf("%s in _meta must be a status such as 404", MetaMockStatus)
	}
	return int(status), nil
}

// checkStatus refuses what is no final status (RFC 9110, 15).
func checkStatus(status int) error {
	if status < 200 || status > 599 {
		return errors.New("a status is a number from 200 to 599")
	}
	return nil
}

// answer finds the response for a status as OpenAPI does: the status itself, its
// class, then default (OpenAPI 3.1, Responses Object). One that the document does
// not have has no body.
func (f *mockFile) answer(status int) mockAnswer {
	find := func(is func(string) bool) *mockResponse {
		i := slices.IndexFunc(f.Responses, func(r mockResponse) bool { return is(strings.ToUpper(r.Status)) })
		if i < 0 {
			return nil
		}
		return &f.Responses[i]
	}
	wanted := []string{strconv.Itoa(status), strconv.Itoa(status/100) + "XX", "DEFAULT"}
	if status == 0 {
		status = http.StatusOK
		if success := find(func(s string) bool { return strings.HasPrefix(s, "2") }); success != nil {
			if n, err := strconv.Atoi(success.Status); err == nil {
				status = n
			}
			return mockAnswer{status, *success}
		}
		wanted = wanted[2:]
	}
	for _, name := range wanted {
		if r := find(func(s string) bool { return s == name }); r != nil {
			return mockAnswer{status, *r}
		}
	}
	return mockAnswer{status: status}
}

// mockAnswer is the upstream of one call.
type mockAnswer struct {
	status   int
	response mockResponse
}

// RoundTrip implements [http.RoundTripper].
func (a mockAnswer) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		req.Body.Close()
	}
	var body bytes.Buffer
	var text string
	if isJSON(a.response.Type) {
		_ = json.Compact(&body, a.response.Body) // fails where there is none
	} else if json.Unmarshal(a.response.Body, &text) == nil {
		body.WriteString(text)
	}
	if req.Method == http.MethodHead || a.status == http.StatusNoContent {
		body.Reset()
	}
	header := http.Header{}
	if a.response.Type != "" {
		header.Set("Content-Type", a.response.Type)
	}
	return &http.Response{
		Status: statusText(a.status), StatusCode: a.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Body: io.NopCloser(&body), ContentLength: int64(body.Len()), Request: req,
	}, nil
}

// mockFlags are the flags of a server that can do without its upstream, or that
// say how to get one that can.
func (o *options) mockFlags() {
	o.flags.BoolVar(&o.Mock, "mock", false, "answer from the document's examples and schemas, without the API")
	o.flags.Func("mock-status", "under -mock, give this response: `STATUS`, or TOOL=STATUS for one tool (repeatable)", o.addMockStatus)
}

func (o *options) addMockStatus(text string) error {
	tool, number, found := strings.Cut(text, "=")
	if !found {
		tool, number = "", text
	}
	status, err := strconv.Atoi(number)
	if err != nil || checkStatus(status) != nil {
		return errors.New("it must be a status such as 404, or TOOL=404")
	}
	if o.MockStatus == nil {
		o.MockStatus = map[string]int{}
	}
	o.MockStatus[tool] = status
	return nil
}

// checkMock refuses a mock that the server does not have.
func (c *Config) checkMock(def *Definition) error {
	switch {
	case c.Mock && def.Mock == nil:
		return errors.New("-mock: this server was generated without what it needs: run toolmill generate with -mock, and build it again")
	case !c.Mock && c.MockStatus != nil:
		return errors.New("-mock-status needs -mock")
	}
	var names []string
	for _, t := range def.Tools {
		names = append(names, t.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(c.MockStatus)) {
		if name != "" && !slices.Contains(names, name) {
			return fmt.Errorf("-mock-status %s: there is no tool of that name%s", name, didYouMean(nearest(name, names)))
		}
	}
	return nil
}
