package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"metalconform/internal/crash"
	"metalconform/internal/exit"
	"metalconform/internal/session"
	"metalconform/reports/html"

	"github.com/spf13/cobra"
)

// serveFlags are the flags of conform serve.
type serveFlags struct {
	address  string
	browser  bool
	baseline []string
	mutants  string
	memory   session.ResultsMemory
}

func newServe() *cobra.Command {
	f := &serveFlags{}
	cmd := &cobra.Command{
		Use:   "serve [flags] RESULTS...",
		Short: "show results in a browser, and follow a run",
		Long: `Serve shows what conform run -o writes as the pages of conform report -format html,
on this machine only. The pages follow a run in progress: they are made again when
RESULTS have grown, and open ones reload without losing their place. An interrupt
ends it.`,
		Example: `conform run -sweep full -o out & conform serve out
conform serve -browser=false -address localhost:8080 part*`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return exit.Usagef("no results: name a file, or a directory that conform run -o has written")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return serve(cmd.Context(), *f, args, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.address, "address", "localhost:0", "listen at `HOST:PORT` of this machine; port 0 is any that is free")
	flags.BoolVar(&f.browser, "browser", true, "open the first page in a browser; -browser=false prints its address only")
	flags.StringArrayVar(&f.baseline, "baseline", nil, "say what has changed since `RESULTS`; repeatable, for shards")
	flags.StringVar(&f.mutants, "mutants", "", "also show the mutants in `FILE`, which conform mutate -json has written")
	f.memory.Add(flags)
	return cmd
}

// serve makes the pages, and serves them until ctx ends.
func serve(ctx context.Context, f serveFlags, args []string, stdout, stderr io.Writer) error {
	s, err := newFollower(f, args)
	if err != nil {
		return err
	}
	s.stderr = stderr
	defer s.close()
	listener, err := listen(f.address)
	if err != nil {
		return err
	}
	url := "http://" + listener.Addr().String() + "/"
	fmt.Fprintf(stdout, "%s\n", url)
	if f.browser {
		openBrowser(ctx, url)
	}
	go s.follow(ctx)
	if err := answer(ctx, listener, s); !errors.Is(err, http.ErrServerClosed) {
		return exit.With(exit.Device, err)
	}
	return nil
}

// maxClients is the number of connections at a time: further ones wait. Each takes a file.
const maxClients = 4096

// clientBuffer is what the kernel keeps for a client, in bytes: a page of ordinary size.
const clientBuffer = 64 << 10

// answer serves requests until ctx ends, whatever clients do: those that stall lose their
// connections, and what is written to them is held once for all.
func answer(ctx context.Context, listener net.Listener, handler http.Handler) error {
	free := make(chan struct{}, maxClients)
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second,
		IdleTimeout: 30 * time.Second, MaxHeaderBytes: 16 << 10, ErrorLog: log.New(io.Discard, "", 0),
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

// listen opens an address that only this machine can reach.
func listen(address string) (net.Listener, error) {
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

// openBrowser shows an address as the desktop does; where there is none, nobody
// needs to hear of it.
func openBrowser(ctx context.Context, url string) {
	command := "xdg-open"
	if runtime.GOOS == "darwin" {
		command = "open"
	}
	go exec.CommandContext(ctx, command, url).Run()
}

// follower is the pages of results that may grow. It is safe for several
// goroutines.
type follower struct {
	flags   serveFlags
	results []string
	scratch string
	close   func() // removes it
	stderr  io.Writer

	seen    string // state of the results' files
	edition atomic.Pointer[edition]
}

// newFollower makes the first pages.
func newFollower(f serveFlags, results []string) (*follower, error) {
	scratch, remove, err := session.NewScratch()
	if err != nil {
		return nil, exit.With(exit.Device, err)
	}
	s := &follower{flags: f, results: results, scratch: scratch, close: remove}
	if _, err := s.refresh(); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// follow looks for news until ctx ends. Making the pages takes at most a fifth of the
// time.
func (s *follower) follow(ctx context.Context) {
	wait, said := time.Second, ""
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		begin := time.Now()
		_, err := s.refresh()
		if err != nil && err.Error() != said {
			said = err.Error()
			s.tell(err)
		}
		wait = max(time.Second, 4*time.Since(begin))
	}
}

// tell says what is wrong, and of an internal error where a report of it is.
func (s *follower) tell(err error) {
	kept := ""
	var c *crash.Crash
	if errors.As(err, &c) {
		kept = keepCrash(append([]string{"serve"}, s.results...), c)
	}
	fmt.Fprintf(s.stderr, "conform serve: %v%s\n", err, kept)
}

// refresh makes the pages anew if the results have changed, and reports whether
// it did. After an error the old ones stay.
func (s *follower) refresh() (changed bool, err error) {
	now, live, err := state(s.results)
	if err != nil || now == s.seen {
		return false, err
	}
	s.seen = now
	old, generation := s.edition.Load(), 1
	if old != nil {
		generation = old.generation + 1
	}
	dir := filepath.Join(s.scratch, strconv.Itoa(generation))
	if err := s.make(dir, live, generation); err != nil {
		os.RemoveAll(dir)
		return false, err
	}
	s.edition.Store(newEdition(dir, generation))
	if old != nil {
		os.RemoveAll(old.dir)
	}
	return true, nil
}

// quiet is how long results of a run that goes on stay as they are, at most: longer than a
// case takes on an old machine.
const quiet = time.Minute

// state tells the contents of files from those before, without reading them, and whether
// they may still grow.
func state(names []string) (text string, live bool, err error) {
	var b strings.Builder
	for _, name := range names {
		name = session.ResultsFile(name)
		info, err := os.Stat(name)
		if err != nil {
			return "", false, exit.Usagef("%v", err)
		}
		fmt.Fprintln(&b, name, info.Size(), info.ModTime().UnixNano())
		live = live || time.Since(info.ModTime()) < quiet
	}
	fmt.Fprintln(&b, live)
	return b.String(), live, nil
}

// make is write, to which results may bring a panic.
func (s *follower) make(dir string, live bool, generation int) (err error) {
	defer crash.Catch(&err)
	return s.write(dir, live, generation)
}

// write makes the pages of what there is: a run that goes on is not whole.
func (s *follower) write(dir string, live bool, generation int) error {
	run, err := session.ReadRun(s.results, true, s.flags.memory.Room())
	if err != nil {
		return err
	}
	gate := session.VerdictFlags{BaselineFiles: s.flags.baseline, Memory: s.flags.memory}
	since, err := gate.Baseline(true)
	if err != nil {
		return err
	}
	view, err := gate.View(run, since, "")
	if err != nil {
		return err
	}
	figures, err := plotFlags{}.figures(run, since)
	if err != nil {
		return err
	}
	mutants, err := readMutants(s.flags.mutants)
	if err != nil {
		return err
	}
	if err := html.Write(dir, html.Site{View: view, Figures: figures, Mutants: mutants, Live: live, Generation: fmt.Sprint(generationPath, " ", generation)}); err != nil {
		return exit.With(exit.Device, err)
	}
	return nil
}

// generationPath is where a page asks for the generation of the pages.
const generationPath = "/generation"

// ServeHTTP serves one page, which loads a newer one when there is one.
func (s *follower) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		if p := recover(); p != nil {
			s.tell(crash.New(p))
			http.Error(w, "internal error", http.StatusInternalServerError)
		}
	}()
	maps.Copy(w.Header(), headers)
	switch {
	case !local(r.Host):
		http.Error(w, "this server is for its own machine", http.StatusForbidden)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		http.Error(w, "there are pages to get, and nothing else", http.StatusMethodNotAllowed)
	case r.URL.Path == generationPath:
		fmt.Fprint(w, s.edition.Load().generation)
	default:
		s.page(w, r)
	}
}

// headers keep pages to themselves.
var headers = http.Header{
	"Cache-Control":                {"no-store"},
	"Content-Security-Policy":      {html.Policy + "; frame-ancestors 'none'"},
	"Cross-Origin-Resource-Policy": {"same-origin"},
	"Referrer-Policy":              {"no-referrer"},
	"X-Content-Type-Options":       {"nosniff"},
}

// page serves a file of the pages, which may be replaced meanwhile: then that of the new ones.
func (s *follower) page(w http.ResponseWriter, r *http.Request) {
	name := path.Clean("/" + r.URL.Path)
	if strings.HasSuffix(r.URL.Path, "/") {
		name = path.Join(name, "index.html")
	}
	for range 2 {
		if s.edition.Load().serve(w, r, name) {
			return
		}
	}
	http.NotFound(w, r)
}

// local reports whether a request is addressed to this machine: a page from
// elsewhere that has its name point here is not.
func local(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
