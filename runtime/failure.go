package runtime

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"
)

// A failure has three parts, each on a line of its own: what happened and where,
// what the API said, what can be done about it. It holds the request's path and
// the upstream's host; never its query, a credential, or Go's words for it.

// maxSaid is how many bytes of what the API said about a failure are passed on.
const maxSaid = 8000

// where is the request in a sentence: "GET /pets/5 on api.test". The port is for
// the log: it says nothing to a model, and something about a network.
func (x *exchange) where() string {
	return fmt.Sprintf("%s %s on %s", x.method, ellipsis(x.url.EscapedPath(), 300), x.url.Hostname())
}

// tries says how often the request was sent, if more than once.
func (x *exchange) tries() string {
	if x.attempts > 1 {
		return fmt.Sprintf(" (tried %d times)", x.attempts)
	}
	return ""
}

// refusal is the result for a status outside the 2xx class.
func (x *exchange) refusal(resp *http.Response) *Result {
	text := []string{fmt.Sprintf("%s answered %s%s.", x.where(), statusText(resp.StatusCode), x.tries())}
	if said := x.said(resp); said != "" {
		text = append(text, said)
	}
	if lines := x.headerLines(resp.Header); len(lines) > 0 {
		text = append(text, "Headers: "+strings.Join(lines, "; "))
	}
	return Failure("%s", strings.Join(append(text, x.advice(resp)), "\n"))
}

// said is the body of a refusal as text: JSON as it is, HTML without its markup,
// nothing of a binary one.
func (x *exchange) said(resp *http.Response) string {
	body, err := decompress(resp)
	if err != nil {
		return ""
	}
	data, _ := io.ReadAll(x.within(1<<20, body)) // what came is better than nothing
	if len(bytes.TrimSpace(data)) == 0 {
		return ""
	}
	contentType := resp.Header.Get("Content-Type")
	switch mediaKind(contentType, data) {
	case jsonMedia, textMedia:
	default:
		return fmt.Sprintf("(%s of %s)", byteCount(int64(len(data))), baseType(contentType))
	}
	text := strings.TrimSpace(x.call.server.redact(string(toUTF8(contentType, data)))) // before a secret is cut in half
	switch {
	case isHTML(contentType, text):
		return ellipsis(htmlText(text), 600)
	case len(text) > maxSaid && json.Valid([]byte(text)):
		short, cuts, _ := shorten(json.RawMessage(text), maxSaid)
		return string(short) + "\n(" + strings.Join(cuts, ", ") + ")"
	}
	return ellipsis(text, maxSaid)
}

// advice says what a model can do about a status.
func (x *exchange) advice(resp *http.Response) string {
	switch code := resp.StatusCode; {
	case code == http.StatusNotModified:
		return "Nothing has changed since the version that the arguments name."
	case code >= 300 && code < 400:
		return "This redirect was not followed: requests keep to the host of the API."
	case code == http.StatusUnauthorized && len(x.access.schemes) == 0:
		return "It was sent without a credential. The operator of this server may have to set one; it is not an argument."
	case code == http.StatusUnauthorized || code == http.StatusProxyAuthRequired:
		return "The API did not accept this server's credential. Its operator has to look at it; no argument changes it."
	case code == http.StatusForbidden:
		return "The credential of this server does not allow this. Its operator can change that, an argument only if it names something else."
	case code == http.StatusNotFound || code == http.StatusGone:
		return "Nothing is there: check the ids and names in the arguments, for example by listing what exists."
	case code == http.StatusMethodNotAllowed || code == http.StatusNotImplemented:
		return "The API does not offer this operation here; another tool may do."
	case code == http.StatusConflict || code == http.StatusPreconditionFailed || code == http.StatusLocked:
		return "It does not fit the present state: read it again, then decide."
	case code == http.StatusRequestEntityTooLarge || code == http.StatusRequestURITooLong:
		return "The arguments are too large for the API: send less at a time."
	case code == http.StatusTooManyRequests:
		return "Too many requests: " + x.wait(resp, "wait before calling again") + "."
	case code == http.StatusRequestTimeout || code >= 500:
		return x.apiProblem(resp)
	case code >= 400:
		return "The API did not accept the arguments: correct what it names and call again."
	}
	return "This is not an answer that a tool can use."
}

// wait turns Retry-After into advice.
func (x *exchange) wait(resp *http.Response, otherwise string) string {
	if after, ok := retryAfter(resp.Header); ok {
		return fmt.Sprintf("call again after %d seconds, not earlier", int(after.Round(time.Second)/time.Second))
	}
	return otherwise
}

// apiProblem is the advice for a failure that is the API's.
func (x *exchange) apiProblem(resp *http.Response) string {
	const what = "The API has a problem of its own"
	if isIdempotent(x.method) {
		return what + ": " + x.wait(resp, "try again later") + "."
	}
	text := what + ". " + mayBeDone
	if _, ok := retryAfter(resp.Header); ok {
		text += " If it has not, " + x.wait(resp, "") + "."
	}
	return text
}

