package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"metalconform/reports"
	"metalconform/reports/html"
)

// sourceOf shows a file of results.
func sourceOf(name string) Source {
	return Source{
		Files: func() []string { return []string{name} },
		Site: func() (html.Site, error) {
			file, err := os.Open(name)
			if err != nil {
				return html.Site{}, err
			}
			defer file.Close()
			run, ok, err := reports.Read(file, name)
			if err == nil && !ok {
				err = fmt.Errorf("%s: no results", name)
			}
			return html.Site{View: reports.View{Run: run}}, err
		},
		Tell: func(error) {},
	}
}

// report is a file of results.
var report = filepath.Join("..", "testdata", "report.json")

// TestServe follows results that grow.
func TestServe(t *testing.T) {
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	file := filepath.Join(t.TempDir(), "results.jsonl")
	grow := func(n int) {
		t.Helper()
		if err := os.WriteFile(file, []byte(strings.Join(lines[:n], "")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	grow(2)
	s, err := New(t.TempDir(), sourceOf(file))
	if err != nil {
		t.Fatal(err)
	}
	before := get(t, s, "http://localhost/")
	if got := get(t, s, "http://localhost/generation"); got != "1" {
		t.Errorf("generation %s, want 1", got)
	}
	if changed, err := s.refresh(); changed || err != nil {
		t.Errorf("refreshed without news: %v, %v", changed, err)
	}
	grow(len(lines))
	if changed, err := s.refresh(); !changed || err != nil {
		t.Fatalf("not refreshed: %v, %v", changed, err)
	}
	if got := get(t, s, "http://127.0.0.1:7000/generation"); got != "2" {
		t.Errorf("generation %s, want 2", got)
	}
	after := get(t, s, "http://localhost/index.html")
	if before == after || !strings.Contains(after, `content="/generation 2"`) {
		t.Error("the first page does not follow")
	}
	if err := os.WriteFile(file, []byte("{}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := s.refresh(); err == nil {
		t.Error("no error of results that are none")
	}
	if got := get(t, s, "http://localhost/index.html"); got != after {
		t.Error("the pages did not stay")
	}
}

// TestServeRefuses asks for what is not served.
func TestServeRefuses(t *testing.T) {
	s, err := New(t.TempDir(), sourceOf(report))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		method, url string
		want        int
	}{
		{"GET", "http://localhost/no-such.html", http.StatusNotFound},
		{"GET", "http://localhost/../../serve.go", http.StatusNotFound},
		{"GET", "http://localhost/kernels", http.StatusNotFound},
		{"GET", "http://elsewhere.example/", http.StatusForbidden},
		{"POST", "http://localhost/", http.StatusMethodNotAllowed},
		{"GET", "http://[::1]:80/", http.StatusOK},
	} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(c.method, c.url, nil))
		if w.Code != c.want {
			t.Errorf("%s %s: %d, want %d", c.method, c.url, w.Code, c.want)
		}
	}
	for address, want := range map[string]string{"0.0.0.0:80": "of this machine alone",
		"example.org:80": "of this machine alone", "localhost": "-address"} {
		if _, err := Listen(address); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("listen %s: %v, want …%s…", address, err, want)
		}
	}
}

func get(t *testing.T, h http.Handler, url string) string {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, url, nil))
	if w.Code != http.StatusOK {
		t.Fatalf("%s: %d %s", url, w.Code, w.Body)
	}
	return w.Body.String()
}

