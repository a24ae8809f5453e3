package plot

import (
	"fmt"
	"io"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// ReadBench reads what conform bench has written: the times of each case in
// seconds, one for each row, which is the median of a row's samples. name is
// that of the file, for errors. Rows of other benchmarks are left out.
func ReadBench(r io.Reader, name string) (map[string][]float64, error) {
	times := map[string][]float64{}
	rows := benchfmt.NewReader(r, name)
	for rows.Scan() {
		switch row := rows.Result().(type) {
		case *benchfmt.SyntaxError:
			return nil, fmt.Errorf("%s:%d: %s", row.FileName, row.Line, row.Msg)
		case *benchfmt.Result:
			base, parts := row.Name.Parts()
			seconds, ok := row.Value("sec/op")
			if !ok || string(base) != "Conform" {
				continue
			}
			var c strings.Builder
			for _, part := range parts {
				if part[0] == '/' { // the other kind is the number of threads
					c.Write(part)
				}
			}
			name := strings.TrimPrefix(c.String(), "/")
			times[name] = append(times[name], seconds)
		}
	}
	return times, rows.Err()
}
