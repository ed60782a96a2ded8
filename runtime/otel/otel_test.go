package otel

import (
	"compress/gzip"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	metrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	traces "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	spans "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/seed7346ab69/toolmill/runtime"
)

// collector is an OTLP collector over HTTP that keeps what it is sent.
type collector struct {
	mu      sync.Mutex
	spans   []*spans.Span
	service string
	metrics map[string][]string // attributes of the data points by metric
	raw     strings.Builder
}

func (c *collector) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	var body io.Reader = r.Body
	if r.Header.Get("Content-Encoding") == "gzip" {
		body, _ = gzip.NewReader(r.Body)
	}
	data, _ := io.ReadAll(body)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.raw.Write(data)
	switch r.URL.Path {
	case "/v1/traces":
		var req traces.ExportTraceServiceRequest
		_ = proto.Unmarshal(data, &req)
		for _, resource := range req.ResourceSpans {
			c.service = text(resource.Resource.Attributes)
			for _, scope := range resource.ScopeSpans {
				c.spans = append(c.spans, scope.Spans...)
			}
		}
	case "/v1/metrics":
		var req metrics.ExportMetricsServiceRequest
		_ = proto.Unmarshal(data, &req)
		for _, resource := range req.ResourceMetrics {
			for _, scope := range resource.ScopeMetrics {
				for _, m := range scope.Metrics {
					for _, point := range m.GetHistogram().GetDataPoints() {
						c.metrics[m.Name] = append(c.metrics[m.Name], text(point.Attributes))
					}
				}
			}
		}
	}
}

// text is attributes as "name=value", sorted.
func text(attributes []*common.KeyValue) string {
	var all []string
	for _, a := range attributes {
		value := a.Value.GetStringValue()
		if value == "" {
			value = strings.TrimPrefix(a.Value.String(), "int_value:")
		}
		all = append(all, a.Key+"="+value)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

// call runs a server whose API is at base, calls getPet once over the SDK's
// client and closes both.
func call(t *testing.T, base, petID string, log *slog.Logger) {
	t.Helper()
	server := runtime.NewServer(runtime.Config{Log: log, Credentials: map[string]runtime.Credential{"key": {Key: "hunter2-secret"}}}, runtime.Definition{
		Name: "pets", Version: "1.2", Observe: Observe,
		Upstreams: []runtime.Upstream{{URL: base}},
		Auth:      []runtime.Auth{{Name: "key", Kind: runtime.APIKey, In: "query", Wire: "key"}},
		Schemas:   fstest.MapFS{"tools/getPet.json": {Data: []byte(`{"name":"getPet","inputSchema":{"type":"object"}}`)}},
		Tools: []runtime.Tool{{Name: "getPet", Handle: func(ctx context.Context, c *runtime.Call) (*runtime.Result, error) {
			req := c.Request("GET", "/pets/{petId}")
			req.Path("petId", c.Arg("petId"))
			req.Auth("key")
			return c.Do(ctx, req)
		}}},
	})
	mine, theirs := mcp.NewInMemoryTransports()
	ended := make(chan error, 1)
	go func() { ended <- server.Run(context.Background(), theirs) }()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "0"}, nil)
	session, err := client.Connect(t.Context(), mine, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{
		Meta: mcp.Meta{"traceparent": parent, "baggage": "user=ann"}, Name: "getPet", Arguments: map[string]any{"petId": petID},
	}); err != nil {
		t.Fatal(err)
	}
	session.Close()
	<-ended
	server.Close()
}

// environment sets the variables of OpenTelemetry, and no others.
func environment(t *testing.T, pairs ...string) {
	t.Helper()
	for _, name := range []string{"OTEL_SDK_DISABLED", "OTEL_TRACES_EXPORTER", "OTEL_METRICS_EXPORTER", "OTEL_EXPORTER_OTLP_ENDPOINT",
		"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_RESOURCE_ATTRIBUTES", "OTEL_SERVICE_NAME"} {
		t.Setenv(name, "")
	}
	for i := 0; i < len(pairs); i += 2 {
		t.Setenv(pairs[i], pairs[i+1])
	}
}

