package runtime

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
)

// versionText is what -version prints: the document's version, and a digest of
// the surface, which changes when anything that a client sees of the server
// does: its tools, resources, prompts and instructions.
func versionText(s *Server, tools *toolset) (string, error) {
	pages, err := tools.pages()
	if err != nil {
		return "", err
	}
	digest := sha256.New()
	for _, p := range pages {
		for _, chunk := range p.chunks {
			digest.Write(chunk)
		}
	}
	rest := json.NewEncoder(digest)
	if err := rest.Encode(s.def.Instructions); err != nil {
		return "", err
	}
	for _, p := range s.packages {
		for _, r := range p.Resources {
			if err := rest.Encode([]string{r.URI, r.Name, r.Title, r.Description, r.MIME}); err != nil {
				return "", err
			}
		}
		for _, prompt := range p.Prompts {
			if err := rest.Encode([]any{prompt.Name, prompt.Title, prompt.Description, prompt.Arguments}); err != nil {
				return "", err
			}
		}
	}
	return fmt.Sprintf("%s %s (%s, surface %x)", s.def.Name, s.def.Version, counted(len(tools.byName), "tool"), digest.Sum(nil)[:6]), nil
}
