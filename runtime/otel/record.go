package otel

import (
	"context"
	"errors"
	"net/http"
	"os"
	"slices"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/seed7346ab69/toolmill/runtime"
)

// Received implements [runtime.Observer] (semantic conventions for MCP, server).
func (o *observer) Received(ctx context.Context, m runtime.Received) (context.Context, func(string)) {
	ctx = o.propagator.Extract(ctx, propagation.MapCarrier(m.Context))
	name, common := describe(m)
	own := given("mcp.session.id", m.Session, "mcp.resource.uri", m.Resource)
	ctx, span := o.tracer.Start(ctx, name, trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(append(own, common...)...))
	start := time.Now()
	return ctx, func(failure string) {
		if failure != "" {
			problem := given("error.type", failure)
			if failure != runtime.ToolError {
				problem = append(problem, attribute.String("rpc.response.status_code", failure))
			}
			span.SetStatus(codes.Error, "")
			span.SetAttributes(problem...)
			common = append(common, problem...)
		}
		span.End()
		o.operations.Record(ctx, time.Since(start).Seconds(), metric.WithAttributes(common...))
	}
}

// describe returns the name of a message's span, and the attributes that spans
// and metrics share: those with few values.
func describe(m runtime.Received) (name string, common []attribute.KeyValue) {
	name = m.Method
	common = given("mcp.method.name", m.Method, "mcp.protocol.version", m.Version,
		"gen_ai.tool.name", m.Tool, "gen_ai.prompt.name", m.Prompt)
	switch {
	case m.Tool != "":
		name += " " + m.Tool
		common = append(common, attribute.String("gen_ai.operation.name", "execute_tool"))
	case m.Prompt != "":
		name += " " + m.Prompt
	}
	if m.HTTP {
		return name, append(common, attribute.String("network.transport", "tcp"), attribute.String("network.protocol.name", "http"))
	}
	return name, append(common, attribute.String("network.transport", "pipe"))
}

// Sending implements [runtime.Observer] (semantic conventions for HTTP, client).
func (o *observer) Sending(r runtime.Sending) func(*http.Response, error) {
	method := methodOf(r.Request)
	common := given("http.request.method", method, "server.address", r.Request.URL.Hostname(), "url.template", r.Template)
	if port := portOf(r.Request); port > 0 {
		common = append(common, attribute.Int("server.port", port))
	}
	own := given("url.full", r.URL)
	if r.Attempt > 1 {
		own = append(own, attribute.Int("http.request.resend_count", r.Attempt-1))
	}
	ctx, span := o.tracer.Start(r.Request.Context(), method+" "+r.Template,
		trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(append(own, common...)...))
	o.propagator.Inject(ctx, propagation.HeaderCarrier(r.Request.Header))
	start := time.Now()
	return func(resp *http.Response, err error) {
		failure := ""
		switch {
		case err != nil:
			failure = errorType(err)
		case resp.StatusCode >= 400:
			failure = strconv.Itoa(resp.StatusCode)
		}
		if err == nil {
			common = append(common, attribute.Int("http.response.status_code", resp.StatusCode))
			span.SetAttributes(attribute.Int("http.response.status_code", resp.StatusCode))
		}
		if failure != "" {
			span.SetStatus(codes.Error, "")
			span.SetAttributes(attribute.String("error.type", failure))
			common = append(common, attribute.String("error.type", failure))
		}
		span.End()
		o.requests.Record(ctx, time.Since(start).Seconds(), metric.WithAttributes(common...))
	}
}

// methodOf keeps a document's own methods from becoming metrics without end.
func methodOf(req *http.Request) string {
	if slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY"}, req.Method) {
		return req.Method
	}
	return "_OTHER"
}

// portOf is the port of a request, 0 if there is none to know.
func portOf(req *http.Request) int {
	port, err := strconv.Atoi(req.URL.Port())
	switch {
	case err == nil:
		return port
	case req.URL.Scheme == "https":
		return 443
	case req.URL.Scheme == "http":
		return 80
	}
	return 0
}

// errorType classes what kept a request from being answered. The error's text
// may hold what is nobody's business.
func errorType(err error) string {
	switch {
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return "timeout"
	}
	return "_OTHER"
}

// given makes attributes of the pairs that have a value.
func given(pairs ...string) []attribute.KeyValue {
	var out []attribute.KeyValue
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			out = append(out, attribute.String(pairs[i], pairs[i+1]))
		}
	}
	return out
}
