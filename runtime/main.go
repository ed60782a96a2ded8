package runtime

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
)

// Exit codes of a server.
const (
	exitDone  = 0
	exitError = 1 // the configuration or the environment is wrong, or serving failed
	exitUsage = 2 // the command line is wrong
)

// Main is the whole of a generated server's main: it reads flags and
// environment, serves until the client disconnects or a signal comes, and exits.
//
// It calls newServer twice, first to learn what the server's definition asks the
// operator for. [NewServer] is cheap for that reason.
func Main(newServer func(Config) *Server) {
	tuneGC(os.Getenv)
	p := process{args: os.Args, getenv: os.Getenv, stdin: os.Stdin, stdout: protocolOut(), stderr: os.Stderr}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	os.Exit(p.run(ctx, newServer))
}

// process is what Main takes from the operating system.
type process struct {
	args           []string
	getenv         func(string) string
	stdin          io.Reader
	stdout, stderr io.Writer
}

func (p *process) run(ctx context.Context, newServer func(Config) *Server) int {
	unconfigured := newServer(Config{})
	def := unconfigured.def
	opts, err := p.configure(&def)
	var usage *usageError
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(p.stdout, opts.usage(&def, p.args[0]))
		return exitDone
	case errors.As(err, &usage):
		return p.fail(exitUsage, "%v (-h lists the flags)", err)
	case opts.version:
		return p.version(unconfigured)
	case err != nil:
		return p.fail(exitError, "%v", err)
	}
	opts.Log = newLogger(p.stderr, opts.logLevel, opts.logFormat)
	if opts.print || opts.try {
		return p.inspect(newServer(opts.Config), opts)
	}
	if err := opts.check(&def); err != nil {
		return p.fail(exitError, "%v", err)
	}
	if opts.trace != "" {
		file, err := openTrace(opts.trace)
		if err != nil {
			return p.fail(exitError, "%v", err)
		}
		defer file.Close()
		opts.Trace = file
	}
	server := newServer(opts.Config)
	slog.SetDefault(server.log)
	if err := cmp.Or(opts.checkBaseURL(opts.baseURLSource(&def)), server.check()); err != nil {
		return p.fail(exitError, "%s", server.redact(err.Error()))
	}
	if opts.Mock {
		server.log.Warn("this is a mock: answers are the document's examples, and nothing is sent")
	} else {
		server.warnOfCredentials(ctx)
	}
	defer server.Close()
	if opts.transport == "http" {
		err = server.serveHTTP(ctx, &opts.http)
	} else {
		err = server.serveLines(ctx, p.stdin, p.stdout, opts.http.grace)
	}
	if err != nil && ctx.Err() == nil {
		return p.fail(exitError, "%s", server.redact(err.Error()))
	}
	return exitDone
}

func (p *process) version(s *Server) int {
	tools, err := newToolset(&s.def, slog.Default())
	if err != nil {
		return p.fail(exitError, "%v", err)
	}
	text, err := versionText(s, tools)
	if err != nil {
		return p.fail(exitError, "%v", err)
	}
	fmt.Fprintln(p.stdout, text)
	return exitDone
}

// fail tells the operator why there is no server.
func (p *process) fail(code int, format string, args ...any) int {
	fmt.Fprintf(p.stderr, "error: "+format+"\n", args...)
	return code
}
