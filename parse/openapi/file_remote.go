package openapi

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// remote reads a file over the network, if the user allows it.
func (f *files) remote(u *url.URL) (*node.File, *schema.Error) {
	u.Fragment, u.RawFragment = "", ""
	key := u.String()
	if o, ok := f.known[key]; ok {
		return o.file, o.err
	}
	file := &node.File{Name: u.Redacted(), Location: key}
	err := f.fetch(u, file)
	if err != nil {
		file = nil
	}
	f.known[key] = opened{file, err}
	if file != nil { // a redirect: both addresses name this file
		f.known[file.Location] = opened{file, nil}
	}
	return file, err
}

const fetchHint = "see that the address answers, or save the file and give its path"

func (f *files) fetch(u *url.URL, file *node.File) *schema.Error {
	at := diag.Pos{File: file.Name}
	if !f.opts.AllowRemote {
		return fault(at, codeRemote, "pass -allow-remote, or save the file beside the document", "the network is not allowed")
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fault(at, codeUnreadable, addressHint, "it is not a web address")
	}
	req, err := http.NewRequestWithContext(f.ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return fault(at, codeUnreadable, addressHint, "it is not a web address")
	}
	req.Header.Set("User-Agent", "toolmill")
	req.Header.Set("Accept", "application/yaml, application/json, text/yaml, */*;q=0.5")
	resp, err := f.opts.Client.Do(req)
	if err != nil {
		var wrapped *url.Error
		if errors.As(err, &wrapped) {
			err = wrapped.Err // the rest repeats the address
		}
		return fault(at, codeUnreadable, fetchHint, "it cannot be fetched: %v", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fault(at, codeUnreadable, fetchHint, "it cannot be fetched: the server answered %s", resp.Status)
	}
	data, failure := readAll(resp.Body, 0, file.Name)
	if failure != nil {
		return failure
	}
	if resp.Request != nil && resp.Request.URL != nil {
		file.Name, file.Location = resp.Request.URL.Redacted(), resp.Request.URL.String()
	}
	return f.parse(file, data)
}
