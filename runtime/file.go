package runtime

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"os"
	"path/filepath"
	"strings"
)

// file is a file argument, read.
type file struct {
	name        string // may be empty
	contentType string // as the model said, may be empty
	data        []byte
}

// fileRoot is the folder that file arguments may name files in; empty: none may.
type fileRoot struct {
	folder string
	limit  int64 // bytes of one file
}

// decode reads a file argument: a base64 string, or an object with data (base64)
// or path, and maybe filename and contentType.
func (root fileRoot) decode(value json.RawMessage) (file, error) {
	if kindOf(value) == '"' {
		return decodeData(stringOf(value))
	}
	if !isObject(value) {
		return file{}, errors.New("a file is a base64 string, or an object with data" + root.orPath())
	}
	var said struct {
		Data, Path            *string
		Filename, ContentType string
	}
	if err := json.Unmarshal(value, &said); err != nil {
		return file{}, errors.New("data, path, filename and contentType of a file are strings")
	}
	var f file
	var err error
	switch {
	case said.Data != nil && said.Path != nil:
		return file{}, errors.New("a file has either data or path, not both")
	case said.Data != nil:
		f, err = decodeData(*said.Data)
	case said.Path != nil:
		f, err = root.open(*said.Path)
	default:
		return file{}, errors.New("a file needs data (base64)" + root.orPath())
	}
	if said.Filename != "" {
		f.name = said.Filename
	}
	if said.ContentType != "" {
		f.contentType = said.ContentType
	}
	if _, _, bad := mime.ParseMediaType(f.contentType); err == nil && bad != nil && f.contentType != "" {
		err = fmt.Errorf("%q is not a media type", f.contentType)
	}
	return f, err
}

// orPath is the end of a sentence about what a file may be.
func (root fileRoot) orPath() string {
	if root.folder == "" {
		return ""
	}
	return " or path"
}

// decodeData reads base64 in the standard or URL alphabet, padded or not, or a
// data: URL (RFC 2397).
func decodeData(text string) (file, error) {
	var f file
	if rest, ok := strings.CutPrefix(text, "data:"); ok {
		head, data, found := strings.Cut(rest, ",")
		mediaType, isBase64 := strings.CutSuffix(head, ";base64")
		if !found || !isBase64 {
			return file{}, errors.New("a data: URL must be base64: data:image/png;base64,…")
		}
		if _, _, err := mime.ParseMediaType(mediaType); err == nil {
			f.contentType = mediaType
		}
		text = data
	}
	text = strings.NewReplacer("-", "+", "_", "/", "\n", "", "\r", "", " ", "").Replace(text)
	data, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
	if err != nil {
		return file{}, errors.New("not valid base64; encode the bytes of the file as base64")
	}
	f.data = data
	return f, nil
}

// open reads a file inside the folder. Nothing outside can be reached, through a
// symbolic link neither: os.Root sees to that.
func (root fileRoot) open(name string) (file, error) {
	if root.folder == "" {
		return file{}, errors.New("this server reads no local files; send the content as base64 in data")
	}
	if filepath.IsAbs(name) {
		if rel, err := filepath.Rel(root.folder, name); err == nil {
			name = rel
		}
	}
	dir, err := os.OpenRoot(root.folder)
	if err != nil {
		return file{}, errors.New("the folder for files cannot be opened; its operator has to look at it")
	}
	defer dir.Close()
	f, err := dir.Open(filepath.FromSlash(name))
	if err != nil {
		return file{}, fileError(name, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return file{}, fmt.Errorf("%q is not a file", name)
	}
	data, err := io.ReadAll(io.LimitReader(f, root.limit+1))
	if err != nil {
		return file{}, fmt.Errorf("%q cannot be read", name)
	}
	if int64(len(data)) > root.limit {
		return file{}, fmt.Errorf("%q is larger than %s", name, byteCount(root.limit))
	}
	return file{name: filepath.Base(name), data: data}, nil
}

func fileError(name string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%q does not exist in the folder for files", name)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%q may not be read", name)
	}
	return fmt.Errorf("%q is not inside the folder for files; a path is relative to it", name)
}

// byteCount writes a number of bytes for people.
func byteCount(n int64) string {
	switch {
	case n < 10_000:
		return counted(int(n), "byte")
	case n < 10_000_000:
		return fmt.Sprintf("%d kB", n/1000)
	}
	return fmt.Sprintf("%d MB", n/1_000_000)
}
