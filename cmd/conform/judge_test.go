package main

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"metalconform/internal/session"
)

// A line that is too long is one request, and the session goes on behind it.
func TestRequestLine(t *testing.T) {
	long := strings.Repeat("x", 3*mostRequest)
	from := bufio.NewReader(strings.NewReader("a\n\n" + long + "\nb"))
	for _, want := range []string{"a\n", "\n", long[:mostRequest], "b"} {
		line, err := requestLine(from)
		if err != nil || !strings.HasPrefix(string(line), want) ||
			len(line) > mostRequest != (len(want) == mostRequest) || len(line) > mostRequest+1<<16 {
			t.Errorf("%d bytes, %v, want %.10q", len(line), err, want)
		}
	}
	if line, err := requestLine(from); !errors.Is(err, io.EOF) {
		t.Errorf("behind the last: %q, %v", line, err)
	}
}

// A line without an end, and lines that are no requests, end a session; some of these between requests do not.
func TestEndlessRequests(t *testing.T) {
	if _, err := requestLine(bufio.NewReader(endless{})); err == nil ||
		!strings.Contains(err.Error(), "a line has more than") {
		t.Errorf("a line without an end: %v", err)
	}
	j, err := (judgeFlags{spec: session.Specifications{Files: []string{"none.star"}}, timeout: time.Second,
		steps: 1}).judge()
	if err != nil {
		t.Fatal(err)
	}
	some := strings.Repeat("\n", mostBad-1)
	for _, test := range []struct{ lines, want string }{
		{some + "{}\n" + some, ""},
		{some + "\n" + "{}\n", "1024 lines in a row are no requests"},
	} {
		var out strings.Builder
		err := serveRequests(t.Context(), j, strings.NewReader(test.lines), &out)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, want %q", err, test.want)
		}
	}
}

// endless is an input without ends of lines.
type endless struct{}

func (endless) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}
