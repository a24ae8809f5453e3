package reports

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// Times are samples of how long cases take.
type Times struct {
	Seconds  map[string][]float64 // by case
	Settings map[string]string    // under which they were taken: times of other ones are not comparable
}

// ReadBench reads what conform bench has written: a sample for each row, which is the
// median of many. name is that of the file, for errors. Rows of other benchmarks are left
// out.
func ReadBench(r io.Reader, name string) (Times, error) {
	times := Times{map[string][]float64{}, map[string]string{}}
	rows := benchfmt.NewReader(r, name)
	for rows.Scan() {
		switch row := rows.Result().(type) {
		case *benchfmt.SyntaxError:
			return Times{}, fmt.Errorf("%s:%d: %s", row.FileName, row.Line, row.Msg)
		case *benchfmt.Result:
			base, parts := row.Name.Parts()
			seconds, ok := row.Value("sec/op")
			if !ok || string(base) != "Conform" {
				continue
			}
			var c strings.Builder
			for _, part := range parts {
				if part[0] == '/' {
					c.Write(part)
				} else {
					times.Settings["threads"] = string(part[1:])
				}
			}
			name := strings.TrimPrefix(c.String(), "/")
			times.Seconds[name] = append(times.Seconds[name], seconds)
			for _, s := range row.Config {
				if slices.Contains(timing, s.Key) {
					times.Settings[s.Key] = string(s.Value)
				}
			}
		}
	}
	return times, rows.Err()
}

// timing are the settings of conform bench that times depend on.
var timing = []string{"goos", "goarch", "backend", "device", "loops", "caches"}

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
