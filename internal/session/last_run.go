package session

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"metalconform/internal/exit"
	"metalconform/internal/regular"
	"metalconform/suite"
)

// lastRun is what the runs that were started in a directory leave for the next one there.
type lastRun struct {
	Failed  []string `json:"failed"`            // names of cases, sorted
	Results string   `json:"results,omitempty"` // of -o
}

// lastRunFile is where the runs of the working directory leave it: among the user's caches, so that no repository has
// it.
func lastRunFile() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "conform", fmt.Sprintf("last-%x.json", sha256.Sum256([]byte(dir)))), nil
}

// readLastRun reads it; nothing if there is none, or if it is damaged.
func readLastRun() (l lastRun) {
	name, err := lastRunFile()
	if err != nil {
		return l
	}
	text, err := regular.Read(name, regular.Text)
	if err != nil || json.Unmarshal(text, &l) != nil {
		return lastRun{}
	}
	return l
}

// KeepLastRun leaves the failures of a run, and where its results are. Failures of cases that it did not judge stay.
// That a cache cannot be written is no reason to fail.
func KeepLastRun(results []suite.Result, out string) {
	l, name := readLastRun(), ""
	failed := map[string]bool{}
	for _, name := range l.Failed {
		failed[name] = true
	}
	for _, r := range results {
		failed[r.Case] = r.Status == suite.Fail || r.Status == suite.Error
	}
	maps.DeleteFunc(failed, func(_ string, fails bool) bool { return !fails })
	l.Failed = slices.Sorted(maps.Keys(failed))
	if out != "" {
		if path, err := filepath.Abs(out); err == nil {
			l.Results = path
		}
	}
	text, err := json.Marshal(l)
	if err == nil {
		name, err = lastRunFile()
	}
	if err == nil && os.MkdirAll(filepath.Dir(name), 0o777) == nil {
		_ = regular.Write(name, text)
	}
}

// LastResults are the results of the last run that was started in the working directory.
func LastResults() (string, error) {
	last := readLastRun().Results
	if last == "" {
		return "", exit.Usagef("no run with -o DIR was started here: name the results")
	}
	return last, nil
}

// LastFailed are those of the cases that failed when they were last judged from the working directory; all cases if
// none of them did.
func LastFailed(cases []suite.Case) (list []suite.Case, some bool) {
	failed := readLastRun().Failed
	for _, c := range cases {
		if _, found := slices.BinarySearch(failed, c.Name); found {
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		return cases, false
	}
	return list, true
}
