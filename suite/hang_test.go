package suite

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
)

// TestHang: after the first case in which a kernel does not end its others fail without a launch,
// the same ones however many are under way at once.
func TestHang(t *testing.T) {
	k := product()
	k.Sweep.Refused, k.Sweep.Shapes = nil, nil
	var want []string
	const hangs = 3 // the first number of rows with which it does
	for n := 1; n <= 6; n++ {
		k.Sweep.Shapes = append(k.Sweep.Shapes, Shape{rows: n, wide: 8})
		text := ""
		switch {
		case n == hangs:
			text = "still in this loop"
		case n > hangs:
			text = fmt.Sprintf("not launched: the kernel does not end in product/rows=%d/n=8/input=normal", hangs)
		}
		want = append(want, text)
	}
	for _, parallel := range []int{1, 4} {
		var launches atomic.Int64
		list := results(t, k, func(d metalrun.Dispatch) error {
			launches.Add(1)
			if d.Threads.Y >= hangs {
				return &metalrun.Fault{Message: "still in this loop", Kind: metalrun.OutOfSteps}
			}
			return runProduct(d)
		}, Options{Parallel: parallel})
		var got []string
		for _, r := range list {
			text := ""
			for _, f := range r.Failures {
				text += f.Text
			}
			got = append(got, text)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d at once (-want +got):\n%s", parallel, diff)
		}
		if n := launches.Load(); parallel == 1 && n != hangs {
			t.Errorf("%d launches, want %d", n, hangs)
		}
		before := launches.Load()
		resumed := results(t, k, func(metalrun.Dispatch) error {
			launches.Add(1)
			return nil
		}, Options{Parallel: parallel, Judged: hangs + 1, Hung: []int{hangs - 1}})
		for i, r := range resumed {
			if n := launches.Load(); n != before || r.Failures[0].Text != want[hangs+1+i] {
				t.Errorf("%d at once, after an interrupt: %s: %v, %d launches", parallel, r.Case, r.Failures, n-before)
			}
		}
		if len(resumed) != 6-hangs-1 || !list[hangs-1].Hung {
			t.Errorf("%d at once: %d cases after an interrupt, and the one that hangs says so: %t", parallel,
				len(resumed), list[hangs-1].Hung)
		}
	}
}

// TestUnfinishedChecks tells a launch whose checks run out of time from one that does not end: nothing is known
// against the kernel, and its other cases are judged.
func TestUnfinishedChecks(t *testing.T) {
	k := product()
	k.Sweep.Refused, k.Sweep.Shapes = nil, []Shape{{rows: 1, wide: 8}, {rows: 2, wide: 8}}
	var got []Status
	for _, r := range results(t, k, func(d metalrun.Dispatch) error {
		if d.Threads.Y == 1 {
			return &metalrun.Fault{Message: "the checks still run", Kind: metalrun.Unfinished}
		}
		return runProduct(d)
	}, Options{}) {
		got = append(got, r.Status)
	}
	if want := []Status{Error, Pass}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
