package runtime

import (
	"fmt"
	"log/slog"
	"strings"
)

// inspect does what -print-config and -check-config ask for.
func (p *process) inspect(s *Server, opts *options) int {
	if opts.print {
		opts.printConfig(p.stdout, s.redactor)
	}
	if opts.try {
		return p.checkConfig(s, opts)
	}
	return exitDone
}

// checkConfig says what a server would lack, and calls nobody: neither the API,
// nor an authorization server, nor the functions that a package starts with.
func (p *process) checkConfig(s *Server, opts *options) int {
	problems, notes := s.problems(opts)
	for _, problem := range problems {
		fmt.Fprintf(p.stderr, "error: %s\n", s.redact(problem))
	}
	for _, note := range notes {
		fmt.Fprintf(p.stderr, "note: %s\n", s.redact(note))
	}
	if len(problems) > 0 {
		return exitError
	}
	fmt.Fprintf(p.stdout, "nothing is missing; %s\n", counted(len(s.tools.byName), "tool"))
	return exitDone
}

// problems are the reasons why the server could not start, or no call could work,
// one line each. Notes are what only some calls lack.
func (s *Server) problems(opts *options) (problems, notes []string) {
	add := func(err error) {
		if err != nil {
			problems = append(problems, err.Error())
		}
	}
	add(opts.Config.check(&s.def))
	if err := opts.checkBaseURL(opts.baseURLSource(&s.def)); err != nil {
		add(err)
	} else {
		add(s.check())
	}
	for _, name := range s.def.environment {
		if _, ok := s.config.Environment[name]; !ok {
			problems = append(problems, fmt.Sprintf("%s is not set, nor %s_FILE: a function of this server asks for it", name, name))
		}
	}
	if lacking := s.lackingCredentials(); len(lacking) > 0 && !s.config.Mock {
		text := "credentials are not set: " + strings.Join(lacking, ", ")
		if len(lacking) == len(s.def.Auth) {
			problems = append(problems, text)
		} else {
			notes = append(notes, text+"; tools that need one of these say so when they are called")
		}
	}
	add(s.readTools())
	if opts.transport == "http" {
		add(opts.http.checkFiles(s))
	}
	return problems, notes
}

// readTools reads what the tools are, which a start does too.
func (s *Server) readTools() (err error) {
	if s.def.Tools, err = s.config.Offer.apply(&s.def); err != nil {
		return err
	}
	if s.tools, err = newToolset(&s.def, slog.New(slog.DiscardHandler)); err != nil {
		return err
	}
	s.extend(s.tools)
	if s.catalog, err = s.newCatalog(); err != nil {
		return err
	}
	_, err = s.tools.pages()
	return err
}

// checkFiles reads the files that serving over HTTP needs.
func (h *httpOptions) checkFiles(s *Server) error {
	if h.tlsCert != "" {
		if _, err := h.tlsConfig(s.log); err != nil {
			return err
		}
	}
	if h.inbound.tokens != "" {
		if _, err := s.watchTokens(h.inbound.tokens); err != nil {
			return fmt.Errorf("-auth-tokens: %w", err)
		}
	}
	return nil
}
