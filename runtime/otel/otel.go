package otel

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"

	api "go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/metric"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/propagation"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	tracenoop "go.opentelemetry.io/otel/trace/noop"

	"github.com/seed7346ab69/toolmill/runtime"
)

// scope names what makes the spans and metrics.
const scope = "toolmill"

// observer records what a server does.
type observer struct {
	tracer     trace.Tracer
	operations metric.Float64Histogram
	requests   metric.Float64Histogram
	propagator propagation.TextMapPropagator
	close      []func(context.Context) error
}

// Observe returns the observer of a server, nil if the environment asks for none:
// see [signal.on]. Endpoints, headers, samplers, intervals and resource attributes
// are read from the environment by the OpenTelemetry SDK. It connects to nothing
// yet, and a collector that is away is a warning in the log, once it is missed.
func Observe(name, version string, log *slog.Logger) (runtime.Observer, error) {
	traces, metrics := tracesSignal.on(log), metricsSignal.on(log)
	if !traces && !metrics {
		return nil, nil
	}
	api.SetErrorHandler(api.ErrorHandlerFunc(func(err error) { log.Warn("telemetry", "error", err) }))
	ctx := context.Background()
	of, err := resource.New(ctx, resource.WithTelemetrySDK(),
		resource.WithAttributes(attribute.String("service.name", name), attribute.String("service.version", version)),
		resource.WithFromEnv()) // wins
	if err != nil {
		return nil, err
	}
	o := &observer{propagator: propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{})}
	if err := errors.Join(o.openTraces(ctx, of, traces), o.openMetrics(ctx, of, metrics)); err != nil {
		return nil, errors.Join(err, o.Close(ctx))
	}
	return o, nil
}

func (o *observer) openTraces(ctx context.Context, of *resource.Resource, on bool) error {
	if !on {
		o.tracer = tracenoop.NewTracerProvider().Tracer(scope)
		return nil
	}
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return err
	}
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(of))
	o.tracer = provider.Tracer(scope)
	o.close = append(o.close, provider.Shutdown)
	return nil
}

func (o *observer) openMetrics(ctx context.Context, of *resource.Resource, on bool) error {
	meter := metricnoop.NewMeterProvider().Meter(scope)
	if on {
		exporter, err := otlpmetrichttp.New(ctx)
		if err != nil {
			return err
		}
		provider := sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewPeriodicReader(exporter)), sdkmetric.WithResource(of))
		meter = provider.Meter(scope)
		o.close = append(o.close, provider.Shutdown)
	}
	var errOperations, errRequests error
	o.operations, errOperations = meter.Float64Histogram("mcp.server.operation.duration", metric.WithUnit("s"),
		metric.WithDescription("Time from a message to its answer."),
		metric.WithExplicitBucketBoundaries(0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300))
	o.requests, errRequests = meter.Float64Histogram("http.client.request.duration", metric.WithUnit("s"),
		metric.WithDescription("Time from a request to the API to the header of its response."),
		metric.WithExplicitBucketBoundaries(0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10))
	return errors.Join(errOperations, errRequests)
}

// Close implements [runtime.Observer].
func (o *observer) Close(ctx context.Context) error {
	var errs []error
	for _, close := range o.close {
		errs = append(errs, close(ctx))
	}
	return errors.Join(errs...)
}

// signal is one kind of telemetry, as the environment variables name it.
type signal string

const (
	tracesSignal  signal = "TRACES"
	metricsSignal signal = "METRICS"
)

// on reports whether the environment asks for a signal (OpenTelemetry
// specification, environment variables): by an endpoint, or by naming the
// exporter. A server is of more use than its telemetry, so what cannot be done is
// a warning.
func (s signal) on(log *slog.Logger) bool {
	if strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") {
		return false
	}
	exporter := "OTEL_" + string(s) + "_EXPORTER"
	switch value := os.Getenv(exporter); {
	case value == "none":
		return false
	case value == "" && cmp.Or(os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT"), os.Getenv("OTEL_EXPORTER_OTLP_"+string(s)+"_ENDPOINT")) == "":
		return false
	case value != "" && value != "otlp":
		log.Warn("this telemetry is off: there are otlp and none", exporter, value)
		return false
	}
	protocol := cmp.Or(os.Getenv("OTEL_EXPORTER_OTLP_"+string(s)+"_PROTOCOL"), os.Getenv("OTEL_EXPORTER_OTLP_PROTOCOL"))
	if protocol != "" && protocol != "http/protobuf" {
		log.Warn("this telemetry is off: the protocol must be http/protobuf", "signal", strings.ToLower(string(s)), "protocol", protocol)
		return false
	}
	return true
}
