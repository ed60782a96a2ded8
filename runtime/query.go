package runtime

import (
	"strings"
)

// queryBuilder collects encoded parameters.
type queryBuilder struct{ strings.Builder }

// add appends a query parameter in its style.
func (q *queryBuilder) add(p *param) {
	escape := escapeAll
	if p.reserved {
		escape = escapeQueryReserved
	}
	if p.content != "" {
		q.append(pair{escapeAll(p.name), escape(textOf(p.arg.Value))})
		return
	}
	q.append(pairs(p.name, p.arg.Value, p.style, p.exploded(), escape)...)
}

// addAll makes the query from one argument: as a form body would be for an
// object, else the text itself, encoded (OpenAPI 3.2, in: querystring).
func (q *queryBuilder) addAll(p *param) {
	if isForm(string(p.content)) && isObject(p.arg.Value) {
		q.append(formPairs(p.arg.Value, nil)...)
		return
	}
	q.and()
	q.WriteString(escapeAll(textOf(p.arg.Value)))
}

func (q *queryBuilder) append(list ...pair) {
	for _, it := range list {
		q.and()
		q.WriteString(it.name)
		q.WriteByte('=')
		q.WriteString(it.value)
	}
}

func (q *queryBuilder) and() {
	if q.Len() > 0 {
		q.WriteByte('&')
	}
}

// joinQuery joins two encoded queries, either of which may be empty.
func joinQuery(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "&" + b
}
