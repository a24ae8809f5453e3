package kernels

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"testing"
	"text/tabwriter"
)

// speedRow is what was measured of one kernel.
type speedRow struct {
	speedCase
	best [contestants]float64 // nanoseconds; NaN for what did not run
}

// ratio is the time of a over that of b.
func (r speedRow) ratio(a, b contestant) float64 { return r.best[a] / r.best[b] }

// perElement is the time of an element in nanoseconds.
func (r speedRow) perElement(c contestant) float64 {
	return r.best[c] / float64(r.elements.Size(r.shape))
}

// report makes the result line; ns/op is the simulator's time on one thread.
func (r speedRow) report(b *testing.B) {
	metric := func(x float64, unit string) {
		if !math.IsNaN(x) {
			b.ReportMetric(x, unit)
		}
	}
	metric(r.best[simulator], "ns/op")
	metric(r.perElement(simulator), "ns/elem")
	metric(r.perElement(cLane), "C-lane-ns/elem")
	metric(r.ratio(simulator, cLane), "x-C-lane")
	metric(r.ratio(simulator, cScalar), "x-C-scalar")
	metric(r.ratio(simulator, portable), "x-portable")
	metric(r.ratio(simulator, simulatorTwo), "x-two-threads")
}

// writeSpeeds writes a table of rows: times per element, and ratios beside
// their targets.
func writeSpeeds(w io.Writer, rows []speedRow) error {
	fmt.Fprintf(w, "\nNanoseconds per element on %s/%s, and the simulator's time on one thread as a multiple of the others'\n\n", runtime.GOOS, runtime.GOARCH)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "kernel\t")
	for c := range contestants {
		fmt.Fprintf(t, "%v\t", contestant(c))
	}
	fmt.Fprint(t, "× C lane\t× C scalar\t× two threads\t× portable\t\n")
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t", r.kernel)
		for c := range contestants {
			fmt.Fprintf(t, "%s\t", figure(r.perElement(contestant(c))))
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t\n",
			against(r.ratio(simulator, cLane), r.targets.lane, "≤"),
			against(r.ratio(simulator, cScalar), r.targets.scalar, "≤"),
			against(r.ratio(simulator, simulatorTwo), twoThreads, "≥"),
			figure(r.ratio(simulator, portable)))
	}
	return t.Flush()
}

// against is a ratio and whether it is on the right side of its target.
func against(x, target float64, side string) string {
	if target == 0 || math.IsNaN(x) {
		return figure(x)
	}
	verdict := "met"
	if side == "≤" && x > target || side == "≥" && x < target {
		verdict = "missed"
	}
	return fmt.Sprintf("%s, %s %v %s", figure(x), side, target, verdict)
}

func figure(x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return fmt.Sprintf("%.2f", x)
}
