package session

import (
	"errors"
	"fmt"
	"slices"

	"metalconform/suite"
)

// Crashes is an error of the files and cases that brought up mistakes of this program: a line
// each, but not more than anybody reads, and none of a case for what is its file's.
func Crashes(broken []*suite.BrokenFile, results []suite.Result) error {
	const most = 10
	var list []error
	for _, b := range broken {
		if b.Crash != nil {
			list = append(list, fmt.Errorf("%s: %w", b.File, b.Crash))
		}
	}
	for _, r := range results {
		ofFile := slices.ContainsFunc(broken, func(b *suite.BrokenFile) bool { return b.Crash == r.Crash })
		if r.Crash != nil && !ofFile {
			list = append(list, fmt.Errorf("%s: %w", r.Case, r.Crash))
		}
	}
	if n := len(list) - most; n > 0 {
		list = append(list[:most], fmt.Errorf("and %d more", n))
	}
	return errors.Join(list...)
}
