// Package faults does to a server's process what networks, APIs and clients do
// to it, one after the other, and sees that the next call works, that nothing is
// left open and that memory stays where it was. The soak calls it as often as a
// client does in months, and the load is what many clients are at once:
//
//	go test ./internal/faults -run NONE -bench Soak -benchtime 200000x
//	go test ./internal/faults -run NONE -bench Load -benchtime 30s
package faults
