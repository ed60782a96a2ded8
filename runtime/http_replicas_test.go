package runtime

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

var listening = regexp.MustCompile(`msg=listening url=http://(\S+)/mcp`)

// replica starts this binary as a server over HTTP and returns its address.
func replica(t *testing.T, args ...string) (*exec.Cmd, string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, append([]string{"-transport=http", "-addr=127.0.0.1:0"}, args...)...)
	cmd.Env = append(os.Environ(), sampleEnv+"=1")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if m := listening.FindStringSubmatch(lines.Text()); m != nil {
			go func() {
				for lines.Scan() { // what is not read would block it
				}
			}()
			return cmd, m[1]
		}
	}
	t.Fatal("the server does not listen")
	return nil, ""
}

// nginx runs nginx before the addresses and returns a client of it. Its location
// is as its manual has it, but for one line.
func nginx(t *testing.T, line string, addresses ...string) *site {
	t.Helper()
	program, err := exec.LookPath("nginx")
	if err != nil {
		if program = "/usr/sbin/nginx"; !exists(program) {
			t.Skip("nginx is not installed")
		}
	}
	dir := t.TempDir()
	socket := filepath.Join(dir, "s")
	servers := ""
	for _, address := range addresses {
		servers += " server " + address + ";"
	}
	writeFile(t, filepath.Join(dir, "conf"), fmt.Sprintf(`
daemon off;
pid %[1]s/pid;
error_log stderr crit;
events {}
http {
	access_log off;
	client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy;
	fastcgi_temp_path %[1]s/fastcgi; uwsgi_temp_path %[1]s/uwsgi; scgi_temp_path %[1]s/scgi;
	upstream replicas {%[2]s }
	server {
		listen unix:%[3]s;
		location /mcp { proxy_pass http://replicas; %[4]s }
	}
}
`, dir, servers, socket, line))
	cmd := exec.CommandContext(t.Context(), program, "-p", dir, "-e", "stderr", "-c", filepath.Join(dir, "conf"))
	var said strings.Builder
	cmd.Stderr = &said
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // ends its workers too
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	t.Cleanup(func() { cmd.Process.Signal(os.Interrupt); <-ended })
	eventually(t, "nginx listens", func() bool {
		select {
		case <-ended:
			t.Fatalf("nginx ended: %s", said.String())
		default:
		}
		conn, err := net.Dial("unix", socket)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}
	return &site{t: t, url: "http://mcp.example.com/mcp", client: &http.Client{Transport: &http.Transport{DialContext: dial, MaxIdleConnsPerHost: 32}}}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Behind nginx as its manual sets it up, and with the client's Host.
func TestHTTPBehindNginx(t *testing.T) {
	_, address := replica(t)
	for _, line := range []string{"", "proxy_set_header Host $host;"} {
		s := nginx(t, line, address)
		session := s.open()
		if a := s.send("POST", callLine(1, "echo", `{"id":1}`), session...); a.status != 200 || !strings.Contains(a.body, `{"id":1}`) {
			t.Errorf("%q: %+v", line, a)
		}
		if a := s.modernCall("echo", `{"id":1}`); a.status != 200 {
			t.Errorf("%q: %+v", line, a)
		}
		if a := s.modernCall("echo", `{"id":1}`, "Origin: http://evil.example", "Host: evil.example"); a.status != 403 {
			t.Errorf("%q: %+v", line, a)
		}
		// Progress comes while the call runs: nothing is held back.
		ctx, leave := context.WithCancel(t.Context())
		body := strings.Replace(modernBody("tools/call", `"name":"waits","arguments":{}`), `"_meta":{`, `"_meta":{"progressToken":"p",`, 1)
		if got := <-s.begin(ctx, body, modern("tools/call", "Mcp-Name: waits")...); !strings.Contains(got, "half") {
			t.Errorf("%q: %s", line, got)
		}
		leave()
	}
}

// Three replicas without sessions; one is killed while clients of both eras
// call. What is lost is at most the call that a client had there.
func TestHTTPReplicas(t *testing.T) {
	var cmds []*exec.Cmd
	var addresses []string
	for range 3 {
		cmd, address := replica(t, "-stateless")
		cmds, addresses = append(cmds, cmd), append(addresses, address)
	}
	s := nginx(t, "", addresses...)
	const clients, calls = 12, 60
	var done atomic.Int32
	var killed sync.Once
	var running sync.WaitGroup
	lost := make([]int, clients)
	for c := range clients {
		running.Go(func() {
			for i := range calls {
				if done.Add(1) > clients*calls/3 {
					killed.Do(func() { cmds[1].Process.Kill() })
				}
				want := fmt.Sprintf(`{"id":%d}`, c*calls+i)
				var got string
				if c%2 == 0 {
					got = s.attempt(modernBody("tools/call", `"name":"echo","arguments":`+want), modern("tools/call", "Mcp-Name: echo")...)
				} else {
					got = s.attempt(callLine(1, "echo", want), "Mcp-Protocol-Version: 2025-11-25")
				}
				if !strings.Contains(got, `"structuredContent":`+want) {
					lost[c]++
				}
			}
		})
	}
	running.Wait()
	for c, n := range lost {
		if n > 1 {
			t.Errorf("client %d lost %d calls", c, n)
		}
	}
	t.Logf("lost by client: %v", lost)
}

// attempt is send where the connection may break.
func (s *site) attempt(body string, headers ...string) string {
	return <-s.begin(s.t.Context(), body, headers...)
}
