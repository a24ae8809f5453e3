package config

import (
	"strings"

	"metalconform/suite"
)

// DidYouMean suggests the names nearest to one that does not exist: nothing
// where all are far.
func DidYouMean(name string, names []string) string {
	near := suite.Nearest(name, names)
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}