// served serves a report on this machine until the test ends, and says where.
func served(t testing.TB) (s *Pages, address string) {
	t.Helper()
	s, err := New(t.TempDir(), sourceOf(report))
	if err != nil {
		t.Fatal(err)
	}
	listener, err := Listen("localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- Serve(ctx, listener, s) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return s, listener.Addr().String()
}

// stall connects a client that asks and does not read, or that asks for half a page.
func stall(t testing.TB, address string, half bool) {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if err := c.(*net.TCPConn).SetReadBuffer(1 << 12); err != nil {
		t.Fatal(err)
	}
	request := "GET / HTTP/1.1\r\nHost: localhost\r\n"
	if !half {
		request = strings.Repeat(request+"\r\n", 400)
	}
	if _, err := io.WriteString(c, request); err != nil {
		t.Fatal(err)
	}
}

// TestServeStalled has clients that stall: the others get their pages, and new pages are made.
func TestServeStalled(t *testing.T) {
	if testing.Short() {
		t.Skip("pages are written three times")
	}
	s, address := served(t)
	for i := range 20 {
		stall(t, address, i%2 == 0)
	}
	for want := range 2 {
		response, err := http.Get("http://" + address + generationPath)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || string(text) != fmt.Sprint(1+want) {
			t.Fatalf("generation %s, %v, want %d", text, err, 1+want)
		}
		s.seen = ""
		if changed, err := s.refresh(); !changed || err != nil {
			t.Fatalf("not refreshed: %v, %v", changed, err)
		}
	}
}

// Every answer, whatever was asked for, says what a page may load and that nobody is to guess what it is.
func TestServeHeaders(t *testing.T) {
	s, err := New(t.TempDir(), sourceOf(report))
	if err != nil {
		t.Fatal(err)
	}
	for _, url := range []string{"http://localhost/", "http://localhost" + generationPath, "http://localhost/none.html",
		"http://elsewhere.example/"} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, url, nil))
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'", "X-Content-Type-Options": "nosniff",
			"Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
		} {
			if got := w.Header().Get(name); !strings.HasPrefix(got, want) {
				t.Errorf("%s: %s is %q, want %s", url, name, got, want)
			}
		}
	}
}

// BenchmarkServe has 1000 clients that stall and 1000 that get a page every two seconds, and says
// how long these wait for it.
func BenchmarkServe(b *testing.B) {
	_, address := served(b)
	const each = 1000
	for i := range each {
		stall(b, address, i%2 == 0)
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: each}}
	for b.Loop() {
		waits := make([]time.Duration, 3*each)
		var clients sync.WaitGroup
		for i := range each {
			clients.Go(func() {
				time.Sleep(2 * time.Second * time.Duration(i) / each)
				for j := range 3 {
					begin := time.Now()
					response, err := client.Get("http://" + address + "/")
					if err != nil {
						b.Error(err)
						return
					}
					if _, err := io.Copy(io.Discard, response.Body); err != nil {
						b.Error(err)
					}
					response.Body.Close()
					waits[3*i+j] = time.Since(begin)
					time.Sleep(2*time.Second - waits[3*i+j])
				}
			})
		}
		clients.Wait()
		slices.Sort(waits)
		b.ReportMetric(float64(waits[len(waits)/2])/1e6, "ms-p50")
		b.ReportMetric(float64(waits[len(waits)*99/100])/1e6, "ms-p99")
	}
}

// A page is read once; one that is too large to be held comes from its file, as it is asked for.
func TestPageCache(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.html": "first", "b.html": "second"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	e := newPageCache(dir, 1)
	e.room = len("first")
	serve := func(name, part string) (bool, string, string) {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "http://localhost/"+name, nil)
		if part != "" {
			r.Header.Set("Range", part)
		}
		ok := e.serve(w, r, name)
		return ok, w.Body.String(), w.Header().Get("Content-Type")
	}
	for name, want := range map[string]string{"a.html": "first", "b.html": "second"} {
		if ok, text, kind := serve(name, ""); !ok || text != want || kind != "text/html; charset=utf-8" {
			t.Errorf("%s: %t, %q, %q", name, ok, text, kind)
		}
	}
	if ok, text, _ := serve("b.html", "bytes=0-2"); !ok || text != "sec" {
		t.Errorf("part of a file: %t, %q", ok, text)
	}
	if ok, _, _ := serve("c.html", ""); ok || e.held["c.html"] != nil {
		t.Error("what there is not is held")
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if ok, text, _ := serve("a.html", ""); !ok || text != "first" {
		t.Errorf("held: %t, %q", ok, text)
	}
	if ok, _, _ := serve("b.html", ""); ok {
		t.Error("more is held than there is room for")
	}
}
