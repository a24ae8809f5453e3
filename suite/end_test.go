package suite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
	"metalconform/metalrun/runnertest"
)

// endOfProduct is the product at the last three of many rows.
func endOfProduct(e End) Kernel {
	k := only(product(), "normal")
	k.Sweep = Sweep{Inputs: k.Sweep.Inputs, Ends: []End{e}}
	return k
}

// TestEnd launches the end of a launch: scalars and grid are those of the whole, the
// buffers are there as far as the shape says, and the oracle is asked about these.
func TestEnd(t *testing.T) {
	for _, test := range []struct {
		name string
		end  End
		want string
		of   string
	}{
		{"rows", End{Shape: Shape{rows: 3, wide: 8}, Of: Shape{rows: 1<<29 + 3}},
			"rows 536870915, n 8, grid {8 536870915 1}, skips 536870912, before x 17179869184, w 0, hits 0",
			"end_past_32_bits_of_rows_536870915"},
		{"fewer rows", End{Shape: Shape{rows: 3, wide: 8}, Of: Shape{rows: 1<<28 + 3}},
			"rows 268435459, n 8, grid {8 268435459 1}, skips 268435456, before x 8589934592, w 0, hits 0",
			"end_of_rows_268435459"},
		{"columns of one row", End{Shape: Shape{rows: 1, wide: 64}, Of: Shape{wide: 1<<20 + 64}},
			"rows 1, n 1048640, grid {1048640 1 1}, skips 32768, before x 4194304, w 2097152, hits 4194304",
			"end_of_n_1048640"},
		{"given", End{Shape: Shape{rows: 1, wide: 8}, Of: Shape{rows: 3, wide: 1 << 20},
			Before: map[string]int{"x": 2 << 20, "w": 0, "y": 2 << 20, "copy": 2 << 20, "hits": 0}},
			"rows 3, n 1048576, grid {1048576 3 1}, skips 98303, before x 8388608, w 0, hits 0",
			"end_of_rows_3_n_1048576"},
		{"a scalar of its own", End{Shape: Shape{rows: 3, wide: 8}, Of: Shape{rows: 1<<29 + 3},
			Set: map[string]float64{"n": 9}, Skip: 2},
			"rows 536870915, n 9, grid {8 536870915 1}, skips 536870914, before x 17179869184, w 0, hits 0",
			"end_past_32_bits_of_rows_536870915"},
	} {
		var seen string
		r := results(t, endOfProduct(test.end), func(d metalrun.Dispatch) error {
			m := runnertest.Memory{Dispatch: d}
			seen = fmt.Sprintf("rows %d, n %d, grid %v, skips %d, before x %d, w %d, hits %d", m.Bits(argParams, 0),
				m.Bits(argN, 0), d.Threads, d.Skip,
				d.Bindings[argX].Before, d.Bindings[argW].Before, d.Bindings[argHits].Before)
			if err := d.Check(1024); err != nil {
				return err
			}
			return runProduct(d)
		}, Options{})[0]
		if diff := cmp.Diff(test.want, seen); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		if r.Status != Pass || !strings.HasSuffix(r.Case, "/input="+test.of) {
			t.Errorf("%s: %s is a %s, want a pass of %s\n%s", test.name, r.Case, r.Status, test.of, r.Text())
		}
	}
}

// TestEndUnwritten leaves out what threadgroups that do not run would write.
func TestEndUnwritten(t *testing.T) {
	e := End{Shape: Shape{rows: 3, wide: 8}, Of: Shape{rows: 1 << 20}, Skip: 1,
		Unwritten: map[string][]Range{"y": {{0, 8}}}}
	lastRows := func(first int) func(metalrun.Dispatch) error {
		return func(d metalrun.Dispatch) error {
			m := runnertest.Memory{Dispatch: d}
			kept := make([]uint32, 8)
			for i := range kept {
				kept[i] = m.Bits(argY, i)
			}
			err := runProduct(d)
			for i, w := range kept[first:] {
				m.SetBits(argY, first+i, w)
			}
			return err
		}
	}
	if r := results(t, endOfProduct(e), lastRows(0), Options{})[0]; r.Status != Pass {
		t.Errorf("%s %s, want a pass", r.Status, r.Text())
	}
	if r := results(t, endOfProduct(e), lastRows(1), Options{})[0]; r.Status != Fail ||
		r.Failures[0].Check != CheckUntouched {
		t.Errorf("%s %s, want y[0, 0] to be left untouched", r.Status, r.Text())
	}
}

// TestEndOfDevices skips the case where a device takes whole launches alone, and has
// the host refuse a whole that it would.
func TestEndOfDevices(t *testing.T) {
	k := endOfProduct(End{Shape: Shape{rows: 3, wide: 8}, Of: Shape{rows: 1 << 20}})
	if r := results(t, k, func(metalrun.Dispatch) error { return metalrun.ErrWhole }, Options{})[0]; r.Status != Skip ||
		r.Reason != metalrun.ErrWhole.Error() {
		t.Errorf("%s %s, want a skip", r.Status, r.Text())
	}
	k.Check = func(s Shape) error {
		if s[rows] > 1000 {
			return fmt.Errorf("rows is %d, must be at most 1000", s[rows])
		}
		return nil
	}
	if r := results(t, k, runProduct, Options{})[0]; r.Status != Error ||
		!strings.Contains(r.Text(), "must be at most 1000") {
		t.Errorf("%s %s, want an error of the sweep", r.Status, r.Text())
	}
}

// TestWalks skips the end of a launch whose last threadgroups leave out its last elements, unless they leave them out
// in the large launch alone.
func TestWalks(t *testing.T) {
	k := endOfProduct(End{Shape: Shape{rows: 3, wide: 8}, Of: Shape{rows: 1<<20 + 3}})
	for _, test := range []struct {
		name   string
		leaves func(rows int) bool
		want   Status
	}{
		{"every end", func(int) bool { return true }, Skip},
		{"the large end", func(rows int) bool { return rows > 1<<16 }, Fail},
		{"no end", func(int) bool { return false }, Pass},
	} {
		r := results(t, k, func(d metalrun.Dispatch) error {
			if test.leaves(d.Threads.Y) {
				return nil
			}
			return runProduct(d)
		}, Options{})[0]
		if r.Status != test.want {
			t.Errorf("%s: %s %s, want a %s", test.name, r.Status, r.Text(), test.want)
		}
	}
}