// TestTelemetry: a call is a span below the client's, its request one below that,
// which the API hears of; both are timed, and neither says what is secret.
func TestTelemetry(t *testing.T) {
	c := &collector{metrics: map[string][]string{}}
	collecting := httptest.NewServer(c)
	defer collecting.Close()
	environment(t, "OTEL_EXPORTER_OTLP_ENDPOINT", collecting.URL, "OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test")
	var header http.Header
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header = r.Header
		http.Error(w, "no such pet", http.StatusNotFound)
	}))
	defer api.Close()
	call(t, api.URL, "7", slog.New(slog.DiscardHandler))

	byName := map[string]*spans.Span{}
	for _, s := range c.spans {
		byName[s.Name] = s
	}
	tool, sent := byName["tools/call getPet"], byName["GET /pets/{petId}"]
	if tool == nil || sent == nil || byName["initialize"] == nil {
		t.Fatalf("spans: %v", c.spans)
	}
	trace, client, _ := strings.Cut(parent[3:52], "-")
	if hex(tool.TraceId) != trace || hex(tool.ParentSpanId) != client || hex(sent.TraceId) != trace || hex(sent.ParentSpanId) != hex(tool.SpanId) {
		t.Errorf("the spans are not below each other: %v, %v", tool, sent)
	}
	if want := "00-" + trace + "-" + hex(sent.SpanId) + "-01"; header.Get("Traceparent") != want || header.Get("Baggage") != "user=ann" {
		t.Errorf("the API got %v, want %s", header, want)
	}
	if got, want := text(tool.Attributes), "error.type=tool_error gen_ai.operation.name=execute_tool gen_ai.tool.name=getPet mcp.method.name=tools/call mcp.protocol.version=2025-11-25 network.transport=pipe"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	port := api.URL[strings.LastIndexByte(api.URL, ':')+1:]
	if got, want := text(sent.Attributes), "error.type=404 http.request.method=GET http.response.status_code=404 server.address=127.0.0.1 server.port="+port+
		" url.full="+api.URL+"/pets/7 url.template=/pets/{petId}"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if tool.Kind != spans.Span_SPAN_KIND_SERVER || sent.Kind != spans.Span_SPAN_KIND_CLIENT || tool.Status.Code != spans.Status_STATUS_CODE_ERROR || sent.Status.Code != spans.Status_STATUS_CODE_ERROR {
		t.Errorf("%v, %v", tool, sent)
	}
	for _, want := range []string{"service.name=pets", "service.version=1.2", "deployment.environment.name=test", "telemetry.sdk.language=go"} {
		if !strings.Contains(c.service, want) {
			t.Errorf("no %s in %s", want, c.service)
		}
	}
	if points := c.metrics["mcp.server.operation.duration"]; !slices.Contains(points, text(tool.Attributes)) {
		t.Errorf("operations: %q", points)
	}
	if points := c.metrics["http.client.request.duration"]; len(points) != 1 || strings.Contains(points[0], "url.full") {
		t.Errorf("requests: %q", points)
	}
	if strings.Contains(c.raw.String(), "hunter2-secret") || strings.Contains(c.raw.String(), "no such pet") {
		t.Error("a secret or a result is in the telemetry")
	}
}

func hex(id []byte) string {
	const digits = "0123456789abcdef"
	var b strings.Builder
	for _, c := range id {
		b.WriteByte(digits[c>>4])
		b.WriteByte(digits[c&15])
	}
	return b.String()
}

func TestEnvironment(t *testing.T) {
	const here = "http://127.0.0.1:1"
	for _, tc := range []struct {
		name            string
		env             []string
		traces, metrics bool
		log             string
	}{
		{"nothing", nil, false, false, ""},
		{"an endpoint", []string{"OTEL_EXPORTER_OTLP_ENDPOINT", here}, true, true, ""},
		{"one for traces", []string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", here}, true, false, ""},
		{"one for metrics", []string{"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", here}, false, true, ""},
		{"an exporter", []string{"OTEL_TRACES_EXPORTER", "otlp"}, true, false, ""},
		{"no metrics", []string{"OTEL_EXPORTER_OTLP_ENDPOINT", here, "OTEL_METRICS_EXPORTER", "none"}, true, false, ""},
		{"disabled", []string{"OTEL_EXPORTER_OTLP_ENDPOINT", here, "OTEL_SDK_DISABLED", "true"}, false, false, ""},
		{"an unknown exporter", []string{"OTEL_TRACES_EXPORTER", "zipkin"}, false, false, "there are otlp and none"},
		{"grpc", []string{"OTEL_EXPORTER_OTLP_ENDPOINT", here, "OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"}, false, false, "must be http/protobuf"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			environment(t, tc.env...)
			var log strings.Builder
			logger := slog.New(slog.NewTextHandler(&log, nil))
			if a, b := tracesSignal.on(logger), metricsSignal.on(logger); a != tc.traces || b != tc.metrics {
				t.Errorf("traces %v, metrics %v", a, b)
			}
			if !strings.Contains(log.String(), tc.log) || tc.log == "" && log.Len() > 0 {
				t.Errorf("log: %s", log.String())
			}
			if o, err := Observe("pets", "1", logger); err != nil || (o != nil) != (tc.traces || tc.metrics) {
				t.Errorf("%v, %v", o, err)
			}
		})
	}
}

// TestNoCollector: nobody listens, and the call works all the same.
func TestNoCollector(t *testing.T) {
	environment(t, "OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
	var reached bool
	api := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer api.Close()
	var log strings.Builder
	var mu sync.Mutex
	call(t, api.URL, "7", slog.New(slog.NewTextHandler(lockedWriter{&mu, &log}, nil)))
	mu.Lock()
	defer mu.Unlock()
	if !reached || !strings.Contains(log.String(), "level=WARN") || strings.Contains(log.String(), "hunter2-secret") {
		t.Errorf("reached: %v, log: %s", reached, log.String())
	}
}

type lockedWriter struct {
	mu *sync.Mutex
	w  io.Writer
}

func (w lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.w.Write(p)
}
