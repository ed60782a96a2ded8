// Package readme runs what the README tells people to type, so that it stays
// true. Its test is all there is.
package readme
