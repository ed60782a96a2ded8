package openapi

import (
	"maps"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// The codes of what can go wrong with a $ref.
const (
	codeDangling = "dangling-ref"
	codeLoop     = "alias-loop"
	codeRefKind  = "ref-to-wrong-kind"
)

// resolver follows references. A reference is relative to the file it stands
// in, never to the document's root, so equal text in two files stays apart.
type resolver struct {
	files   *files
	root    *node.File
	memo    map[place]*node.Node // found from the root of a file
	indexes map[*node.File]*index
	ends    map[*node.Node]bool // targets whose chains of references end
	walking []*node.Node        // references that a pointer is being led through
}

type place struct {
	file    *node.File
	pointer string
}

func newResolver(f *files, root *node.File) *resolver {
	return &resolver{files: f, root: root, memo: map[place]*node.Node{}, indexes: map[*node.File]*index{}, ends: map[*node.Node]bool{}}
}

// Resolve returns the node that ref, the string under $ref, points to. That may
// be a reference again, but never one that leads nowhere or back to itself. The
// strings under $dynamicRef and $recursiveRef are followed the same way, as if
// no schema extended another. Errors are of type *[schema.Error].
func (d *Document) Resolve(ref *node.Node) (*node.Node, error) {
	target, err := d.refs.resolve(ref)
	if err != nil {
		return nil, err
	}
	return target, nil
}

func (r *resolver) resolve(ref *node.Node) (*node.Node, *schema.Error) {
	if ref == nil || ref.Kind != node.String || ref.File == nil {
		return nil, fault(ref.Pos(), codeRefKind, "write it as text, in quotes if need be", "$ref is not text")
	}
	target, err := r.find(ref)
	if err == nil {
		err = r.checkChain(ref, target)
	}
	return target, err
}

// link returns the string under $ref if n is a reference.
func link(n *node.Node) *node.Node {
	if ref := n.Get("$ref"); ref != nil && ref.Kind == node.String {
		return ref
	}
	return nil
}

// checkChain follows references that stand alone, and refuses those that lead
// back.
func (r *resolver) checkChain(first, target *node.Node) *schema.Error {
	chain := []*node.Node{first}
	seen := map[*node.Node]bool{target: true}
	for link(target) != nil && len(target.Items) == 2 && !r.ends[target] {
		ref := link(target)
		next, err := r.find(ref)
		if err != nil {
			return err
		}
		chain = append(chain, ref)
		if seen[next] {
			return loop(chain)
		}
		seen[next] = true
		target = next
	}
	maps.Copy(r.ends, seen)
	return nil
}

func loop(chain []*node.Node) *schema.Error {
	names := make([]string, len(chain))
	for i, ref := range chain {
		names[i] = refName(ref)
	}
	return fault(chain[0].Pos(), codeLoop, "give one of them content of its own",
		"the reference leads back to itself: %s", strings.Join(names, " -> "))
}

// refName is the last part of a reference, which is what people call its target.
func refName(ref *node.Node) string {
	doc, pointer, _ := strings.Cut(ref.Value, "#")
	if pointer == "" {
		return path.Base(doc)
	}
	tokens := strings.Split(pointer, "/")
	return unescape(tokens[len(tokens)-1])
}

// find returns the node that ref points to, whatever it is.
func (r *resolver) find(ref *node.Node) (*node.Node, *schema.Error) {
	doc, pointer, _ := strings.Cut(ref.Value, "#")
	if doc == "" {
		if !strings.HasPrefix(pointer, "/") {
			return r.named(ref, pointer)
		}
		target, err := r.lookup(ref, ref.File, pointer)
		if target == nil && err == nil {
			target, err = r.enclosed(ref, pointer)
		}
		return r.found(ref, target, err)
	}
	base := r.byID(ref, doc, isRemote(doc))
	if base == nil {
		file, err := r.files.open(ref.File, doc)
		if err != nil {
			if base = r.byID(ref, doc, true); base == nil {
				return nil, r.unopened(ref, err)
			}
		} else {
			base = file.Root
		}
	}
	if pointer != "" && !strings.HasPrefix(pointer, "/") {
		return r.found(ref, r.index(base.File).anchor(base, unescape(pointer)), nil)
	}
	if base == base.File.Root {
		target, err := r.lookup(ref, base.File, pointer)
		return r.found(ref, target, err)
	}
	target, err := r.walk(ref, base, pointer)
	return r.found(ref, target, err)
}

// lookup is walk from the root of a file, once for each pointer.
func (r *resolver) lookup(ref *node.Node, file *node.File, pointer string) (*node.Node, *schema.Error) {
	at := place{file, pointer}
	if n := r.memo[at]; n != nil {
		return n, nil
	}
	n, err := r.walk(ref, file.Root, pointer)
	if n != nil {
		r.memo[at] = n
	}
	return n, err
}

func (r *resolver) found(ref, target *node.Node, err *schema.Error) (*node.Node, *schema.Error) {
	if err != nil {
		return nil, err
	}
	if target == nil {
		return nil, fault(ref.Pos(), codeDangling, r.suggest(ref), "$ref %q points to nothing", ref.Value)
	}
	return target, nil
}

// unopened says why the file of a reference cannot be used.
func (r *resolver) unopened(ref *node.Node, err *schema.Error) *schema.Error {
	reason := err.Message
	doc, _, _ := strings.Cut(ref.Value, "#")
	if p := err.Pos.String(); p != "" && p != doc {
		reason = p + ": " + reason
	}
	code := err.Code
	if code != codeOutside && code != codeRemote {
		code = "unreadable-ref"
	}
	hint := err.Hint
	switch {
	case hint != "":
	case err.Code == codeUnreadable && !isRemote(doc) && !isRemote(ref.File.Location):
		hint = "the path starts at the folder of " + ref.File.Name + ", where the $ref stands"
	case err.Code == codeUnreadable:
		hint = "see that the address answers, or save the file beside the document"
	default:
		hint = "correct that file, or refer to another"
	}
	return fault(ref.Pos(), code, hint, "$ref %q: %s", ref.Value, reason)
}

// walk follows a JSON pointer (RFC 6901) from n and returns nil when it leads
// nowhere. Where a step has no such key but is a reference, the walk goes on at
// its target: whole sections of a document may stand in other files.
func (r *resolver) walk(ref, n *node.Node, pointer string) (*node.Node, *schema.Error) {
	if pointer == "" || pointer == "/" && n.Get("") == nil {
		return n, nil
	}
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		next := step(n, token)
		for next == nil && link(n) != nil {
			through, err := r.through(ref, link(n))
			if err != nil {
				return nil, err
			}
			n = through
			next = step(n, token)
		}
		if next == nil {
			return nil, nil
		}
		n = next
	}
	return n, nil
}

