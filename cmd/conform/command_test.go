package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

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
		m := regexp.MustCompile(`conform run: interrupted after (\d+) of \d+ cases; their results are in (.*), and ` +
			`-resume goes on\n$`).FindStringSubmatch(stderr.String())
		if m == nil || m[2] != filepath.Join(dir, "results.partial.jsonl") {
			t.Fatalf("message %q", stderr.String())
		}
		file, err := os.Open(m[2])
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		run, ok, err := reports.Read(file, m[2])
		if n, _ := strconv.Atoi(m[1]); !ok || err != nil || run.Ending != nil || len(run.Flaws) > 0 ||
			len(run.Results) != n || (n > 0) != begun {
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
	if !regexp.MustCompile(`conform run: stopped after \d+ of \d+ cases: no room left\n$`).
		MatchString(stderr.String()) {
		t.Errorf("message %q", stderr.String())
	}
}
