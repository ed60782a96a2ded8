package openapi

import "testing"

func TestPathTemplates(t *testing.T) {
	tests := []struct{ name, path, parameters, want, diags string }{
		{
			"reserved expansion keeps its operator", "'/v1/{+name}:verb'", "[{name: name, in: path, required: true, schema: {type: string}}]",
			"GET /v1/{+name}:verb\nname: path name simple required\n", "",
		},
		{
			"reserved expansion without a parameter", "'/v1/{+name}'", "[]",
			"GET /v1/{+name}\nname: path name simple required\n",
			"path-parameter-undeclared: operation op: no parameter describes {name} of the path; it takes a string\n",
		},
		{
			"a variable in both forms", "'/v1/{+name}/{name}'", "[{name: name, in: path, required: true, schema: {type: string}}]",
			"GET /v1/{+name}/{name}\nname: path name simple required\n", "",
		},
		{
			"reserved expansion with a modifier", "'/v1/{+name*}'", "[{name: name, in: path, required: true, schema: {type: string}}]",
			"GET /v1/{+name}\nname: path name simple required\n",
			"path-syntax: operation op: the path is read as /v1/{+name}\n",
		},
		{
			"a query of declared parameters", "'/search?q={q}&limit={limit}'",
			"[{name: q, in: query, required: true, schema: {type: string}}, {name: limit, in: query, schema: {type: integer}}]",
			"GET /search\nq: query q form explode required\nlimit: query limit form explode\n",
			"path-syntax: operation op: the path is read as /search\n",
		},
		{
			"a query that is partly fixed", "'/search?beta=true&q={q}&x={x}'", "[{name: q, in: query, schema: {type: string}}]",
			"GET /search?beta=true&x={x}\nq: query q form explode\nx: path x simple required\n",
			"path-parameter-undeclared: operation op: no parameter describes {x} of the path; it takes a string\npath-syntax: operation op: the path is read as /search?beta=true&x={x}\n",
		},
		{
			"a query of parameters in path", "'/search?q={q}'", "[{name: q, in: path, required: true, schema: {type: string}}]",
			"GET /search?q={q}\nq: path q simple required\n", "",
		},
		{
			"another name in the query", "'/search?query={q}'", "[{name: q, in: query, required: true, schema: {type: string}}]",
			"GET /search\nquery: query query form explode required\n",
			"path-syntax: operation op: the path is read as /search\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, diags := mustParse(t, get(tt.path, tt.parameters, ""), Options{})
			if got := show(s.Tools()[0].Request); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
			if got := codes(diags); got != tt.diags {
				t.Errorf("diagnostics %q, want %q", got, tt.diags)
			}
		})
	}
}
