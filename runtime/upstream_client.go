package runtime

import (
	"crypto/tls"
	"errors"
	"net/http"
	"sync"
)

// egress is what a server keeps between calls to talk to its upstream.
type egress struct {
	mu      sync.Mutex
	clients map[string]*http.Client // by mutualTLS scheme, "" for none
	tokens  map[string]*tokenSource // by scheme and scopes
}

// client returns the HTTP client that shows the certificate of a mutualTLS
// scheme, or for "" none. Redirects are left to [exchange.roundTrip].
func (s *Server) client(scheme string) (*http.Client, error) {
	s.egress.mu.Lock()
	defer s.egress.mu.Unlock()
	if c := s.egress.clients[scheme]; c != nil {
		return c, nil
	}
	client := &http.Client{}
	if s.config.HTTPClient != nil {
		*client = *s.config.HTTPClient
	}
	client.Jar = nil // nothing of one call goes into another
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	transport, plain := client.Transport.(*http.Transport)
	if client.Transport == nil {
		transport, plain = http.DefaultTransport.(*http.Transport)
		transport = transport.Clone()
		transport.MaxIdleConnsPerHost = transport.MaxIdleConns // all go to one host
		client.Transport = transport
	}
	if scheme != "" {
		pair, err := s.credential(scheme).certificate()
		if err != nil {
			return nil, err
		}
		if !plain {
			return nil, errors.New("the HTTP client that the server was given cannot show a client certificate")
		}
		transport = transport.Clone()
		if transport.TLSClientConfig == nil {
			transport.TLSClientConfig = &tls.Config{}
		}
		transport.TLSClientConfig.Certificates = append(transport.TLSClientConfig.Certificates, pair)
		client.Transport = transport
	}
	if s.egress.clients == nil {
		s.egress.clients = map[string]*http.Client{}
	}
	s.egress.clients[scheme] = client
	return client, nil
}
