// Package gofunc reads annotated Go functions and makes the model of a server
// of them.
package gofunc