// through resolves a reference that the pointer of ref leads through.
func (r *resolver) through(ref, via *node.Node) (*node.Node, *schema.Error) {
	if slices.Contains(r.walking, via) {
		return nil, loop(append([]*node.Node{ref}, r.walking...))
	}
	r.walking = append(r.walking, via)
	defer func() { r.walking = r.walking[:len(r.walking)-1] }()
	return r.resolve(via)
}

// step takes one step of a pointer. A key is looked for as RFC 6901 writes it
// and then percent-decoded, as people disagree about the order.
func step(n *node.Node, token string) *node.Node {
	if n.Kind == node.Sequence {
		if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(n.Items) {
			return n.Items[i]
		}
		return nil
	}
	if v := n.Get(untilde(token)); v != nil {
		return v
	}
	return n.Get(unescape(token))
}

var (
	tildes   = strings.NewReplacer("~1", "/", "~0", "~")
	noTildes = strings.NewReplacer("~", "~0", "/", "~1")
)

func untilde(token string) string { return tildes.Replace(token) }

func unescape(token string) string {
	if decoded, err := url.PathUnescape(token); err == nil {
		token = decoded
	}
	return untilde(token)
}

// escapePointer makes a key part of a JSON pointer.
func escapePointer(key string) string { return noTildes.Replace(key) }

// suggest says what a reference that points to nothing may have been meant for:
// the name most like its last step, else what there is. Other files are not looked
// into: what they hold is not ours to tell.
func (r *resolver) suggest(ref *node.Node) string {
	doc, pointer, _ := strings.Cut(ref.Value, "#")
	i := strings.LastIndexByte(pointer, '/')
	switch {
	case doc != "":
		return "correct what stands behind the #: " + doc + " has no such part"
	case i < 0:
		return "a name behind the # is the $anchor of a schema, and none has it"
	}
	name, parent := unescape(pointer[i+1:]), pointer[:i]
	if parent == "/definitions" {
		if v, err := r.walk(ref, r.root.Root, "/components/schemas/"+pointer[i+1:]); v != nil && err == nil {
			return "did you mean #/components/schemas/" + name + "?"
		}
	}
	var names []string
	section, err := r.walk(ref, ref.File.Root, parent)
	for k := range section.Pairs() {
		names = append(names, k.Value)
	}
	if best := diag.Nearest(name, names); best != "" {
		return "did you mean #" + parent + "/" + escapePointer(best) + "?"
	}
	switch {
	case err != nil || section == nil:
		return "add #" + parent + ", which the file does not have, or refer to another place"
	case len(names) == 0:
		return "add it to #" + parent + ", which has no keys, or refer to another place"
	}
	if more := len(names) - maxSuggested; more > 0 {
		names = append(names[:maxSuggested], "and "+strconv.Itoa(more)+" more")
	}
	return "#" + parent + " has " + strings.Join(names, ", ")
}

// maxSuggested is how many names a hint lists.
const maxSuggested = 10
