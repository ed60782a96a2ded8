// Package search holds tests of search mode on a large API: how well search_tools
// of package runtime finds what a sentence asks for.
package search
