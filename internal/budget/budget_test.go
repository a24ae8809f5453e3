package budget

import (
	"errors"
	"math"
	"strings"
	"sync"
	"testing"
)

// Every resource has a name of its own, a limit in each profile, and a message in one line that names the flag. What is
// not trusted gets no more than what is.
func TestTable(t *testing.T) {
	names := map[string]bool{}
	for r := range resources {
		row := table[r]
		if names[row.name] || row.of == "" || row.limit[Untrusted] < 1 || row.limit[Untrusted] > row.limit[Own] {
			t.Errorf("row %+v", row)
		}
		names[row.name] = true
		b := New(Own)
		if err := b.Take(r, row.limit[Own]); err != nil {
			t.Errorf("%s: %v", row.name, err)
		}
		var exceeded *Exceeded
		if err := b.Take(r, 1); !errors.As(err, &exceeded) || exceeded.Resource != r ||
			!strings.HasSuffix(err.Error(), "which -budget "+row.name+"=N can raise") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v", row.name, err)
		}
		b.Trust(Untrusted)
		if b.Limit(r) != row.limit[Untrusted] {
			t.Errorf("%s: %d", row.name, b.Limit(r))
		}
	}
}

// Flags set limits in both profiles, and say what they may be.
func TestSet(t *testing.T) {
	b := New(Own)
	for _, text := range []string{"cases=7", "rows=9"} {
		if err := b.Set(text); err != nil {
			t.Error(err)
		}
	}
	b.Trust(Untrusted)
	if b.Limit(Cases) != 7 || b.String() != "cases=7 rows=9" {
		t.Errorf("%d, %q", b.Limit(Cases), b)
	}
	for _, text := range []string{"", "cases", "cases=0", "cases=-1", "cases=x", "none=1",
		"cases=9223372036854775807"} {
		if err := b.Set(text); err == nil || !strings.Contains(err.Error(), "cases") {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

// What does not fit leaves nothing, numbers near the largest one do not wrap around, and no budget refuses nothing.
func TestTake(t *testing.T) {
	b := New(Own)
	for _, n := range []int64{-1, math.MaxInt64, math.MinInt64} {
		if b := New(Own); b.Take(Rows, n) == nil || b.Take(Rows, 1) == nil || b.Left(Rows) != 0 {
			t.Errorf("%d: is taken", n)
		}
		if b.Fits(Rows, n) == nil || b.Used(Rows) != 0 {
			t.Errorf("%d: fits", n)
		}
	}
	var none *Budget
	if none.Take(Rows, math.MaxInt64) != nil || none.Fits(Rows, math.MaxInt64) != nil || none.Left(Rows) < 1<<50 {
		t.Error("no budget refuses")
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 1000 {
				if err := b.Take(Rows, 1); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if b.Used(Rows) != 8000 {
		t.Errorf("%d rows", b.Used(Rows))
	}
}