// mayBeDone is the advice where a request may have been carried out although no
// answer says so, and where sending it twice is not sending it once.
const mayBeDone = "It may have taken effect: check before calling again."

// again returns advice to call again, or to look first.
func (x *exchange) again(advice string) string {
	if isIdempotent(x.method) {
		return advice
	}
	return mayBeDone
}

// noAnswer is the result if no response came.
func (x *exchange) noAnswer(ctx context.Context, err error) *Result {
	problem := transportProblem(ctx, err)
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return Failure("%s was cancelled.", x.where())
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return Failure("%s had no answer within %s (timeout)%s. %s", x.where(), x.call.server.config.Timeout, x.tries(), x.again(laterOrLess))
	case problem == "":
		problem = "could not be sent"
	}
	advice := "Try again later; if it stays, the operator of this server has to look at it."
	if !neverSent(err) {
		advice = x.again(advice)
	}
	return Failure("%s failed%s: it %s. %s", x.where(), x.tries(), problem, advice)
}

// laterOrLess is what can be done about a call that took too long.
const laterOrLess = "Try again later, or ask for less."

// brokenAnswer is the result if a response began and cannot be used.
func (x *exchange) brokenAnswer(ctx context.Context, resp *http.Response, err error) *Result {
	answer := fmt.Sprintf("%s answered %s, ", x.where(), statusText(resp.StatusCode))
	switch {
	case errors.Is(err, errTooLarge):
		return Failure("%sbut with more than %s, which is all that this server reads. %s", answer, byteCount(x.call.server.config.MaxBody), x.howToNarrow())
	case errors.Is(err, errNoRoom):
		return Failure("%sbut this server has no room for it: all calls together hold %s of answers, and there may be no more. %s", answer,
			byteCount(x.call.server.config.MaxBodyTotal), x.again("Try again when other calls have ended, or ask for less at a time."))
	case errors.Is(err, errEncoding):
		return Failure("%sbut in the encoding %s, which this server did not ask for and cannot read.", answer, resp.Header.Get("Content-Encoding"))
	case errors.Is(ctx.Err(), context.Canceled):
		return Failure("%s was cancelled.", x.where())
	case isTimeout(ctx, err):
		return Failure("%sbut not to its end within %s (timeout). %s", answer, x.call.server.config.Timeout, x.again(laterOrLess))
	}
	return Failure("%sbut the answer ended early or was damaged on the way. %s", answer, x.again("Try again later."))
}

func isTimeout(ctx context.Context, err error) bool {
	var timeout interface{ Timeout() bool }
	return errors.Is(ctx.Err(), context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
}

// neverSent reports whether no connection came about.
func neverSent(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial" || isTLS(err) || isUnsendable(err)
}

// isUnsendable reports whether net/http refused to write the request.
func isUnsendable(err error) bool {
	return strings.Contains(err.Error(), "net/http: invalid header field")
}

// transportProblem says in words what kept a request from being answered; empty
// if there is no better word than that it failed.
func transportProblem(ctx context.Context, err error) string {
	var dns *net.DNSError
	switch {
	case isTimeout(ctx, err):
		return "did not answer in time"
	case errors.As(err, &dns):
		return "was not sent because the host's name cannot be resolved"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "was not sent because the connection was refused"
	case isTLS(err):
		return "was not sent because no trusted TLS connection came about: " + tlsProblem(err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "got no answer because the connection was closed early"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "was not sent because the host cannot be reached"
	case strings.Contains(err.Error(), "malformed HTTP"):
		return "got an answer that is not HTTP"
	case strings.Contains(err.Error(), "transport connection broken"), strings.Contains(err.Error(), "server response headers exceeded"):
		return "got an answer whose headers are damaged or too long"
	case strings.Contains(err.Error(), "failed to parse Location header"):
		return "got a redirect to what is no address"
	case isUnsendable(err):
		return "was not sent because the value of a header, a credential perhaps, holds a line break or another character that HTTP does not allow there"
	}
	return ""
}

func isTLS(err error) bool {
	var verify *tls.CertificateVerificationError
	var alert tls.AlertError
	var header tls.RecordHeaderError
	return errors.As(err, &verify) || errors.As(err, &alert) || errors.As(err, &header) ||
		errors.Is(err, http.ErrSchemeMismatch) || strings.Contains(err.Error(), "tls: ")
}

func tlsProblem(err error) string {
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	var header tls.RecordHeaderError
	switch {
	case errors.As(err, &unknown):
		return "the certificate's issuer is not trusted"
	case errors.As(err, &host):
		return "the certificate is for another host"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the certificate has expired or is not yet valid"
	case errors.As(err, &header), errors.Is(err, http.ErrSchemeMismatch):
		return "the other side does not speak TLS"
	}
	return "the handshake failed"
}
