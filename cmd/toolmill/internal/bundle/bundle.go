// Package bundle packs a generated server as an MCP bundle (MCPB): a zip file
// that holds a manifest and the binaries that it names, which desktop hosts
// install with a click.
//
// The manifest, manifest.json of the server's folder, decides what the bundle
// says and where each platform's binary goes; manifest.go reads it. The same
// source, manifest and Go version give the same bytes.
package bundle

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Error is something about the server's folder that its owner can put right.
type Error struct {
	Code    string // of the diagnostic
	Message string
	Hint    string
}

func (e *Error) Error() string { return e.Message }

// Bundle is a packed server.
type Bundle struct {
	Name, Version string
	Data          []byte // the zip file
}

// SHA256 is what server.json calls fileSha256.
func (b *Bundle) SHA256() string {
	sum := sha256.Sum256(b.Data)
	return hex.EncodeToString(sum[:])
}

// Pack builds the server in the folder dir for the platforms and packs it. It
// calls step when a phase begins. Errors are of type [*Error] where the owner of
// the folder can do something about them.
func Pack(ctx context.Context, dir string, platforms []Platform, step func(format string, args ...any)) (*Bundle, error) {
	m, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	places, err := m.places(platforms)
	if err != nil {
		return nil, err
	}
	files, err := m.pictures(dir)
	if err != nil {
		return nil, err
	}
	text, err := m.encode()
	if err != nil {
		return nil, err
	}
	files = append(files, entry{name: "manifest.json", data: text})
	work, err := os.MkdirTemp("", "toolmill-bundle-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	for i, p := range platforms {
		step("building for %s", p)
		binary := filepath.Join(work, "server")
		if err := build(ctx, dir, binary, p); err != nil {
			return nil, err
		}
		data, err := os.ReadFile(binary)
		if err != nil {
			return nil, err
		}
		files = append(files, entry{name: places[i], data: data, run: true})
	}
	step("packing")
	b := &Bundle{Name: m.text("name"), Version: m.text("version")}
	b.Data, err = pack(files)
	return b, err
}

// build compiles the server so that the binary depends on nothing of this machine.
func build(ctx context.Context, dir, binary string, p Platform) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", binary, ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+p.OS, "GOARCH="+p.Arch)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return &Error{Code: "no-go", Message: "the go command is not in PATH",
			Hint: "install Go from https://go.dev/dl; servers are built with it"}
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return &Error{Code: "build", Message: fmt.Sprintf("go build for %s in %s: %v: %s", p, dir, err, strings.TrimSpace(out.String())),
			Hint: "the folder must be a server that toolmill generated, and build by itself"}
	}
	return nil
}

// entry is one file of the bundle.
type entry struct {
	name string
	data []byte
	run  bool // it is executable
}

// epoch is the time of every file: the first that zip can tell.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// pack prints the zip file: files by name, with fixed times and modes.
func pack(files []entry) ([]byte, error) {
	slices.SortFunc(files, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: epoch}
		mode := fs.FileMode(0o644)
		if f.run {
			mode = 0o755
		}
		header.SetMode(mode)
		w, err := z.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
