package kernels

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/tabwriter"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
)

// The work of the simulator is counted, not timed: the same launches take the same number of
// instructions on every machine. testdata/work.txt has the numbers, each with the reason for its
// last change.

var reason = flag.String("reason", "",
	"TestCountedWork, with -update, records the work as it is now, and this as the reason for what has changed")

const workFile = "testdata/work.txt"

// counted is the work of a kernel's launch: instructions as it is, observed and executed
// exactly, and allocations as it is.
type counted struct{ plain, observed, exact, allocations int64 }

func (w counted) String() string {
	return fmt.Sprintf("%d\t%d\t%d\t%d", w.plain, w.observed, w.exact, w.allocations)
}

// baseline is a line of the file.
type baseline struct {
	counted
	why string
}

// TestCountedWork compares what launches of the families' kernels take with the baseline. Less is
// to be recorded as well as more.
func TestCountedWork(t *testing.T) {
	if testing.Short() {
		t.Skip("observes and executes exactly a kernel of each family")
	}
	want, now := readWork(t), map[string]counted{}
	for _, c := range speedCases() {
		c.shape = maps.Clone(c.shape)
		maps.Copy(c.shape, c.tested)
		now[c.kernel] = countWork(t, c)
	}
	if *update {
		writeWork(t, want, now)
		return
	}
	for name, got := range now {
		w, ok := want[name]
		if !ok {
			t.Errorf("%s: %s has no line; -update -reason '…' writes it", name, workFile)
			continue
		}
		most := w.allocations + w.allocations/8 // the runtime has some of its own
		alike := counted{got.plain, got.observed, got.exact, w.allocations}
		if alike != w.counted || got.allocations > most {
			t.Errorf("%s takes %v (plain, observed, exact; allocations), recorded are %v: see why, then -update "+
				"-reason '…'", name, got, w.counted)
		}
	}
	for name := range want {
		if _, ok := now[name]; !ok {
			t.Errorf("%s has a line for %s, which is not counted", workFile, name)
		}
	}
}

// countWork runs a case on one thread.
func countWork(t *testing.T, c speedCase) counted {
	l := recordLaunch(t, c)
	run := func(s sim.Semantics) (executed int64, again func()) {
		k := speedKernel(t, c, s)
		again = func() {
			out, err := k.Run(l.fresh())
			if err != nil {
				t.Fatal(err)
			}
			executed = out.Executed
		}
		again()
		return executed, again
	}
	var w counted
	var again func()
	w.observed, _ = run(sim.Semantics{Check: true})
	w.exact, _ = run(sim.Semantics{Exact: true})
	w.plain, again = run(sim.Semantics{})
	w.allocations = int64(testing.AllocsPerRun(1, again))
	return w
}

// fresh is the dispatch on buffers that nothing has written.
func (l launch) fresh() metalrun.Dispatch {
	d := l.dispatch
	d.Bindings = append([]metalrun.Binding(nil), d.Bindings...)
	for i := range d.Bindings {
		d.Bindings[i].Data = bytes.Clone(d.Bindings[i].Data)
	}
	return d
}

func readWork(t *testing.T) map[string]baseline {
	text, err := os.ReadFile(filepath.FromSlash(workFile))
	if err != nil && !*update {
		t.Fatal(err)
	}
	lines := map[string]baseline{}
	for _, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		var name string
		var b baseline
		if _, err := fmt.Sscan(line, &name, &b.plain, &b.observed, &b.exact, &b.allocations); err != nil {
			t.Fatalf("%s: %q: %v", workFile, line, err)
		}
		b.why = strings.TrimSpace(strings.Join(strings.Fields(line)[5:], " "))
		if b.why == "" {
			t.Errorf("%s: %s has no reason", workFile, name)
		}
		lines[name] = b
	}
	return lines
}

// writeWork writes the file. Lines that have changed get the reason.
func writeWork(t *testing.T, old map[string]baseline, now map[string]counted) {
	var out bytes.Buffer
	fmt.Fprintln(&out, "# Instructions of the simulator for one launch (TestCountedWork), allocations, and why they "+
		"last changed.")
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "# kernel\tplain\tobserved\texact\tallocations\treason")
	for _, c := range speedCases() {
		n, before := now[c.kernel], old[c.kernel]
		why := before.why
		if n != before.counted {
			if why = *reason; why == "" {
				t.Fatalf("%s takes %v instead of %v: -reason '…' has to say why", c.kernel, n, before.counted)
			}
		}
		fmt.Fprintf(w, "%s\t%v\t%s\n", c.kernel, n, why)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.FromSlash(workFile), out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
