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
)

// LockFile is the name of the file that holds a [Lock].
const LockFile = "toolmill.lock.json"

// lockVersion is that of the file's format.
const lockVersion = 1

// Lock pins a surface: what was last accepted.
type Lock struct {
	Version int               `json:"version"`
	Server  string            `json:"server"` // its name, so that no lock is taken for another server's
	Tools   map[string]string `json:"tools"`  // digests by name
}

// NewLock pins the tools of a server.
func NewLock(server string, s *Surface) *Lock {
	l := &Lock{Version: lockVersion, Server: server, Tools: make(map[string]string, len(s.Tools))}
	for _, t := range s.Tools {
		l.Tools[t.Name] = t.Digest()
	}
	return l
}

// ReadLock reads the content of a lock file.
func ReadLock(data []byte) (*Lock, error) {
	l := &Lock{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(l); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("there is text after the end of the object")
	}
	if l.Version != lockVersion {
		return nil, fmt.Errorf("version %d is not known; version %d is", l.Version, lockVersion)
	}
	return l, nil
}

// Encode gives the content of the file, one line a tool, by name.
func (l *Lock) Encode() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	_ = e.Encode(l) // strings and a number always encode
	return b.Bytes()
}

// Digest is the sha256 of what a model sees of the tool and what it calls, in a
// form that does not depend on the order of properties: "sha256:…".
func (t *Tool) Digest() string {
	h := sha256.New()
	h.Write(canonical(t.object))
	if t.Request != nil {
		h.Write([]byte("\n" + t.Request.Calls))
	}
	return fmt.Sprintf("sha256:%x", h.Sum(nil))
}

// LockChange is how a surface differs from the one that was pinned, by names of
// tools.
type LockChange struct {
	Added   []string `json:"added"`
	Removed []string `json:"removed"`
	Changed []string `json:"changed"`
}

// Count is the number of tools that differ.
func (c LockChange) Count() int { return len(c.Added) + len(c.Removed) + len(c.Changed) }

// Since compares a lock with an older one.
func (l *Lock) Since(old *Lock) LockChange {
	c := LockChange{Added: []string{}, Removed: []string{}, Changed: []string{}}
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
	return c
}

// String lists the tools: "1 added (lend), 2 changed (getBook, listBooks)".
func (c LockChange) String() string {
	var b bytes.Buffer
	for _, part := range []struct {
		names []string
		verb  string
	}{{c.Added, "added"}, {c.Removed, "removed"}, {c.Changed, "changed"}} {
		if len(part.names) == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%d %s (%s)", len(part.names), part.verb, some(part.names))
	}
	return b.String()
}
