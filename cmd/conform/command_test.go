package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"metalconform/internal/exit"
	"metalconform/reports"

	"github.com/google/go-cmp/cmp"
)

func TestLongFlags(t *testing.T) {
	got := longFlags([]string{"run", "-run", "a-b", "-v", "-o=x", "--seed", "-5", "-sweep=full", "-", "--", "-run"})
	want := []string{"run", "--run", "a-b", "-v", "-o=x", "--seed", "-5", "--sweep=full", "-", "--", "-run"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("longFlags (-want +got):\n%s", diff)
	}
}

// writerFunc is a writer that calls itself.
type writerFunc func(b []byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// An interrupted run keeps what it had, says so, and does not end like one
// that is whole.
func TestInterrupt(t *testing.T) {
	for _, begun := range []bool{false, true} {
		ctx, interrupt := context.WithCancel(context.Background())
		if !begun {
			interrupt()
		}
		stdout := writerFunc(func(b []byte) (int, error) {
			if bytes.HasPrefix(b, []byte(`{"case"`)) {
				interrupt()
			}
			return len(b), nil
		})
		var stderr bytes.Buffer
		dir := t.TempDir()
		status := conform(ctx, []string{"run", "-backend", "simulator", "-json", "-o", dir}, stdout, &stderr)
		if status != exit.Device {
			t.Errorf("status %d, want %d", status, exit.Device)
		}
		m := regexp.MustCompile(`conform run: interrupted after (\d+) of \d+ cases; their results are in (.*), and -resume goes on\n$`).FindStringSubmatch(stderr.String())
		if m == nil || m[2] != filepath.Join(dir, "results.partial.jsonl") {
			t.Fatalf("message %q", stderr.String())
		}
		file, err := os.Open(m[2])
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		run, ok, err := reports.Read(file, m[2])
		if n, _ := strconv.Atoi(m[1]); !ok || err != nil || run.Ending != nil || len(run.Flaws) > 0 || len(run.Results) != n || (n > 0) != begun {
			t.Errorf("begun %v: %d results, %v, %v; the message says %s", begun, len(run.Results), run.Flaws, err, m[1])
		}
	}
}

// A run whose results cannot be written stops.
func TestBrokenOutput(t *testing.T) {
	broken := writerFunc(func([]byte) (int, error) { return 0, errors.New("no room left") })
	var stderr bytes.Buffer
	args := []string{"run", "-backend", "simulator", "-json", "-run", "repeat_tiled_f32"}
	if status := conform(context.Background(), args, broken, &stderr); status != exit.Device {
		t.Errorf("status %d, want %d", status, exit.Device)
	}
	if !regexp.MustCompile(`conform run: stopped after \d+ of \d+ cases: no room left\n$`).MatchString(stderr.String()) {
		t.Errorf("message %q", stderr.String())
	}
}

func TestProgress(t *testing.T) {
	var b strings.Builder
	p := newProgress(&b, 3)
	if p.live {
		t.Fatal("a string is no terminal")
	}
	p.step("first", false)
	p.next = p.next.Add(-2 * lineInterval)
	p.step("second", true)
	p.step("third", true)
	p.clear()
	if want := "2 of 3 cases, 1 failed\n"; b.String() != want {
		t.Errorf("without a terminal %q, want %q", b.String(), want)
	}

	b.Reset()
	p = &progress{w: &b, live: true, width: 26, total: 2, begin: time.Now()}
	p.step("first", false)
	p.step("too soon after it", false)
	p.clear()
	if want := "\r\x1b[K1 of 2 cases  first\r\x1b[K"; b.String() != want {
		t.Errorf("on a terminal %q, want %q", b.String(), want)
	}
	b.Reset()
	p.next = p.next.Add(-2 * liveInterval)
	p.step("a long name", true)
	if want := "\r\x1b[K3 of 2 cases, 1 failed  a"; b.String() != want {
		t.Errorf("in a narrow terminal %q, want %q", b.String(), want)
	}
}

func TestPace(t *testing.T) {
	for _, test := range []struct {
		done, total int
		elapsed     time.Duration
		want        string
	}{
		{500, 6000, 999 * time.Millisecond, ""},
		{0, 6000, 5 * time.Second, ""},
		{500, 6000, 2 * time.Second, ", 250/s, 22s left"},
		{3, 400, 2 * time.Second, ", 1.5/s, 4m25s left"},
		{6000, 6000, 10 * time.Second, ", 600/s, 0s left"},
	} {
		if got := pace(test.done, test.total, test.elapsed); got != test.want {
			t.Errorf("%d of %d after %v: %q, want %q", test.done, test.total, test.elapsed, got, test.want)
		}
	}
}

func TestQuote(t *testing.T) {
	for s, want := range map[string]string{"a/b-c.d": "a/b-c.d", "a b": "'a b'", "it's": `'it'\''s'`, "$x": "'$x'"} {
		if got := quote(s); got != want {
			t.Errorf("quote(%q) = %s, want %s", s, got, want)
		}
	}
}
