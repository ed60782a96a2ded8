package runtime

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// progressEvery bounds how often a stream reports progress.
const progressEvery = 250 * time.Millisecond

// isStream reports whether a body may come bit by bit: server-sent events, or one
// JSON value a line.
func isStream(contentType string) bool {
	return isEvents(contentType) || isLines(contentType)
}

func isEvents(contentType string) bool { return baseType(contentType) == "text/event-stream" }

// stream reads events or lines until the end, the limit of what the model is
// given, or the call's time is over, and hands over what came. Each one is
// progress.
func (x *exchange) stream(ctx context.Context, resp *http.Response, body io.Reader) *Result {
	next, what := lines, "line"
	if isEvents(resp.Header.Get("Content-Type")) {
		next, what = events, "event"
	}
	limit := x.call.server.config.MaxResponse
	if limit < 0 {
		limit = int(x.call.server.config.MaxBody)
	}
	whole := x.within(x.call.server.config.MaxBody+1, body)
	r := bufio.NewReader(whole)
	var all strings.Builder
	var reported time.Time
	var err error
	count := 0
	for {
		var one string
		one, err = next(r)
		if one != "" {
			one = x.call.server.redact(one) // progress does not pass through encode
			full := all.Len()+len(one) > limit
			if full && count > 0 {
				break
			}
			all.WriteString(cutText(one, limit))
			count++
			if full {
				break
			}
			if now := time.Now(); now.Sub(reported) >= progressEvery {
				reported = now
				x.call.progress(ctx, float64(count), 0, ellipsis(strings.TrimSpace(one), 200))
			}
		}
		if err != nil {
			break
		}
	}
	if err != nil && !errors.Is(err, io.EOF) && count == 0 {
		return x.brokenAnswer(ctx, resp, err)
	}
	x.noteHeaders(resp)
	switch {
	case err == nil || all.Len() >= limit || whole.left <= 0:
		x.call.note(fmt.Sprintf("%s, which is as much as this server passes on; there is more. %s", theFirst(count, what), x.howToNarrow()))
	case errors.Is(err, io.EOF):
	case errors.Is(err, errNoRoom):
		x.call.note(theFirst(count, what) + "; for more this server has no room while other calls hold large answers.")
	case ctx.Err() != nil:
		x.call.note(fmt.Sprintf("the stream was still open after %s, and had sent %s until then.", x.call.server.config.Timeout, counted(count, what)))
	default:
		x.call.note(fmt.Sprintf("the connection broke after %s; there may be more.", counted(count, what)))
	}
	if count == 0 {
		return Text(emptyText(resp, x.method))
	}
	return Text(strings.ToValidUTF8(all.String(), "\uFFFD"))
}

// lines reads one line with its end.
func lines(r *bufio.Reader) (string, error) {
	line, err := r.ReadString('\n')
	return strings.TrimPrefix(line, "\x1e"), err // RFC 7464 puts a record separator first
}

// events reads one server-sent event (HTML, 9.2.6) and returns its data on one
// line, or on several as it came, with the event's name before it if it has one.
// Comments, ids and retry times are for the connection, not for the model.
func events(r *bufio.Reader) (string, error) {
	var name string
	var data []string
	for {
		line, err := r.ReadString('\n')
		field, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "event":
			name = value
		case "data":
			data = append(data, value)
		}
		ended := err != nil || strings.TrimRight(line, "\r\n") == ""
		if !ended {
			continue
		}
		if data == nil {
			if err != nil {
				return "", err
			}
			name = ""
			continue
		}
		text := strings.Join(data, "\n") + "\n"
		if name != "" && name != "message" {
			text = name + ": " + text
		}
		return text, err
	}
}
