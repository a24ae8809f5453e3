package suite

import (
	"cmp"
	"slices"
)

// mostNear is how many names a message suggests.
const mostNear = 3

// Nearest are up to three of the names, those with the least edit distance from one
// that does not exist, the nearest first. What would have to change in half of its
// letters is not near.
func Nearest(name string, names []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	var list []candidate
	if len(name) > mostMistyped {
		return nil
	}
	for _, n := range names {
		if d := distance(name, n); 2*d < max(len(name), len(n)) {
			list = append(list, candidate{n, d})
		}
	}
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	var near []string
	for _, c := range list[:min(len(list), mostNear)] {
		near = append(near, c.name)
	}
	return near
}

// mostMistyped is the length of the longest name that anybody mistypes.
const mostMistyped = 300

// distance is the number of bytes to insert, delete or replace that turns a
// into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1) // from the first i bytes of a to the first j of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := corner
			if a[i] != b[j] {
				replaced++
			}
			corner = row[j+1]
			row[j+1] = min(replaced, row[j]+1, corner+1)
		}
	}
	return row[len(b)]
}
