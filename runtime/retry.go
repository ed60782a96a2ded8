package runtime

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	maxAttempts  = 3
	maxRedirects = 5
	firstPause   = 200 * time.Millisecond
	// maxPause bounds what Retry-After may ask for. Beyond it the model is told,
	// and decides: hosts give up on a call after a minute or so.
	maxPause = 10 * time.Second
	// maxDrain bounds how long the rest of an answer may take that nobody reads.
	maxDrain = 100 * time.Millisecond
)

// send sends the request, again if that is safe and may help: an idempotent
// method (RFC 9110, 9.2.2), no connection or a passing refusal, and time left.
// A token that the upstream no longer accepts is fetched anew, once.
func (x *exchange) send(ctx context.Context) (*http.Response, error) {
	renewed := false
	for {
		x.attempts++
		resp, err := x.roundTrip(ctx)
		if err == nil && resp.StatusCode == http.StatusUnauthorized && x.access.token != nil && !renewed {
			renewed = true
			x.attempts--
			if x.renewToken(ctx) {
				discard(resp)
				continue
			}
		}
		pause, again := pauseAfter(ctx, x.attempts, resp, err)
		if !again || !isIdempotent(x.method) {
			return resp, err
		}
		discard(resp)
		x.call.server.log.Debug("trying again", "tool", x.call.tool.Name, "attempt", x.attempts, "pause", pause)
		if err := sleep(ctx, pause); err != nil {
			return nil, err
		}
	}
}

// sleep waits, but not longer than the call may take.
func sleep(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// renewToken replaces the access token and reports whether there is a new one.
func (x *exchange) renewToken(ctx context.Context) bool {
	x.access.token.forget(x.header.Get("Authorization"))
	authorization, err := x.access.token.authorization(ctx)
	if err != nil {
		return false
	}
	x.header.Set("Authorization", authorization)
	return true
}

// pauseAfter says whether it may help to send once more after so many attempts,
// the last of which gave resp or err, and how long to wait before.
func pauseAfter(ctx context.Context, attempts int, resp *http.Response, err error) (time.Duration, bool) {
	if attempts >= maxAttempts || ctx.Err() != nil {
		return 0, false
	}
	pause := firstPause << (attempts - 1)
	pause += rand.N(pause) // so that many clients do not come back at once
	if err != nil {
		return pause, isPassing(err) && fits(ctx, pause)
	}
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
	default:
		return 0, false
	}
	if asked, ok := retryAfter(resp.Header); ok {
		if asked > maxPause {
			return 0, false
		}
		pause = max(asked, pause)
	}
	return pause, fits(ctx, pause)
}

// fits reports whether there is time to wait and then some to send.
func fits(ctx context.Context, pause time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return !ok || time.Until(deadline) > 2*pause
}

// isIdempotent follows RFC 9110, 9.2.2; QUERY is safe by its own definition.
func isIdempotent(method string) bool {
	switch method {
	case "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "QUERY":
		return true
	}
	return false
}

// isPassing reports whether a failure to get an answer may be over in a moment.
func isPassing(err error) bool {
	var dns *net.DNSError
	if errors.As(err, &dns) {
		return dns.IsTemporary && !dns.IsNotFound
	}
	return errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// retryAfter reads Retry-After: seconds or a date (RFC 9110, 10.2.3).
func retryAfter(h http.Header) (time.Duration, bool) {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseInt(value, 10, 32); err == nil {
		return max(0, time.Duration(seconds)*time.Second), true
	}
	if date, err := http.ParseTime(value); err == nil {
		return max(0, time.Until(date)), true
	}
	return 0, false
}

// roundTrip sends the request once and follows redirects on the same host.
func (x *exchange) roundTrip(ctx context.Context) (*http.Response, error) {
	method, to, header, body := x.method, x.url, x.header, x.body
	for hop := 0; ; hop++ {
		req, err := newRequest(ctx, method, to, header, body)
		if err != nil {
			return nil, err
		}
		start := time.Now()
		sent := x.observeSending(req)
		resp, err := x.access.client.Do(req)
		sent(resp, err)
		x.log(ctx, req, resp, err, start)
		if err != nil {
			return nil, err
		}
		next := redirect(resp, to)
		if next == nil || hop == maxRedirects {
			return resp, nil
		}
		discard(resp)
		if resp.StatusCode == http.StatusSeeOther && method != "HEAD" {
			method, header, body = "GET", header.Clone(), nil
			header.Del("Content-Type")
		}
		to = next
	}
}

// newRequest makes one message. The URL is used as it is: http.NewRequest would
// parse text again.
func newRequest(ctx context.Context, method string, to *url.URL, h http.Header, body []byte) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, "", nil)
	if err != nil {
		return nil, err
	}
	req.URL, req.Host, req.Header = to, to.Host, h
	if body == nil {
		return req, nil
	}
	req.ContentLength = int64(len(body))
	req.GetBody = func() (io.ReadCloser, error) {
		if len(body) == 0 {
			return http.NoBody, nil
		}
		return io.NopCloser(bytes.NewReader(body)), nil
	}
	req.Body, _ = req.GetBody()
	return req, nil
}

// redirect returns where a response sends the request, if it may go there: the
// same host, and never from https to http. All but 303 keep method and body;
// RFC 9110, 15.4 lets a client make a GET of a POST, which would seem to succeed.
func redirect(resp *http.Response, from *url.URL) *url.URL {
	switch resp.StatusCode {
	case 301, 302, 303, 307, 308:
	default:
		return nil
	}
	location := resp.Header.Get("Location")
	if location == "" {
		return nil
	}
	to, err := from.Parse(location)
	if err != nil || to.User != nil {
		return nil
	}
	to.Fragment, to.RawFragment = "", ""
	same := to.Scheme == from.Scheme && strings.EqualFold(to.Host, from.Host)
	upgrade := from.Scheme == "http" && to.Scheme == "https" && strings.EqualFold(to.Hostname(), from.Hostname()) &&
		(from.Port() == "" || from.Port() == "80") && (to.Port() == "" || to.Port() == "443")
	if !same && !upgrade {
		return nil
	}
	return to
}

// discard reads what little a connection needs to be used again. An upstream
// that is slow to send it costs a connection, not the time of the call.
func discard(resp *http.Response) {
	if resp == nil {
		return
	}
	late := time.AfterFunc(maxDrain, func() { resp.Body.Close() })
	defer late.Stop()
	_, _ = io.CopyN(io.Discard, resp.Body, 64<<10)
	resp.Body.Close()
}

// log says what an operator wants to know of one message.
func (x *exchange) log(ctx context.Context, req *http.Request, resp *http.Response, err error, start time.Time) {
	log := x.call.server.log
	if err != nil {
		log.WarnContext(ctx, "no answer from the upstream", "tool", x.call.tool.Name, "method", req.Method,
			"host", req.URL.Host, "path", req.URL.Path, "error", err, "took", time.Since(start))
		return
	}
	if !log.Enabled(ctx, slog.LevelDebug) {
		return
	}
	log.DebugContext(ctx, "upstream answered", "tool", x.call.tool.Name, "method", req.Method,
		"host", req.URL.Host, "path", req.URL.Path, "status", resp.StatusCode, "took", time.Since(start))
}
