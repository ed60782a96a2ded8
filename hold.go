//go:build hold

package hold

import (
	_ "github.com/dave/jennifer/jen"
	_ "github.com/getkin/kin-openapi/openapi3"
	_ "github.com/getkin/kin-openapi/openapi3filter"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/modelcontextprotocol/go-sdk/mcp"
	_ "github.com/santhosh-tekuri/jsonschema/v6"
	_ "github.com/spf13/cobra"
	_ "github.com/tiktoken-go/tokenizer"
	_ "go.yaml.in/yaml/v4"
	_ "golang.org/x/net/html/charset"
	_ "golang.org/x/oauth2/clientcredentials"
	_ "golang.org/x/term"
	_ "golang.org/x/text/encoding/htmlindex"
	_ "golang.org/x/time/rate"
	_ "golang.org/x/tools/go/packages"
	_ "golang.org/x/tools/imports"
	_ "golang.org/x/tools/txtar"
	_ "golang.org/x/sync/singleflight"
)
