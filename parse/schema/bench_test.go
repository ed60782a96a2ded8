package schema

import (
	"testing"

	"github.com/seed7346ab69/toolmill/parse/diag"
)

// All inputSchemas of a document, with a new Converter each time.
func BenchmarkObject(b *testing.B) {
	for _, name := range []string{"github/api.github.com.json", "kubernetes/k8s.json", "stripe/stripe.yaml", "docusign/docusignv3.1.json", "discord/openapi.json"} {
		b.Run(name, func(b *testing.B) {
			d := realDocument(b, name)
			operations := d.operations()
			b.ReportAllocs()
			for b.Loop() {
				c := New(d, &diag.List{})
				size := 0
				for _, op := range operations {
					out, err := c.Object(op.props)
					if err != nil {
						b.Fatal(err)
					}
					size += len(out)
				}
				b.ReportMetric(float64(size), "schema-bytes")
			}
		})
	}
}
