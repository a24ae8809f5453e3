package history

import (
	"cmp"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"metalconform/metalrun"
	"metalconform/reports"
	"metalconform/reports/statistics"
	"metalconform/reports/trend"
	"metalconform/suite"
	"metalconform/suite/metrics"
)

// Add adds runs, all of them or on an error none, and says which were new. One that is
// there already changes nothing; one with the same key that measured something else is an
// error, or with replace takes the other's place.
func (s *Store) Add(sets []reports.Set, replace bool, now time.Time) (added []bool, err error) {
	tx, err := s.db.Begin()
	if err != nil {
		return nil, s.damaged(err)
	}
	defer tx.Rollback()
	a := adding{tx: tx, replace: replace, cases: map[string]int64{}}
	for _, set := range sets {
		fresh, err := a.run(set, now)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.file, err)
		}
		added = append(added, fresh)
	}
	return added, tx.Commit()
}

// KeyOf is what a run is known by. The seed is none of it: nights draw others. Nor are the
// processors of a machine, on which only times depend.
func KeyOf(h reports.Header) trend.Key {
	o := h.Options
	var options []string
	add := func(format string, args ...any) { options = append(options, fmt.Sprintf(format, args...)) }
	add("%s sweep", o.Sweep)
	if o.Run != "" {
		add("-run %s", o.Run)
	}
	add("%s semantics", cmp.Or(o.Semantics, "reference"))
	if o.Math == "precise" {
		o.Math = "safe" // in older results, after its functions
	}
	if o.Math != "" {
		add("%s math", o.Math)
	}
	if o.Adversaries > 0 {
		add("%d adversaries", o.Adversaries)
	}
	if !o.Checks {
		add("no checks")
	}
	if o.Repeat > 1 {
		add("-repeat %d", o.Repeat)
	}
	if flags := strings.TrimSpace(places.ReplaceAllString(o.Flags, "")); flags != "" {
		add("%s", flags)
	}
	hash := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(h.Shaders)) {
		fmt.Fprintf(hash, "%s %s\n", name, h.Shaders[name].SHA256)
	}
	return trend.Key{
		Commit: h.Commit, Device: h.Device.Backend + ": " + h.Device.Name, OS: h.Host.OS + "/" + h.Host.Arch,
		Options: strings.Join(options, ", "), Shaders: hex.EncodeToString(hash.Sum(nil))[:16], Started: h.Started.UTC(),
	}
}

// places are flags that say where shaders and declarations lie, which may be anywhere on
// another night, and the backend, which the device has.
var places = regexp.MustCompile(` ?-(shaders|config|backend) ('[^']*'|\S+)`)

// adding is a transaction that adds runs.
type adding struct {
	tx      *sql.Tx
	replace bool
	cases   map[string]int64 // identities by name
}

// run adds a run and reports whether it is new.
func (a *adding) run(set reports.Set, now time.Time) (bool, error) {
	key, digest := KeyOf(set.Header), digestOf(set)
	started := key.Started.Format(time.RFC3339Nano)
	var old int64
	var there string
	err := a.tx.QueryRow("SELECT id, digest FROM runs WHERE (revision, device, os, options, shaders, started) = (?, ?, ?, ?, ?, ?)",
		key.Commit, key.Device, key.OS, key.Options, key.Shaders, started).Scan(&old, &there)
	switch {
	case err == nil && there == digest:
		return false, nil
	case err == nil && a.replace:
		if _, err := a.tx.Exec("DELETE FROM runs WHERE id = ?", old); err != nil {
			return false, err
		}
	case err == nil:
		return false, fmt.Errorf("a run of commit %s that started at %s is there and measured something else; the results have been changed since, or times were added: conform history add -replace takes these", key.Commit, started)
	case err != sql.ErrNoRows:
		return false, err
	}
	machine, bench, failing := "", "", 0
	if set.Device.Clock == metalrun.HostClock {
		machine = strings.Join(set.Host.CPUs, " and ")
	}
	if len(set.Times.Seconds) > 0 {
		text, err := json.Marshal(set.Times.Settings)
		if err != nil {
			return false, err
		}
		bench = string(text)
	}
	for _, r := range set.Results {
		if r.Status == suite.Fail || r.Status == suite.Error {
			failing++
		}
	}
	inserted, err := a.tx.Exec(`INSERT INTO runs (revision, device, os, options, shaders, started, digest, added, seed, conform, exact, gated, machine, bench, cases, failing)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		key.Commit, key.Device, key.OS, key.Options, key.Shaders, started, digest, now.UTC().Format(time.RFC3339),
		fmt.Sprint(set.Options.Seed), set.Conform, set.Device.Clock == metalrun.HostClock, reports.Gated(set.Device), machine, bench, len(set.Results), failing)
	if err != nil {
		return false, err
	}
	id, err := inserted.LastInsertId()
	if err != nil {
		return false, err
	}
	return true, a.results(id, set)
}

// results adds the cases of a run.
func (a *adding) results(run int64, set reports.Set) error {
	insert, err := a.tx.Prepare(`INSERT INTO results (run, of, status, error_ratio, digest, elements, total, outward, squares, ns, seconds, samples)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	defer insert.Close()
	for _, r := range set.Results {
		of, err := a.caseOf(r)
		if err != nil {
			return err
		}
		var total, outward, squares, seconds any
		var elements int
		if e, known := reports.ErrorsOf(r); known {
			elements, total, outward, squares = e.Elements, e.Sum, e.Outward, e.Squares
		}
		samples := set.Times.Seconds[r.Case]
		if len(samples) > 0 {
			seconds = statistics.Median(samples)
		}
		if _, err := insert.Exec(run, of, string(r.Status), r.ErrorRatio, r.Digest, elements, total, outward, squares, r.NS, seconds, len(samples)); err != nil {
			return err
		}
	}
	return nil
}

// caseOf is the identity of a case, which is entered if it is new.
func (a *adding) caseOf(r suite.Result) (id int64, err error) {
	if id, ok := a.cases[r.Case]; ok {
		return id, nil
	}
	err = a.tx.QueryRow(`INSERT INTO cases (name, kernel, family) VALUES (?, ?, ?)
		ON CONFLICT (name) DO UPDATE SET kernel = excluded.kernel, family = excluded.family RETURNING id`, r.Case, r.Kernel, r.Family).Scan(&id)
	a.cases[r.Case] = id
	return id, err
}

// digestOf is a hash of what the tables keep of a run.
func digestOf(set reports.Set) string {
	hash := sha256.New()
	for _, r := range set.Results {
		e, known := reports.ErrorsOf(r)
		fmt.Fprintln(hash, r.Case, r.Status, r.ErrorRatio, r.Digest, r.NS, known, e.Elements, e.Sum, e.Outward, e.Squares, set.Times.Seconds[r.Case])
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// errorsOf are the errors that the tables have of a case; nil if they have none.
func errorsOf(elements int, total, outward, squares sql.NullFloat64) *metrics.Errors {
	if !squares.Valid {
		return nil
	}
	return &metrics.Errors{Elements: elements, Sum: total.Float64, Outward: outward.Float64, Squares: squares.Float64}
}
