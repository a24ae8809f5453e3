package main

import (
	"strings"

	"metalconform/suite"
)

// didYouMean suggests the names nearest to one that does not exist: nothing
// where all are far.
func didYouMean(name string, names []string) string {
	near := suite.Nearest(name, names)
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}
