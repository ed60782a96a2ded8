package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/seed7346ab69/toolmill/templates"
)

// manifest is manifest.json, valid for the schema of version 0.3.
type manifest struct{ members map[string]any }

// readManifest reads and validates manifest.json.
func readManifest(dir string) (*manifest, error) {
	file := filepath.Join(dir, "manifest.json")
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Error{Code: "no-manifest", Message: fmt.Sprintf("there is no %s", file),
			Hint: "generate the server with -packaging, which writes it"}
	}
	if err != nil {
		return nil, err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return nil, bad(file, fmt.Sprintf("it is not JSON: %v", err))
	}
	schema, err := bundleSchema()
	if err != nil {
		return nil, err
	}
	if err := schema.Validate(value); err != nil {
		return nil, bad(file, explain(err)...)
	}
	m := &manifest{value.(map[string]any)} // the schema wants an object
	if kind := m.text("server", "type"); kind != "binary" {
		return nil, bad(file, fmt.Sprintf("/server/type: a server of type %s holds no binary", kind))
	}
	return m, m.checkQuestions(file)
}

func bad(file string, problems ...string) error {
	return &Error{Code: "bad-manifest", Message: file + " is no manifest of a bundle: " + strings.Join(problems, "; "),
		Hint: "correct it, or remove it and generate again with -packaging"}
}

func bundleSchema() (*jsonschema.Schema, error) {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(templates.BundleSchema))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("manifest.schema.json", value); err != nil {
		return nil, err
	}
	return c.Compile("manifest.schema.json")
}

// explain lists what breaks the schema, each with its place.
func explain(err error) []string {
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return []string{err.Error()}
	}
	english := message.NewPrinter(language.English)
	var out []string
	var walk func(e *jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		if len(e.Causes) == 0 {
			out = append(out, "/"+strings.Join(e.InstanceLocation, "/")+": "+e.ErrorKind.LocalizedString(english))
		}
		for _, cause := range e.Causes {
			walk(cause)
		}
	}
	walk(invalid)
	slices.Sort(out)
	return out
}

// at follows member names; nil: there is no such member.
func (m *manifest) at(names ...string) any {
	var value any = m.members
	for _, name := range names {
		object, _ := value.(map[string]any)
		value = object[name]
	}
	return value
}

func (m *manifest) text(names ...string) string {
	s, _ := m.at(names...).(string)
	return s
}

var question = regexp.MustCompile(`\$\{user_config\.([^}]*)\}`)

// checkQuestions refuses variables that stand for answers to no question: the
// host would give the server their names as values.
func (m *manifest) checkQuestions(file string) error {
	env, _ := m.at("server", "mcp_config", "env").(map[string]any)
	var problems []string
	for name := range env {
		for _, match := range question.FindAllStringSubmatch(m.text("server", "mcp_config", "env", name), -1) {
			if m.at("user_config", match[1]) == nil {
				problems = append(problems, fmt.Sprintf("/server/mcp_config/env/%s: there is no /user_config/%s", name, match[1]))
			}
		}
	}
	if problems == nil {
		return nil
	}
	slices.Sort(problems)
	return bad(file, problems...)
}

// places returns the path in the bundle of each platform's binary, which is the
// command that the manifest has for it, and makes the manifest say that the
// bundle is for these platforms.
func (m *manifest) places(platforms []Platform) ([]string, error) {
	const root = "${__dirname}/"
	var places []string
	var names []any
	owner := map[string]Platform{}
	for _, p := range platforms {
		command := m.text("server", "mcp_config", "platform_overrides", p.host(), "command")
		if command == "" {
			command = m.text("server", "mcp_config", "command")
		}
		place, found := strings.CutPrefix(command, root)
		if !found || !filepath.IsLocal(filepath.FromSlash(place)) || path.Clean(place) != place || place == "manifest.json" {
			return nil, &Error{Code: "bad-manifest", Message: fmt.Sprintf("the manifest's command for %s is %q: the binary has no place in the bundle", p.host(), command),
				Hint: "write it as " + root + "server/NAME"}
		}
		if other, taken := owner[strings.ToLower(place)]; taken {
			hint := "give the manifest a command for each in platform_overrides"
			if other.OS == p.OS {
				hint = "a bundle cannot tell processors apart: make one for each"
			}
			return nil, &Error{Code: "platforms", Message: fmt.Sprintf("the binaries for %s and %s have the same place in the bundle, %s", other, p, place), Hint: hint}
		}
		owner[strings.ToLower(place)] = p
		places, names = append(places, place), append(names, p.host())
	}
	server, _ := m.at("server").(map[string]any)
	server["entry_point"] = places[0]
	compatibility, _ := m.at("compatibility").(map[string]any)
	if compatibility == nil {
		compatibility = map[string]any{}
		m.members["compatibility"] = compatibility
	}
	compatibility["platforms"] = names
	return places, nil
}

// pictures reads the files that the manifest shows.
func (m *manifest) pictures(dir string) ([]entry, error) {
	names := []string{m.text("icon")}
	icons, _ := m.at("icons").([]any)
	for _, icon := range icons {
		names = append(names, (&manifest{icon.(map[string]any)}).text("src"))
	}
	screenshots, _ := m.at("screenshots").([]any)
	for _, s := range screenshots {
		names = append(names, s.(string))
	}
	slices.Sort(names)
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var files []entry
	for _, name := range slices.Compact(names) {
		if name == "" || strings.HasPrefix(name, "https://") {
			continue
		}
		data, err := root.ReadFile(filepath.FromSlash(name))
		if err != nil || path.Clean(name) != name {
			return nil, &Error{Code: "no-file", Message: fmt.Sprintf("the manifest names %s, which is no file in %s", name, dir),
				Hint: "put it there, or take it out of the manifest"}
		}
		files = append(files, entry{name: name, data: data})
	}
	return files, nil
}

// encode prints the manifest, members by name.
func (m *manifest) encode() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(m.members)
	return b.Bytes(), err
}
