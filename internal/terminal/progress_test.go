package terminal

import (
	"strings"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	var b strings.Builder
	p := NewProgress(&b, 3)
	if p.live {
		t.Fatal("a string is no terminal")
	}
	p.Step("first", false)
	p.next = p.next.Add(-2 * lineInterval)
	p.Step("second", true)
	p.Step("third", true)
	p.Clear()
	if want := "2 of 3 cases, 1 failed\n"; b.String() != want {
		t.Errorf("without a terminal %q, want %q", b.String(), want)
	}

	b.Reset()
	p = &Progress{w: &b, live: true, width: 26, total: 2, begin: time.Now()}
	p.Step("first", false)
	p.Step("too soon after it", false)
	p.Clear()
	if want := "\r\x1b[K1 of 2 cases  first\r\x1b[K"; b.String() != want {
		t.Errorf("on a terminal %q, want %q", b.String(), want)
	}
	b.Reset()
	p.next = p.next.Add(-2 * liveInterval)
	p.Step("a long name", true)
	if want := "\r\x1b[K3 of 2 cases, 1 failed  a"; b.String() != want {
		t.Errorf("in a narrow terminal %q, want %q", b.String(), want)
	}
}

func TestRate(t *testing.T) {
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
		if got := rate(test.done, test.total, test.elapsed); got != test.want {
			t.Errorf("%d of %d after %v: %q, want %q", test.done, test.total, test.elapsed, got, test.want)
		}
	}
}
