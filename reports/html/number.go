package html

import (
	"fmt"
	"strconv"
	"strings"
)

// grouped is n with its digits in groups of three.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && digits[i-1] != '-' && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// count is n with its noun, in the plural unless n is 1.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return grouped(n) + " " + noun + "s"
}

// position spells a position: [3, 17].
func position(at []int) string { return strings.ReplaceAll(fmt.Sprint(at), " ", ", ") }
