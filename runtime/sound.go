package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxQuoted is how many bytes of an unknown name its error repeats.
const maxQuoted = 80

// soundErrors holds the data of an error to be JSON, and cuts the name in it. The
// SDK quotes the URI of a resource that it does not know as Go does, which for
// control characters is none; what cannot be encoded would end the session, and on
// stdio the server. The name of an unknown tool or prompt it repeats whole,
// however long it is.
func soundErrors(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		coded := (*jsonrpc.Error)(nil)
		if !errors.As(err, &coded) {
			return result, err
		}
		if coded.Data != nil && !json.Valid(coded.Data) {
			coded = &jsonrpc.Error{Code: coded.Code, Message: coded.Message}
			err = coded
		}
		if name := nameIn(req); len(name) > maxQuoted {
			message := strings.ReplaceAll(coded.Message, strconv.Quote(name), strconv.Quote(cut(name, maxQuoted)))
			err = &jsonrpc.Error{Code: coded.Code, Message: message, Data: coded.Data}
		}
		return result, err
	}
}

// nameIn is the name of the tool or prompt that a request is about; empty: of none.
func nameIn(req mcp.Request) string {
	switch params := req.GetParams().(type) {
	case *mcp.CallToolParamsRaw:
		if params != nil {
			return params.Name
		}
	case *mcp.GetPromptParams:
		if params != nil {
			return params.Name
		}
	}
	return ""
}
