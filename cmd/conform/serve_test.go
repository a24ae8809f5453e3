package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestServe follows results that grow.
func TestServe(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "reports", "testdata", "report.json"))
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
	s, err := newFollower(serveFlags{}, []string{file})
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
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
	s, err := newFollower(serveFlags{}, []string{filepath.Join("..", "..", "reports", "testdata", "report.json")})
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	for _, c := range []struct {
		method, url string
		want        int
	}{
		{"GET", "http://localhost/no-such.html", http.StatusNotFound},
		{"GET", "http://localhost/../../serve.go", http.StatusNotFound},
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
	for address, want := range map[string]string{"0.0.0.0:80": "of this machine alone", "example.org:80": "of this machine alone", "localhost": "-address"} {
		if _, err := listen(address); err == nil || !strings.Contains(err.Error(), want) {
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
