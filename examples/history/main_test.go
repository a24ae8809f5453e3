package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"metalconform/reports/history"
	"metalconform/suite"
)

// A database of an earlier version becomes files with the same runs. A second time it adds nothing.
func TestImport(t *testing.T) {
	if _, err := exec.LookPath("sqlite3"); err != nil {
		t.Skip("there is no sqlite3, which reads the database")
	}
	tables, err := os.ReadFile("testdata/tables.sql")
	if err != nil {
		t.Fatal(err)
	}
	const rows = `
INSERT INTO cases VALUES (1, 'norm/n=1/x', 'norm', 'f'), (2, 'norm/n=1/y', 'norm', 'f'), (3, 'rope/x', 'rope', 'g');
INSERT INTO runs VALUES
	(1, 'c1', 'metal: M9', 'darwin/arm64', 'quick sweep', 'abc', '2026-11-01T03:17:00.5Z', 'd1', '2026-11-02T00:00:00Z',
		'18446744073709551615', 'v1', 0, 1, '', '{"a":"b"}', 3, 1),
	(2, 'c2', 'metal: M9', 'darwin/arm64', 'quick sweep', 'abc', '2026-11-02T03:17:00Z', 'd2', '2026-11-03T00:00:00Z',
		'1', 'v1', 1, 0, 'a processor', '', 0, 0);
INSERT INTO results VALUES
	(1, 1, 'pass', 0.5, 'x', 100, 1, -2, 1, 1000, 0.25, 5),
	(1, 2, 'fail', 1.5, 'x', 100, NULL, NULL, NULL, 1000, NULL, 0),
	(1, 3, 'pass', 0.5, 'x', 100, NULL, NULL, NULL, 0, NULL, 0);`
	dir := t.TempDir()
	database, into := filepath.Join(dir, "nights.db"), filepath.Join(dir, "nights")
	made := exec.Command("sqlite3", database)
	made.Stdin = strings.NewReader(string(tables) + rows)
	if text, err := made.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, want := range []int{2, 0} {
		if got, err := importInto(into, database); got != want || err != nil {
			t.Fatalf("%d runs, %v; want %d", got, err, want)
		}
	}
	s, err := history.Open(into, false)
	if err != nil {
		t.Fatal(err)
	}
	nights, err := s.Nights()
	if err == nil {
		err = s.Fill(nights)
	}
	if err != nil || len(nights) != 2 {
		t.Fatalf("%d nights, %v", len(nights), err)
	}
	one, two := nights[0], nights[1]
	if one.Key.Commit != "c1" || one.Seed != 1<<64-1 || !one.Gated || one.Exact || one.Bench == "" ||
		one.Failing != 1 ||
		len(one.Kernels) != 2 {
		t.Errorf("%+v", one)
	}
	if two.Key.Commit != "c2" || !two.Exact || two.Machine != "a processor" || len(two.Kernels) != 0 {
		t.Errorf("%+v", two)
	}
	norm, rope := one.Kernels[0], one.Kernels[1]
	if norm.Name(0) != "norm/n=1/x" || norm.Error[0] != 0.1 || norm.Bias[0] != 0.1 || norm.Inward[0] != 0.2 ||
		norm.Time[0] != 1000 || norm.Timed[0].Seconds != 0.25 || norm.NotPassed[0].Status != suite.Fail {
		t.Errorf("%+v", norm)
	}
	if rope.Name(0) != "rope/x" || len(rope.Error) != 0 || len(rope.Time) != 0 {
		t.Errorf("%+v", rope)
	}
	if _, err := importInto(into, filepath.Join(dir, "none.db")); err == nil {
		t.Error("a database that is not there was imported")
	}
}
