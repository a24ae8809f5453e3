package printable

import (
	"strconv"
	"strings"
)

// Count is a number with its noun: 1 case, 2 cases.
func Count(n int, noun string) string { return strconv.Itoa(n) + " " + Noun(n, noun) }

// Noun is a noun in the singular, or in the plural unless n is 1.
func Noun(n int, noun string) string {
	ends := func(with ...string) bool {
		for _, end := range with {
			if strings.HasSuffix(noun, end) {
				return true
			}
		}
		return false
	}
	switch {
	case n == 1:
		return noun
	case ends("ch", "sh", "s", "x"):
		return noun + "es"
	case ends("y") && !ends("ay", "ey", "oy", "uy"):
		return noun[:len(noun)-1] + "ies"
	}
	return noun + "s"
}
