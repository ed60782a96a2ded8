package runtime

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// soundErrors holds the data of an error to be JSON. The SDK quotes the URI of a
// resource that it does not know as Go does, which for control characters is none;
// what cannot be encoded would end the session, and on stdio the server.
func soundErrors(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		coded := (*jsonrpc.Error)(nil)
		if errors.As(err, &coded) && coded.Data != nil && !json.Valid(coded.Data) {
			err = &jsonrpc.Error{Code: coded.Code, Message: coded.Message}
		}
		return result, err
	}
}
