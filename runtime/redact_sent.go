package runtime

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// redactSent keeps secrets out of what clients get beside answers: questions to
// people, prompts for a client's model, log messages and progress. Go functions
// send them by the SDK's session. Results pass through [Server.encode].
func (s *Server) redactSent(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		sent, ok := req.(*mcp.ServerRequest[mcp.Params])
		if !ok || isNil(sent.Params) { // of a list that changed: it has no text
			return next(ctx, method, req)
		}
		text, err := json.Marshal(sent.Params)
		if err != nil {
			return next(ctx, method, req) // whose error it is
		}
		clean := s.redact(string(text))
		if clean == string(text) {
			return next(ctx, method, req)
		}
		params := reflect.New(reflect.TypeOf(sent.Params).Elem()).Interface().(mcp.Params)
		if err := json.Unmarshal([]byte(clean), params); err != nil {
			s.log.Error("a message to the client was dropped: it cannot be sent without a secret", "method", method, "error", err)
			return nil, fmt.Errorf("%s was not sent: it cannot be without a secret that is in it", method)
		}
		changed := *sent
		changed.Params = params
		return next(ctx, method, &changed)
	}
}
