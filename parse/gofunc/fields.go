package gofunc

import (
	"cmp"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// jsonField is a struct field as encoding/json sees it.
type jsonField struct {
	name     string
	selector string // Go selector from the struct: "Paging.Limit"
	v        *types.Var
	typ      types.Type
	tag      reflect.StructTag

	quoted    bool // ",string" on a type where it counts
	omitEmpty bool
	omitZero  bool
	pointer   bool // lies behind an embedded pointer: may not be there
	unset     bool // lies behind an embedded pointer that decoding cannot set
	problem   string

	index  []int
	tagged bool
}

// optional reports whether the field may be absent by its tag.
func (f *jsonField) optional() bool { return f.omitEmpty || f.omitZero || f.pointer }

// level is a struct to look into, found by way of embedded fields.
type level struct {
	typ      types.Type
	index    []int
	selector string
	pointer  bool
	unset    bool
}

// jsonFields returns the fields of a struct that encoding/json (Go 1.26) reads
// and writes, in order. Of several fields with one name the least deep wins;
// then the one whose name comes from a tag; two of them hide each other.
func jsonFields(st *types.Struct) []jsonField {
	var found []jsonField
	var visited []types.Type
	next := []level{{typ: st}}
	var counts, nextCounts []int // how often each type stands at this depth
	nextCounts = []int{1}
	for len(next) > 0 {
		current := next
		counts, nextCounts, next = nextCounts, nil, nil
		for n, l := range current {
			if hasType(visited, l.typ) {
				continue
			}
			visited = append(visited, l.typ)
			s := l.typ.Underlying().(*types.Struct)
			for i := range s.NumFields() {
				f, inner, ok := readField(l, s, i)
				if !ok {
					continue
				}
				if inner == nil {
					found = append(found, f)
					if counts[n] > 1 {
						// A second copy is enough to make them hide each other.
						found = append(found, f)
					}
					continue
				}
				if j := slices.IndexFunc(next, func(o level) bool { return types.Identical(o.typ, inner.typ) }); j >= 0 {
					nextCounts[j]++
					continue
				}
				next = append(next, *inner)
				nextCounts = append(nextCounts, 1)
			}
		}
	}
	return dominant(found)
}

func hasType(list []types.Type, t types.Type) bool {
	return slices.ContainsFunc(list, func(o types.Type) bool { return types.Identical(o, t) })
}

// readField reads one field; inner is the struct to look into instead when the
// field is embedded and has no name of its own.
func readField(l level, s *types.Struct, i int) (f jsonField, inner *level, ok bool) {
	v := s.Field(i)
	tag := reflect.StructTag(s.Tag(i))
	value := tag.Get("json")
	target, isPointer := unnamedElem(v.Type())
	_, isStruct := target.Underlying().(*types.Struct)
	if !v.Exported() && !(v.Embedded() && isStruct) || value == "-" {
		return f, nil, false
	}
	name, options, _ := strings.Cut(value, ",")
	if !isJSONName(name) {
		name = ""
	}
	f = jsonField{name: name, v: v, typ: v.Type(), tag: tag, tagged: name != "",
		selector: strings.TrimPrefix(l.selector+"."+v.Name(), "."),
		index:    append(slices.Clone(l.index), i), pointer: l.pointer, unset: l.unset}
	for option := range strings.SplitSeq(options, ",") {
		f.option(option, target)
	}
	if name == "" && v.Embedded() && isStruct {
		return f, &level{typ: types.Unalias(target), index: f.index, selector: f.selector,
			pointer: l.pointer || isPointer, unset: l.unset || isPointer && !v.Exported()}, true
	}
	if f.name == "" {
		f.name = v.Name()
	}
	return f, nil, true
}

func (f *jsonField) option(option string, target types.Type) {
	switch {
	case option == "omitempty":
		f.omitEmpty = true
	case option == "omitzero":
		f.omitZero = true
	case option == "string":
		basic, ok := target.Underlying().(*types.Basic)
		f.quoted = ok && basic.Info()&(types.IsBoolean|types.IsNumeric|types.IsString) != 0 && basic.Info()&types.IsComplex == 0
	case option == "embed":
		f.problem = "the json option embed means something else from Go 1.27 on"
	case strings.HasPrefix(option, "format:"):
		f.problem = "from Go 1.27 on encoding/json refuses a struct with the json option format"
	}
}

// unnamedElem follows one pointer that is not a named type.
func unnamedElem(t types.Type) (types.Type, bool) {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem(), true
	}
	return t, false
}

// dominant leaves one field for each name, in the order of declaration.
func dominant(found []jsonField) []jsonField {
	slices.SortStableFunc(found, func(a, b jsonField) int {
		return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(len(a.index), len(b.index)),
			-compareBool(a.tagged, b.tagged), slices.Compare(a.index, b.index))
	})
	var out []jsonField
	for i := 0; i < len(found); {
		first, j := found[i], i+1
		for j < len(found) && found[j].name == first.name {
			j++
		}
		hidden := j > i+1 && len(found[i+1].index) == len(first.index) && found[i+1].tagged == first.tagged
		if !hidden {
			out = append(out, first)
		}
		i = j
	}
	slices.SortFunc(out, func(a, b jsonField) int { return slices.Compare(a.index, b.index) })
	return out
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// isJSONName reports whether encoding/json accepts the name of a tag.
func isJSONName(s string) bool {
	return s != "" && strings.IndexFunc(s, func(c rune) bool {
		return !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", c) && !unicode.IsLetter(c) && !unicode.IsDigit(c)
	}) < 0
}
