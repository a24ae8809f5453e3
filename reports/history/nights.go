package history

import (
	"database/sql"
	"fmt"
	"strconv"
	"time"

	"metalconform/reports/trend"
	"metalconform/suite"
)

// Nights are all runs without their results, in the order in which they started.
func (s *Store) Nights() ([]trend.Night, error) {
	rows, err := s.db.Query(`SELECT id, revision, device, os, options, shaders, started, added, seed, exact, gated, machine, bench, cases, failing
		FROM runs ORDER BY started, id`)
	if err != nil {
		return nil, s.damaged(err)
	}
	defer rows.Close()
	var list []trend.Night
	for rows.Next() {
		var n trend.Night
		var started, added, seed string
		k := &n.Key
		if err := rows.Scan(&n.ID, &k.Commit, &k.Device, &k.OS, &k.Options, &k.Shaders, &started, &added, &seed, &n.Exact, &n.Gated, &n.Machine, &n.Bench, &n.Cases, &n.Failing); err != nil {
			return nil, s.damaged(err)
		}
		if k.Started, err = time.Parse(time.RFC3339Nano, started); err == nil {
			n.Added, err = time.Parse(time.RFC3339, added)
		}
		if err == nil {
			n.Seed, err = strconv.ParseUint(seed, 10, 64)
		}
		if err != nil {
			return nil, s.damaged(fmt.Errorf("run %d: %w", n.ID, err))
		}
		list = append(list, n)
	}
	return list, rows.Err()
}

// Fill reads the results of nights.
func (s *Store) Fill(nights []trend.Night) error {
	query, err := s.db.Prepare(`SELECT name, kernel, family, status, elements, total, outward, squares, ns, seconds, samples
		FROM results JOIN cases ON cases.id = of WHERE run = ? ORDER BY of`)
	if err != nil {
		return s.damaged(err)
	}
	defer query.Close()
	for i := range nights {
		if nights[i].Results, err = results(query, nights[i].ID); err != nil {
			return s.damaged(err)
		}
	}
	return nil
}

// results are those of a run.
func results(query *sql.Stmt, run int64) ([]trend.Case, error) {
	rows, err := query.Query(run)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []trend.Case
	for rows.Next() {
		var c trend.Case
		var status string
		var elements int
		var total, outward, squares, seconds sql.NullFloat64
		if err := rows.Scan(&c.Name, &c.Kernel, &c.Family, &status, &elements, &total, &outward, &squares, &c.NS, &seconds, &c.Samples); err != nil {
			return nil, err
		}
		c.Status, c.Seconds, c.Errors = suite.Status(status), seconds.Float64, errorsOf(elements, total, outward, squares)
		list = append(list, c)
	}
	return list, rows.Err()
}
