package kernels

import (
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/suite"
)

// speedRow is what was measured of one kernel.
type speedRow struct {
	speedCase
	best [contestants]float64 // nanoseconds; NaN for what did not run
}

// perElement is the time of an element in nanoseconds.
func (r speedRow) perElement(c contestant) float64 {
	return r.best[c] / float64(r.elements.Size(r.shape))
}

// multiple is the simulator's time on one thread as a multiple of another.
func (r speedRow) multiple(of contestant) float64 { return r.best[simulator] / r.best[of] }

// report makes the result line; ns/op is the simulator's time on one thread.
func (r speedRow) report(b *testing.B) {
	metric := func(x float64, unit string) {
		if !math.IsNaN(x) {
			b.ReportMetric(x, unit)
		}
	}
	metric(r.best[simulator], "ns/op")
	metric(r.perElement(simulator), "ns/elem")
	metric(r.multiple(cLane), "x-C-lane")
	metric(r.multiple(cScalar), "x-C-scalar")
	metric(r.multiple(simulatorTwo), "x-two-threads")
	metric(r.multiple(portable), "x-portable")
	metric(r.multiple(pocl), "x-OpenCL")
}

func figure(x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return fmt.Sprintf("%.2f", x)
}

// compared are what the simulator is compared with.
var compared = [...]contestant{cLane, cScalar, simulatorTwo, portable, pocl}

// writeSpeeds writes a table of rows: times per element, the simulator's
// multiples, and what was measured before.
func writeSpeeds(w io.Writer, rows []speedRow, before speeds) error {
	var t strings.Builder
	fmt.Fprintf(&t, "\n%-28s  %-70s  %-68s  %s\n%-28s", "", "nanoseconds per element", "simulator's time / that of",
		"before: "+before.machine, "kernel")
	for c := range contestant(contestants) {
		fmt.Fprintf(&t, "%12s", c)
	}
	for _, c := range compared {
		fmt.Fprintf(&t, "%14s", c)
	}
	for _, c := range compared {
		fmt.Fprintf(&t, "%14s", c)
	}
	missing := ""
	for _, r := range rows {
		fmt.Fprintf(&t, "\n%-28s", r.kernel)
		for c := range contestant(contestants) {
			fmt.Fprintf(&t, "%12s", figure(r.perElement(c)))
			if math.IsNaN(r.best[c]) {
				missing = "\nC needs gcc, two threads need two processors, OpenCL needs gcc, PoCL and a program\n"
			}
		}
		for _, c := range compared {
			fmt.Fprintf(&t, "%14s", figure(r.multiple(c)))
		}
		m, ok := before.multiples[r.kernel]
		for i := range compared {
			if !ok {
				m[i] = math.NaN()
			}
			fmt.Fprintf(&t, "%14s", figure(m[i]))
		}
	}
	fmt.Fprintf(&t, "\n%s", missing)
	_, err := io.WriteString(w, t.String())
	return err
}

// TestSpeedTable checks multiples and what is missing where there is
// no gcc, no PoCL or just one processor.
func TestSpeedTable(t *testing.T) {
	nan := math.NaN()
	c := speedCase{kernel: "a", shape: suite.Shape{dim: 10}, elements: dim}
	var got strings.Builder
	err := writeSpeeds(&got, []speedRow{
		{c, [contestants]float64{10, 100, 40, 20, 80, 160}},
		{c, [contestants]float64{5, 50, 40, 40, 80, 20}},
		{speedCase{kernel: "b", shape: c.shape, elements: dim}, [contestants]float64{nan, nan, 40, nan, 80, nan}},
	}, speeds{"two cores", map[string]multiples{"a": {3, 0.5, 2, 0.5, nan}}})
	if err != nil {
		t.Fatal(err)
	}
	want := `
                              nanoseconds per element                                                 simulator's time / that of                                            before: two cores
kernel                            C lane    C scalar   simulator two threads    portable      OpenCL        C lane      C scalar   two threads      portable        OpenCL        C lane      C scalar   two threads      portable        OpenCL
a                                   1.00       10.00        4.00        2.00        8.00       16.00          4.00          0.40          2.00          0.50          0.25          3.00          0.50          2.00          0.50             -
a                                   0.50        5.00        4.00        4.00        8.00        2.00          8.00          0.80          1.00          0.50          2.00          3.00          0.50          2.00          0.50             -
b                                      -           -        4.00           -        8.00           -             -             -             -          0.50             -             -             -             -             -             -

C needs gcc, two threads need two processors, OpenCL needs gcc, PoCL and a program
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
}
