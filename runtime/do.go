package runtime

import "context"

// Do sends the request and returns what came back. Every failure that has to do
// with the request or the upstream is a Result with IsError set.
func (c *Call) Do(ctx context.Context, req *Request) (*Result, error) {
	return Failure("%s %s cannot be sent", req.method, req.path), nil
}
