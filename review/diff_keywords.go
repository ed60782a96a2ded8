package review

import (
	"math/big"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// bounds are the limits: the higher a lower one and the lower an upper one, the
// fewer values are taken.
var bounds = []struct {
	key   string
	lower bool
}{
	{"minimum", true}, {"exclusiveMinimum", true}, {"maximum", false}, {"exclusiveMaximum", false},
	{"minLength", true}, {"maxLength", false}, {"minItems", true}, {"maxItems", false},
	{"minProperties", true}, {"maxProperties", false},
}

// conditions are the keywords whose meaning is not followed.
var conditions = []string{
	"not", "if", "then", "else", "allOf", "dependentRequired", "dependentSchemas", "patternProperties", "propertyNames",
	"contains", "minContains", "maxContains", "unevaluatedProperties", "unevaluatedItems",
}

// keywords compares what limits the values of a type.
func (c *comparison) keywords(at string, o, n view) {
	for _, b := range bounds {
		c.bound(at, b.key, b.lower, o.get(b.key), n.get(b.key))
	}
	c.multiple(at, o.get("multipleOf"), n.get("multipleOf"))
	switch was, is := o.get("uniqueItems").Is(true), n.get("uniqueItems").Is(true); {
	case is && !was:
		c.add("bound-tightened", tightened, at, "", "", "can hold no item twice any more")
	case was && !is:
		c.add("bound-loosened", loosened, at, "", "", "can hold an item twice now")
	}
	c.textual(at, "pattern", "pattern-changed", tightened, o, n)
	c.textual(at, "format", "format-changed", unclear, o, n)
	c.textual(at, "contentEncoding", "format-changed", unclear, o, n)
	c.textual(at, "contentMediaType", "format-changed", unclear, o, n)
	for _, key := range conditions {
		if !same(o.get(key), n.get(key)) {
			c.add("constraint-changed", unclear, at, "", "", "has another condition %s", quote(key))
		}
	}
}

func (c *comparison) bound(at, key string, lower bool, old, new *node.Node) {
	a, b := number(old), number(new)
	switch {
	case a == nil && b == nil:
	case a == nil:
		c.add("bound-tightened", tightened, at, "", literal(new), "has a %s of %s now", key, quoteNode(new))
	case b == nil:
		c.add("bound-loosened", loosened, at, literal(old), "", "has no %s any more, had %s", key, quoteNode(old))
	case a.Cmp(b) == 0:
	default:
		word := "lowered"
		if b.Cmp(a) > 0 {
			word = "raised"
		}
		rule, k := "bound-loosened", loosened
		if lower == (word == "raised") {
			rule, k = "bound-tightened", tightened
		}
		c.add(rule, k, at, literal(old), literal(new), "has its %s %s from %s to %s", key, word, quoteNode(old), quoteNode(new))
	}
}

// multiple compares multipleOf: what divides the old value allows all that it did.
func (c *comparison) multiple(at string, old, new *node.Node) {
	a, b := number(old), number(new)
	switch {
	case a == nil && b == nil || a != nil && b != nil && a.Cmp(b) == 0:
	case a == nil:
		c.add("bound-tightened", tightened, at, "", literal(new), "must be a multiple of %s now", quoteNode(new))
	case b == nil:
		c.add("bound-loosened", loosened, at, literal(old), "", "need not be a multiple of %s any more", quoteNode(old))
	default:
		rule, k := "bound-tightened", tightened
		if b.Sign() != 0 && quotient(a, b).IsInt() {
			rule, k = "bound-loosened", loosened
		}
		c.add(rule, k, at, literal(old), literal(new), "must be a multiple of %s, was of %s", quoteNode(new), quoteNode(old))
	}
}

func quotient(a, b *big.Rat) *big.Rat { return new(big.Rat).Quo(a, b) }

// textual compares a keyword that holds text; first is what it means to have it at all.
func (c *comparison) textual(at, key, rule string, first kind, o, n view) {
	a, b := o.get(key).Text(), n.get(key).Text()
	switch {
	case a == b:
	case a == "":
		c.add(rule, first, at, "", b, "has the %s %s now", key, quote(b))
	case b == "":
		c.add(rule, loosened, at, a, "", "has no %s any more, had %s", key, quote(a))
	default:
		c.add(rule, unclear, at, a, b, "has the %s %s, had %s", key, quote(b), quote(a))
	}
}

// number is the exact value of a number that is not too large to compute with, or
// nil.
func number(n *node.Node) *big.Rat {
	const maxDigits = 400 // more than any float64 has
	if n == nil || n.Kind != node.Number || len(n.Value) > maxDigits {
		return nil
	}
	f, _, err := big.ParseFloat(n.Literal(), 10, 64, big.ToNearestEven)
	if err != nil || f.MantExp(nil) > 4096 || f.MantExp(nil) < -4096 {
		return nil
	}
	r, ok := new(big.Rat).SetString(n.Literal())
	if !ok {
		return nil
	}
	return r
}
