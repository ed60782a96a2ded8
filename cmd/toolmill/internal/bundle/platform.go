package bundle

import (
	"fmt"
	"regexp"
	"runtime"
	"strings"
)

// Platform is what a binary runs on, as Go names it.
type Platform struct{ OS, Arch string }

// Host is the platform of this process.
func Host() Platform { return Platform{runtime.GOOS, runtime.GOARCH} }

// hosts are the names that a manifest has for systems (MCPB manifest 0.3,
// compatibility.platforms).
var hosts = map[string]string{"darwin": "darwin", "linux": "linux", "windows": "win32"}

func (p Platform) host() string   { return hosts[p.OS] }
func (p Platform) String() string { return p.OS + "/" + p.Arch }

var word = regexp.MustCompile(`^[a-z0-9]+$`)

// ParsePlatform reads "linux/amd64".
func ParsePlatform(text string) (Platform, error) {
	system, arch, _ := strings.Cut(text, "/")
	if hosts[system] == "" || !word.MatchString(arch) {
		return Platform{}, fmt.Errorf("want darwin, linux or windows, a slash and a processor, as in linux/amd64, got %q", text)
	}
	return Platform{system, arch}, nil
}
