package openapi

import (
	"strconv"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// skeleton writes an object of OpenAPI as JSON with a number in the place of
// every schema: kin-openapi holds numbers as float64 and forgets order, so no
// schema passes through it. See [Document.Schema] for the way back.
type skeleton struct {
	doc  *Document
	json []byte
}

func (n *normalizer) skeleton() *skeleton {
	return &skeleton{doc: n.doc, json: []byte{'{'}}
}

func (s *skeleton) key(key string) {
	if s.json[len(s.json)-1] != '{' {
		s.json = append(s.json, ',')
	}
	s.json = append(node.AppendString(s.json, key), ':')
}

func (s *skeleton) value(key string, v *node.Node) {
	s.key(key)
	s.json = node.AppendJSON(s.json, v)
}

// copy takes over the fields that n has.
func (s *skeleton) copy(n *node.Node, keys ...string) {
	for _, key := range keys {
		if v := n.Get(key); v != nil {
			s.value(key, v)
		}
	}
}

// schema writes the number of a schema; nothing for nil.
func (s *skeleton) schema(key string, v *node.Node) {
	if v == nil {
		return
	}
	number := len(s.doc.schemas)
	s.doc.schemas = append(s.doc.schemas, v)
	s.key(key)
	s.open()
	s.key(schemaKey)
	s.json = strconv.AppendInt(s.json, int64(number), 10)
	s.close()
}

func (s *skeleton) content(media []Media) {
	if len(media) == 0 {
		return
	}
	s.key("content")
	s.open()
	for _, m := range media {
		s.key(m.Type)
		s.open()
		s.schema("schema", m.Schema)
		s.schema("itemSchema", m.ItemSchema)
		if m.Encoding != nil {
			s.key("encoding")
			s.open()
			for key, e := range m.Encoding.Pairs() {
				s.key(key.Value)
				s.open()
				s.copy(e, "contentType", "style", "explode", "allowReserved")
				s.close()
			}
			s.close()
		}
		s.close()
	}
	s.close()
}

func (s *skeleton) open()  { s.json = append(s.json, '{') }
func (s *skeleton) close() { s.json = append(s.json, '}') }

func (s *skeleton) bytes() []byte { return append(s.json, '}') }
