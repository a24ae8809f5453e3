package serve

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"metalconform/internal/exit"
)

// maxClients is the number of connections at a time: further ones wait. Each takes a file.
const maxClients = 4096

// clientBuffer is what the kernel keeps for a client, in bytes: a page of ordinary size.
const clientBuffer = 64 << 10

// Serve serves requests until ctx ends, whatever clients do: those that stall lose their
// connections, and what is written to them is held once for all.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	free := make(chan struct{}, maxClients)
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: 30 * time.Second,
		IdleTimeout:  30 * time.Second, MaxHeaderBytes: 16 << 10, ErrorLog: log.New(io.Discard, "", 0),
		ConnState: func(_ net.Conn, s http.ConnState) {
			if s == http.StateClosed {
				<-free
			}
		},
	}
	defer context.AfterFunc(ctx, func() { server.Close() })()
	return server.Serve(&bounded{listener, free})
}

// bounded is a listener that accepts a connection where there is room for it.
type bounded struct {
	net.Listener
	free chan struct{}
}

func (l *bounded) Accept() (net.Conn, error) {
	l.free <- struct{}{}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.free
		return nil, err
	}
	if t, ok := c.(*net.TCPConn); ok { // or the kernel keeps megabytes for who asks and does not read
		t.SetWriteBuffer(clientBuffer)
	}
	return c, nil
}

// Listen opens an address that only this machine can reach.
func Listen(address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, exit.Usagef("-address: %v", err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, exit.Usagef("-address %s: want an address of this machine alone, such as localhost:8080", address)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, exit.With(exit.Device, err)
	}
	return listener, nil
}
