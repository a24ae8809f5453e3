package reports

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"metalconform/internal/budget"

	"golang.org/x/perf/benchfmt"
)

// Times are samples of how long cases take.
type Times struct {
	Seconds  map[string][]float64 // by case
	Settings map[string]string    // under which they were taken: times of other ones are not comparable
	// of the device at its best, by what it did: copy (bytes per second), fma (operations)
	Rates map[string]float64
	// Self are samples of cases against themselves, from the process that compared two
	// versions of them: they show how large a difference of nothing is.
	Self map[string][2][]float64
	// Clock has the least and the largest fraction of its best that the device's clock ran at; 0 if nobody looked.
	Clock [2]float64
}

// ReadBench reads what conform bench has written: a sample for each row, which is the
// median of many. name is that of the file, for errors. Rows of other benchmarks are left
// out, but count in the budget. Rows under different settings are refused; only the heat of the device and the
// power that it saves may change on the way.
func ReadBench(r io.Reader, name string, b *budget.Budget) (Times, error) {
	times := NewTimes()
	rows := benchfmt.NewReader(r, name)
	for rows.Scan() {
		switch row := rows.Result().(type) {
		case *benchfmt.SyntaxError:
			return Times{}, fmt.Errorf("%s:%d: %s", row.FileName, row.Line, row.Msg)
		case *benchfmt.Result:
			if err := cmp.Or(b.Take(budget.Rows, 1), times.add(row)); err != nil {
				file, line := row.Pos()
				return Times{}, fmt.Errorf("%s:%d: %w", file, line, err)
			}
		}
	}
	return times, rows.Err()
}

// NewTimes has none.
func NewTimes() Times {
	return Times{Seconds: map[string][]float64{}, Settings: map[string]string{}, Rates: map[string]float64{}}
}

// Take takes samples of a case in nanoseconds, and those of the case against itself.
func (t *Times) Take(name string, ns []float64, self [2][]float64) {
	seconds := func(ns []float64) []float64 {
		list := make([]float64, len(ns))
		for i, x := range ns {
			list[i] = x / 1e9
		}
		return list
	}
	t.Seconds[name] = seconds(ns)
	if len(self[0]) == 0 {
		return
	}
	if t.Self == nil {
		t.Self = map[string][2][]float64{}
	}
	t.Self[name] = [2][]float64{seconds(self[0]), seconds(self[1])}
}

// add takes the time, or the rate, of one row.
func (t *Times) add(row *benchfmt.Result) error {
	base, parts := row.Name.Parts()
	seconds, ok := row.Value("sec/op")
	if !ok || string(base) != "Conform" && string(base) != "Roof" {
		return nil
	}
	if !(math.Abs(seconds) <= math.MaxFloat64) {
		return fmt.Errorf("%v is no time", seconds)
	}
	var c strings.Builder
	for _, part := range parts {
		if part[0] == '/' {
			c.Write(part)
		} else {
			t.Settings["threads"] = string(part[1:])
		}
	}
	name := strings.TrimPrefix(c.String(), "/")
	if string(base) == "Roof" {
		for _, unit := range []string{"B/s", "op/s"} {
			if rate, ok := row.Value(unit); ok {
				t.Rates[name] = max(t.Rates[name], rate)
			}
		}
	} else {
		t.Seconds[name] = append(t.Seconds[name], seconds)
		if clock, ok := row.Value("clock"); ok && clock > 0 && clock <= 1 {
			if t.Clock[0] == 0 || clock < t.Clock[0] {
				t.Clock[0] = clock
			}
			t.Clock[1] = max(t.Clock[1], clock)
		}
		for _, key := range conditions {
			if value := row.GetConfig(key); value != "" && !strings.Contains(t.Settings[key], value) {
				t.Settings[key] = strings.TrimPrefix(t.Settings[key]+" and "+value, " and ")
			}
		}
	}
	for _, key := range settings {
		value := row.GetConfig(key)
		if was, known := t.Settings[key]; known && was != value {
			return fmt.Errorf("times with %s %q beside those with %q: put them into files of their own", key,
				value, was)
		}
		if value != "" {
			t.Settings[key] = value
		}
	}
	return nil
}

// settings are those of conform bench that times depend on, and conditions those that it
// does not choose.
var (
	settings   = []string{"goos", "goarch", "backend", "device", "loops", "caches"}
	conditions = []string{"thermal", "power", "supply"}
)

// apart says which settings of two sets of times differ; nothing if they are comparable.
func (t Times) apart(other Times) []string {
	names := slices.Collect(maps.Keys(t.Settings))
	for name := range other.Settings {
		names = append(names, name)
	}
	slices.Sort(names)
	var list []string
	for _, name := range slices.Compact(names) {
		if a, b := t.Settings[name], other.Settings[name]; a != b {
			list = append(list, fmt.Sprintf("%s is %q and %q", name, a, b))
		}
	}
	return list
}
