package runtime

import (
	"fmt"
	"net/http"
	"net/textproto"
	"strings"
)

// setHeaders writes header and cookie parameters.
func (r *Request) setHeaders(h http.Header) error {
	var cookies []string
	for i := range r.params {
		p := &r.params[i]
		switch p.in {
		case inHeader:
			if err := p.setHeader(h); err != nil {
				return err
			}
		case inCookie:
			list, err := p.cookies()
			if err != nil {
				return err
			}
			cookies = append(cookies, list...)
		}
	}
	if len(cookies) > 0 {
		h.Set("Cookie", strings.Join(cookies, "; "))
	}
	return nil
}

// setHeader writes a header as it is: headers are not percent-encoded (OpenAPI
// 3.1.1, appendix D). Text outside ASCII goes out as UTF-8.
func (p *param) setHeader(h http.Header) error {
	if belongsToConnection(p.name) {
		return nil
	}
	value := ""
	switch kind := kindOf(p.arg.Value); {
	case p.content != "" || kind != '[' && kind != '{':
		value = textOf(p.arg.Value)
	case p.style.delimiter() != ",":
		value = delimited(p.arg.Value, p.style, escapeNothing)
	default:
		value = simple(p.arg.Value, p.exploded(), escapeNothing)
	}
	if value == "" && (kindOf(p.arg.Value) == '[' || kindOf(p.arg.Value) == '{') {
		return nil // an empty list is no header
	}
	if err := checkLine(p.arg.Name, value); err != nil {
		return err
	}
	h.Set(p.name, value)
	return nil
}

// cookies returns the pairs of a cookie parameter. Exploded values are separate
// cookies: RFC 6570's & does not separate them (OpenAPI 3.1.1, appendix D).
func (p *param) cookies() ([]string, error) {
	escape := escapeAll
	if p.style == CookieStyle {
		escape = escapeNothing
	} else if p.reserved {
		escape = escapeQueryReserved
	}
	var list []pair
	if p.content != "" {
		list = []pair{{p.name, escapeAll(textOf(p.arg.Value))}}
	} else {
		list = pairs(p.name, p.arg.Value, p.style, p.exploded(), escape)
	}
	var out []string
	for _, it := range list {
		if err := checkLine(p.arg.Name, it.value); err != nil {
			return nil, err
		}
		if strings.Contains(it.value, ";") {
			return nil, fmt.Errorf("argument %q: a cookie must not hold a semicolon", p.arg.Name)
		}
		out = append(out, it.name+"="+it.value)
	}
	return out, nil
}

// addCookie appends to the one Cookie header that a request has (RFC 6265, 5.4).
func addCookie(h http.Header, name, value string) {
	if old := h.Get("Cookie"); old != "" {
		h.Set("Cookie", old+"; "+name+"="+value)
		return
	}
	h.Set("Cookie", name+"="+value)
}

// checkLine refuses what could end a header line, and other control characters.
func checkLine(argument, value string) error {
	if hasControl(value) {
		return fmt.Errorf("argument %q: a header must not hold line breaks or control characters", argument)
	}
	return nil
}

func hasControl(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\t' || c == 0x7f {
			return true
		}
	}
	return false
}

// belongsToConnection names headers that say how a message travels. The client
// writes them; no argument and no inbound header does.
func belongsToConnection(name string) bool {
	switch textproto.CanonicalMIMEHeaderKey(name) {
	case "Host", "Connection", "Content-Length", "Transfer-Encoding", "Trailer", "Te", "Upgrade", "Keep-Alive", "Proxy-Connection", "Proxy-Authorization":
		return true
	}
	return false
}
