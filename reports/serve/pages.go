package serve

import (
	"context"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"metalconform/internal/crash"
	"metalconform/internal/exit"
	"metalconform/reports/html"
)

// Source is what the pages show. Files and Site are called by one goroutine at a time, Tell by any number.
type Source struct {
	Files func() []string           // names of the results, whose sizes and times tell news
	Site  func() (html.Site, error) // reads the results
	Tell  func(error)               // is told what is wrong while the pages are served
}

// Pages are the pages of results that may grow. They are safe for several goroutines.
type Pages struct {
	source Source
	dir    string // has a directory for each generation

	seen  string // state of the results' files
	cache atomic.Pointer[pageCache]
}

// New makes the first pages in a directory.
func New(dir string, source Source) (*Pages, error) {
	p := &Pages{source: source, dir: dir}
	if _, err := p.refresh(); err != nil {
		return nil, err
	}
	return p, nil
}

// Follow looks for news until ctx ends. Making the pages takes at most a fifth of the time.
func (p *Pages) Follow(ctx context.Context) {
	wait, said := time.Second, ""
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		begin := time.Now()
		_, err := p.refresh()
		if err != nil && err.Error() != said {
			said = err.Error()
			p.source.Tell(err)
		}
		wait = max(time.Second, 4*time.Since(begin))
	}
}

// refresh makes the pages again if the results have changed, and reports whether it did. After an error the former
// pages stay.
func (p *Pages) refresh() (changed bool, err error) {
	now, live, err := state(p.source.Files())
	if err != nil || now == p.seen {
		return false, err
	}
	p.seen = now
	old, generation := p.cache.Load(), 1
	if old != nil {
		generation = old.generation + 1
	}
	dir := filepath.Join(p.dir, strconv.Itoa(generation))
	if err := p.write(dir, live, generation); err != nil {
		os.RemoveAll(dir)
		return false, err
	}
	p.cache.Store(newPageCache(dir, generation))
	if old != nil {
		os.RemoveAll(old.dir)
	}
	return true, nil
}

// quiet is how long results of a run that goes on stay as they are, at most: longer than a case takes on an old
// machine.
const quiet = time.Minute

// state tells the contents of files from those before, without reading them, and whether they may still grow.
func state(names []string) (text string, live bool, err error) {
	var b strings.Builder
	for _, name := range names {
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

// write makes the pages. Results may lead to a panic, which is an error like others.
func (p *Pages) write(dir string, live bool, generation int) (err error) {
	defer crash.Catch(&err)
	site, err := p.source.Site()
	if err != nil {
		return err
	}
	site.Live, site.Generation = live, fmt.Sprint(generationPath, " ", generation)
	if err := html.Write(dir, site); err != nil {
		return exit.With(exit.Device, err)
	}
	return nil
}

// generationPath is where a page asks for the generation of the pages.
const generationPath = "/generation"

// ServeHTTP serves one page, which loads a newer one when there is one.
func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		if x := recover(); x != nil {
			p.source.Tell(crash.New(x))
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
		fmt.Fprint(w, p.cache.Load().generation)
	default:
		p.page(w, r)
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
func (p *Pages) page(w http.ResponseWriter, r *http.Request) {
	name := path.Clean("/" + r.URL.Path)
	if strings.HasSuffix(r.URL.Path, "/") {
		name = path.Join(name, "index.html")
	}
	for range 2 {
		if p.cache.Load().serve(w, r, name) {
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
