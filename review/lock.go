package review

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// LockFile is the name of the file that holds a [Lock].
const LockFile = "toolmill.lock.json"

// lockVersion is that of the file's format. Version 1 pinned of a server only its
// name, and of a request only what it calls.
const lockVersion = 2

// Lock pins a surface: what was last accepted.
type Lock struct {
	Version int        `json:"version"`
	Server  LockServer `json:"server"`
	// Output is the digest of all files that the source gave, empty if that is
	// not known. It is no part of the surface: it tells an edit from a change of
	// the source.
	Output string            `json:"output,omitempty"`
	Tools  map[string]string `json:"tools"` // digests by name
}

// LockServer pins what tools share.
type LockServer struct {
	Name         string            `json:"name"` // so that no lock is taken for another server's
	Addresses    []string          `json:"addresses"`
	Credentials  map[string]string `json:"credentials"`            // how each is sent, by name
	Instructions string            `json:"instructions,omitempty"` // digest
}

// NewLock pins a surface that was made by [FromServer].
func NewLock(s *Surface) *Lock {
	l := &Lock{
		Version: lockVersion, Tools: make(map[string]string, len(s.Tools)),
		Server: LockServer{Name: s.Server.Name, Addresses: append([]string{}, s.Server.Upstreams...), Credentials: map[string]string{}},
	}
	for _, scheme := range s.Server.Schemes {
		l.Server.Credentials[scheme.Name] = scheme.How
	}
	if s.Server.Instructions != "" {
		l.Server.Instructions = digest([]byte(s.Server.Instructions))
	}
	for _, t := range s.Tools {
		l.Tools[t.Name] = t.Digest()
	}
	return l
}

// ReadLock reads the content of a lock file. Of one of an earlier version it gives
// the version and the name of the server: see [Lock.Outdated].
func ReadLock(data []byte) (*Lock, error) {
	var old struct {
		Version int    `json:"version"`
		Server  string `json:"server"`
	}
	if json.Unmarshal(data, &old) == nil && old.Version == 1 {
		return &Lock{Version: 1, Server: LockServer{Name: old.Server}}, nil
	}
	l := &Lock{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err := d.Decode(l)
	if l.Version > lockVersion {
		return nil, fmt.Errorf("version %d is not known; version %d is", l.Version, lockVersion)
	}
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("there is text after the end of the object")
	}
	if l.Version != lockVersion {
		return nil, fmt.Errorf("version %d is not known; version %d is", l.Version, lockVersion)
	}
	if l.Server.Name == "" { // else it would be taken for another server's
		return nil, errors.New("it names no server")
	}
	return l, nil
}

// Outdated reports whether the file is of an earlier version, which pinned less,
// so that nothing can be compared with it.
func (l *Lock) Outdated() bool { return l.Version < lockVersion }

// Encode gives the content of the file, one line a tool, by name.
func (l *Lock) Encode() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	_ = e.Encode(l) // strings and a number always encode
	return b.Bytes()
}

// Digest is the sha256 of all that decides what a call of the tool does, in a form
// that does not depend on the order of properties: what a model sees of it, its
// request to the letter, its credentials, whether people are asked before, what is
// kept of the result. "sha256:…".
func (t *Tool) Digest() string {
	text := canonical(t.object)
	if t.full != nil {
		text = append(append(text, '\n'), canonical(t.full)...)
	}
	for _, part := range []any{t.Request, t.Result} {
		line, _ := json.Marshal(part) // texts, lists and maps of them always encode
		text = append(append(text, '\n'), line...)
	}
	return digest(text)
}

func digest(text []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(text)) }

// LockChange is how a surface differs from the one that was pinned.
type LockChange struct {
	Added   []string `json:"added"` // names of tools
	Removed []string `json:"removed"`
	Changed []string `json:"changed"`
	Server  []string `json:"server"` // what of it: addresses, credentials, instructions
}

// Count is the number of tools that differ, and of what differs of the server.
func (c LockChange) Count() int {
	return len(c.Added) + len(c.Removed) + len(c.Changed) + len(c.Server)
}

// Since compares a lock with an older one of the same server; nil: there was none.
func (l *Lock) Since(old *Lock) LockChange {
	c := LockChange{Added: []string{}, Removed: []string{}, Changed: []string{}, Server: []string{}}
	if old == nil {
		old = &Lock{Server: l.Server}
	}
	for _, name := range slices.Sorted(maps.Keys(l.Tools)) {
		switch was, ok := old.Tools[name]; {
		case !ok:
			c.Added = append(c.Added, name)
		case was != l.Tools[name]:
			c.Changed = append(c.Changed, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(old.Tools)) {
		if _, ok := l.Tools[name]; !ok {
			c.Removed = append(c.Removed, name)
		}
	}
	a, b := old.Server, l.Server
	if !slices.Equal(a.Addresses, b.Addresses) {
		c.Server = append(c.Server, "addresses")
	}
	if !maps.Equal(a.Credentials, b.Credentials) {
		c.Server = append(c.Server, "credentials")
	}
	if a.Instructions != b.Instructions {
		c.Server = append(c.Server, "instructions")
	}
	return c
}

// String lists what differs: "1 added (lend), 2 changed (getBook, listBooks),
// server changed (addresses)".
func (c LockChange) String() string {
	var parts []string
	for _, part := range []struct {
		names []string
		verb  string
	}{{c.Added, "added"}, {c.Removed, "removed"}, {c.Changed, "changed"}} {
		if len(part.names) > 0 {
			parts = append(parts, fmt.Sprintf("%d %s (%s)", len(part.names), part.verb, some(part.names)))
		}
	}
	if len(c.Server) > 0 {
		parts = append(parts, "server changed ("+strings.Join(c.Server, ", ")+")")
	}
	return strings.Join(parts, ", ")
}
