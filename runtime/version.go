package runtime

import (
	"crypto/sha256"
	"fmt"
)

// versionText is what -version prints: the document's version, and a digest of
// the surface, which changes when anything that a client sees of the tools does.
func versionText(def *Definition, tools *toolset) (string, error) {
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
	return fmt.Sprintf("%s %s (%d tools, surface %x)", def.Name, def.Version, len(tools.byName), digest.Sum(nil)[:6]), nil
}
