package faults

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

const header = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

// TestUpstream has the API fail in every way, for one and the same process.
func TestUpstream(t *testing.T) {
	upstream := prove.NewUpstream(t)
	upstream.Reply(good)
	client := prove.Start(t, environment(upstream), build(t), "-timeout", "2s")
	client.Call("listDomains", `{}`)
	before := descriptors(t, client.PID())

	write := func(parts ...string) prove.Answer {
		return prove.Answer{Stream: func(w io.Writer) error {
			_, err := io.WriteString(w, strings.Join(parts, ""))
			return err
		}}
	}
	for _, fault := range []struct {
		name   string
		answer prove.Answer
		fails  bool
		text   string
	}{
		{"dies in the middle of a body", write(header, "Content-Length: 1000\r\n\r\n", `["half`), true, ""},
		{"dies in the middle of a chunk", write(header, "Transfer-Encoding: chunked\r\n\r\n", "64\r\n[\"half"), true, ""},
		{"closes after the header", write(header, "Content-Length: 1000\r\n\r\n"), true, ""},
		{"closes before the header", write(), true, ""},
		{"dies in the middle of the header", write("HTTP/1.1 200 OK\r\nContent-Ty"), true, ""},
		{"says something else than HTTP", write("SSH-2.0-OpenSSH_9.9\r\n"), true, ""},
		{"hangs", prove.Answer{Hang: true}, true, "2s"},
		{"hangs after the header", prove.Answer{Stream: hangAfter(header + "Content-Length: 1000\r\n\r\n[")}, true, "2s"},
		{"answers byte by byte", prove.Answer{Stream: slowly(header + "Content-Length: 19\r\n\r\n" + `["letters.example"]`)}, false, "letters.example"},
		{"sends 1 GB", prove.Answer{Stream: endless(header + "Content-Length: 1073741824\r\n\r\n")}, false, ""},
		{"sends 1 GB in chunks", prove.Answer{Stream: endless(header + "Connection: close\r\n\r\n")}, false, ""},
	} {
		t.Run(fault.name, func(t *testing.T) {
			upstream.Reply(fault.answer)
			result := client.Call("listDomains", `{}`)
			if fault.fails != result.IsError && !strings.Contains(fault.name, "1 GB") {
				t.Errorf("isError is %v: %.300s", result.IsError, result.Raw)
			}
			if !strings.Contains(result.Text(), fault.text) || result.Text() == "" || len(result.Raw) > 1<<20 {
				t.Errorf("want %q in %d bytes: %.300s", fault.text, len(result.Raw), result.Raw)
			}
			upstream.Reply(good)
			if next := client.Call("listDomains", `{}`); next.IsError {
				t.Errorf("the next call gave %s", next.Raw)
			}
		})
	}
	eventually(t, "what was opened is closed", func() bool { return descriptors(t, client.PID()) <= before+1 })
	// The collector lets a process have 256 MB before it works for less.
	if most := memory(t, client.PID(), "VmHWM"); most > 400 {
		t.Errorf("it took %d MB", most)
	}
	if err := client.Close(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// slowly writes byte by byte.
func slowly(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		for i := range text {
			if _, err := io.WriteString(w, text[i:i+1]); err != nil {
				return err
			}
			time.Sleep(time.Millisecond) // it is what the test is about
		}
		return nil
	}
}

// hangAfter writes a text and nothing more, until the server gives up.
func hangAfter(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		for err == nil {
			time.Sleep(50 * time.Millisecond)
			_, err = io.WriteString(w, " ")
		}
		return err
	}
}

// endless writes 1 GB of text, or as much as the server takes.
func endless(head string) func(io.Writer) error {
	return func(w io.Writer) error {
		if _, err := io.WriteString(w, head+`["`); err != nil {
			return err
		}
		chunk := bytes.Repeat([]byte("a"), 1<<20)
		for range 1 << 10 {
			if _, err := w.Write(chunk); err != nil {
				return err
			}
		}
		return nil
	}
}
