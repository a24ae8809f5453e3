package kernels

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
)

const speedFile = "testdata/speed.txt"

// multiples are the simulator's times on one thread as multiples of those of what it is compared with.
type multiples [len(compared)]float64

// speeds are multiples that were measured on a machine, by kernel. Times themselves do not compare
// between machines.
type speeds struct {
	machine   string
	multiples map[string]multiples
}

func (r speedRow) multiples() (m multiples) {
	for i, c := range compared {
		m[i] = r.multiple(c)
	}
	return m
}

const machineLine = "# On "

// readSpeeds reads the figures that were kept.
func readSpeeds(tb testing.TB) speeds {
	tb.Helper()
	text, err := os.ReadFile(filepath.FromSlash(speedFile))
	if err != nil {
		tb.Fatal(err)
	}
	s := speeds{multiples: map[string]multiples{}}
	for _, line := range strings.Split(string(text), "\n") {
		if name, ok := strings.CutPrefix(line, machineLine); ok {
			s.machine = name
		}
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		var m multiples
		if len(fields) != 1+len(m) {
			tb.Fatalf("%s: %q has %d fields, not %d", speedFile, line, len(fields), 1+len(m))
		}
		for i := range m {
			if m[i], err = strconv.ParseFloat(fields[1+i], 64); err != nil {
				tb.Fatalf("%s: %v", speedFile, err)
			}
		}
		s.multiples[fields[0]] = m
	}
	return s
}

// keepSpeeds writes the figures of rows in place of those before.
func keepSpeeds(tb testing.TB, before speeds, rows []speedRow) {
	tb.Helper()
	if *reason == "" {
		tb.Fatal("-update keeps these figures: -reason '…' has to name the machine")
	}
	for _, r := range rows {
		before.multiples[r.kernel] = r.multiples()
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "# The simulator's time as a multiple of others (BenchmarkSpeed).\n%s%s\n", machineLine, *reason)
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "# kernel")
	for _, c := range compared {
		fmt.Fprintf(w, "\t%s", strings.ReplaceAll(c.String(), " ", "-"))
	}
	fmt.Fprintln(w)
	for _, c := range speedCases() {
		if m, ok := before.multiples[c.kernel]; ok {
			fmt.Fprint(w, c.kernel)
			for _, x := range m {
				fmt.Fprintf(w, "\t%.2f", x)
			}
			fmt.Fprintln(w)
		}
	}
	if err := w.Flush(); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(filepath.FromSlash(speedFile), out.Bytes(), 0o644); err != nil {
		tb.Fatal(err)
	}
}
