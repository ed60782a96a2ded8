package prove

import (
	"encoding/base64"
	"encoding/json"
	"math/big"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// texts are strings that go wrong easily on the way into a request.
var texts = []string{"abc", "a b", "köln", "1&2=3", "50%", "a+b", "x/y", "it's", `say "hi"`, "a,b;c", "q?r#s", "日本"}

// formats has a few values for each format that servers tend to check.
var formats = map[string][]string{
	"date":      {"2025-03-04", "1999-12-31"},
	"date-time": {"2025-03-04T11:42:00Z", "2025-03-04T11:42:00.123+01:00"},
	"time":      {"11:42:00Z"},
	"duration":  {"P1DT2H"},
	"email":     {"someone@mail.example"},
	"uuid":      {"6ba7b810-9dad-41d1-80b4-00c04fd430c8"},
	"uri":       {"https://site.example/a?b=c"},
	"url":       {"https://site.example/a?b=c"},
	"hostname":  {"site.example"},
	"ipv4":      {"192.0.2.7"},
	"ipv6":      {"2001:db8::7"},
	"byte":      {"AP8Q"},
	"binary":    {"AP8Q"},
}

func (g *guess) text(s object) any {
	least, most := size(s["minLength"], 0), size(s["maxLength"], 1<<20)
	if s["contentEncoding"] == "base64" {
		return base64.StdEncoding.EncodeToString([]byte{0, 0xff, 0x10, byte(g.rand.IntN(256))}[:4])
	}
	if pattern, ok := s["pattern"].(string); ok {
		if re, err := syntax.Parse(pattern, syntax.Perl); err == nil {
			var b strings.Builder
			g.match(&b, re.Simplify())
			return fit(b.String(), least, most)
		}
		if samples := g.samples(s); len(samples) > 0 {
			return samples[0]
		}
	}
	if format, ok := s["format"].(string); ok && len(formats[format]) > 0 {
		return formats[format][g.rand.IntN(len(formats[format]))]
	}
	return fit(texts[g.rand.IntN(len(texts))], least, most)
}

// fit makes a text long or short enough, in runes.
func fit(s string, least, most int) string {
	for utf8.RuneCountInString(s) < least {
		s += "x"
	}
	for utf8.RuneCountInString(s) > most {
		_, n := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-n]
	}
	return s
}

// match writes a text that the expression matches, if it has no need to look
// around.
func (g *guess) match(b *strings.Builder, re *syntax.Regexp) {
	repeat := func(least, most int) {
		if most < 0 || most > least+2 {
			most = least + 2
		}
		for range least + g.rand.IntN(most-least+1) {
			g.match(b, re.Sub[0])
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(g.class(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('a')
	case syntax.OpStar:
		repeat(0, -1)
	case syntax.OpPlus:
		repeat(1, -1)
	case syntax.OpQuest:
		repeat(0, 1)
	case syntax.OpRepeat:
		repeat(re.Min, re.Max)
	case syntax.OpAlternate:
		g.match(b, re.Sub[g.rand.IntN(len(re.Sub))])
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range re.Sub {
			g.match(b, sub)
		}
	}
}

// class picks a rune from the pairs of bounds, a printable one if there is any.
func (g *guess) class(bounds []rune) rune {
	var good []rune
	for i := 0; i+1 < len(bounds); i += 2 {
		for c := max(bounds[i], '!'); c <= min(bounds[i+1], '~'); c++ {
			good = append(good, c)
		}
	}
	switch {
	case len(good) > 0:
		return good[g.rand.IntN(len(good))]
	case len(bounds) > 0:
		return bounds[0]
	}
	return 'a'
}

// number picks a number between the bounds, close to one of them as often as
// not. It is exact: bounds may be beyond what a float64 can tell apart.
func (g *guess) number(s object, whole bool) any {
	low, hasLow := bound(s["minimum"])
	high, hasHigh := bound(s["maximum"])
	step, hasStep := bound(s["multipleOf"])
	if !hasStep || step.Sign() == 0 {
		step = big.NewRat(1, 1)
		if !whole {
			step = big.NewRat(1, 4)
		}
	}
	if v, ok := bound(s["exclusiveMinimum"]); ok && (!hasLow || v.Cmp(low) >= 0) {
		low, hasLow = new(big.Rat).Add(v, step), true
	}
	if v, ok := bound(s["exclusiveMaximum"]); ok && (!hasHigh || v.Cmp(high) <= 0) {
		high, hasHigh = new(big.Rat).Sub(v, step), true
	}
	if !hasLow {
		low = new(big.Rat)
		if hasHigh && high.Sign() < 0 {
			low = new(big.Rat).Sub(high, big.NewRat(100, 1))
		}
	}
	if !hasHigh {
		high = new(big.Rat).Add(low, big.NewRat(100, 1))
	}
	// In steps: the first at or above low, and how many fit below high.
	first := ceil(new(big.Rat).Quo(low, step))
	last := floor(new(big.Rat).Quo(high, step))
	span := new(big.Int).Sub(last, first)
	n := new(big.Int).Set(first)
	if span.Sign() > 0 && g.rand.IntN(4) > 0 {
		offset := int64(1000)
		if span.IsInt64() && span.Int64() < offset {
			offset = span.Int64()
		}
		n.Add(n, big.NewInt(g.rand.Int64N(offset+1)))
		if g.rand.IntN(4) == 0 {
			n.Set(last)
		}
	}
	v := new(big.Rat).Mul(new(big.Rat).SetInt(n), step)
	if v.IsInt() {
		return json.Number(v.Num().String())
	}
	digits, _ := v.FloatPrec()
	return json.Number(v.FloatString(digits))
}

func bound(v any) (*big.Rat, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return nil, false
	}
	return new(big.Rat).SetString(n.String())
}

func floor(r *big.Rat) *big.Int {
	// Euclidean division: with a positive denominator the quotient is the floor.
	return new(big.Int).Div(r.Num(), r.Denom())
}

func ceil(r *big.Rat) *big.Int {
	return new(big.Int).Neg(floor(new(big.Rat).Neg(r)))
}
