// Package speed measures what users wait for on the largest public document at
// hand: generating its server, and starting that server. Each benchmark runs a
// reference in the same run and reports the ratio to it.
//
//	go test ./internal/speed -bench . -benchtime 5x
package speed
