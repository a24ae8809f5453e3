package main

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
)

// A line that is too long is one request, and the session goes on behind it.
func TestRequestLine(t *testing.T) {
	long := strings.Repeat("x", 3*mostRequest)
	from := bufio.NewReader(strings.NewReader("a\n\n" + long + "\nb"))
	for _, want := range []string{"a\n", "\n", long[:mostRequest], "b"} {
		line, err := requestLine(from)
		if err != nil || !strings.HasPrefix(string(line), want) || len(line) > mostRequest != (len(want) == mostRequest) || len(line) > mostRequest+1<<16 {
			t.Errorf("%d bytes, %v, want %.10q", len(line), err, want)
		}
	}
	if line, err := requestLine(from); !errors.Is(err, io.EOF) {
		t.Errorf("behind the last: %q, %v", line, err)
	}
}
