// Command history imports the database in which earlier versions of Conform kept a history into a directory, which is
// what conform history reads now. It asks the program sqlite3 for what the database has.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"

	"metalconform/reports/history"
	"metalconform/reports/trend"
	"metalconform/suite"
	"metalconform/suite/metrics"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: go run . DATABASE DIR")
		os.Exit(2)
	}
	n, err := importInto(os.Args[2], os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "history:", err)
		os.Exit(1)
	}
	fmt.Printf("%d runs added\n", n)
}

// importInto adds the runs of a database to a directory, and returns how many were not there. It may be repeated.
func importInto(dir, database string) (added int, err error) {
	if _, err := os.Stat(database); err != nil {
		return 0, err // sqlite3 would make it
	}
	store, err := history.Open(dir, true)
	if err != nil {
		return 0, err
	}
	rows, err := query[runRow](database, "SELECT * FROM runs ORDER BY started, id")
	if err != nil {
		return 0, err
	}
	for _, row := range rows {
		run, err := row.run()
		if err != nil {
			return added, fmt.Errorf("run %d: %w", row.ID, err)
		}
		cases, err := query[caseRow](database, fmt.Sprintf(
			"SELECT * FROM results JOIN cases ON cases.id = of WHERE run = %d ORDER BY of", row.ID))
		if err != nil {
			return added, err
		}
		var list []trend.Case
		for _, c := range cases {
			list = append(list, c.measured())
		}
		run.Kernels = trend.Kernels(list)
		fresh, err := store.Add([]history.Run{run}, false)
		if err != nil {
			return added, err
		}
		if fresh[0] {
			added++
		}
	}
	return added, nil
}

// query returns the rows that sqlite3 has for a query.
func query[Row any](database, text string) (rows []Row, err error) {
	cmd := exec.Command("sqlite3", "-readonly", "-json", database, text)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	failed := json.NewDecoder(out).Decode(&rows)
	if errors.Is(failed, io.EOF) { // there are no rows
		failed = nil
	}
	_, _ = io.Copy(io.Discard, out)
	return rows, errors.Join(failed, cmd.Wait())
}

// runRow is a row of the table runs.
type runRow struct {
	ID                                              int64
	Revision, Device, OS, Options, Shaders, Started string
	Digest, Seed, Conform, Machine, Bench           string
	Exact, Gated, Cases, Failing                    int
}

func (r runRow) run() (run history.Run, err error) {
	run.Key = trend.Key{Commit: r.Revision, Device: r.Device, OS: r.OS, Options: r.Options, Shaders: r.Shaders}
	run.Exact, run.Gated, run.Machine, run.Bench = r.Exact != 0, r.Gated != 0, r.Machine, r.Bench
	run.Cases, run.Failing, run.Conform, run.Digest = r.Cases, r.Failing, r.Conform, r.Digest
	if run.Key.Started, err = time.Parse(time.RFC3339Nano, r.Started); err == nil {
		run.Seed, err = strconv.ParseUint(r.Seed, 10, 64)
	}
	return run, err
}

// caseRow is a row of the tables results and cases together.
type caseRow struct {
	Name, Kernel, Family             string
	Status                           suite.Status
	Elements                         int
	Total, Outward, Squares, Seconds *float64
	NS                               int64
	Samples                          int
}

func (r caseRow) measured() trend.Case {
	c := trend.Case{Name: r.Name, Kernel: r.Kernel, Family: r.Family, Status: r.Status, NS: r.NS, Samples: r.Samples}
	if r.Squares != nil {
		c.Errors = &metrics.Errors{Elements: r.Elements, Sum: *r.Total, Outward: *r.Outward, Squares: *r.Squares}
	}
	if r.Seconds != nil {
		c.Seconds = *r.Seconds
	}
	return c
}
