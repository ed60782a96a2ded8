// Package realpkgs tries Go functions as sources on packages that nobody wrote
// for toolmill: parts of the standard library, go-github and client-go. It is a
// module of its own, so that these are no dependencies of toolmill's.
//
// Each exported function, and the methods of some types, is exposed through a
// line var _ = pkg.Func. What can be a tool must compile and list valid schemas;
// what cannot must be refused with a reason at its line.
package realpkgs

import (
	_ "github.com/google/go-github/v74/github"
	_ "k8s.io/client-go/kubernetes"
)
