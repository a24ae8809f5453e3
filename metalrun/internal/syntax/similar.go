package syntax

import "strings"

// Similar is "; did you mean 'x'?" for the candidate nearest to name, or "" if none is near.
func Similar(name string, candidates []string) string { return Advice(Nearest(name, candidates)) }

// Advice is "; did you mean 'name'?", or "" without a name.
func Advice(name string) string {
	if name == "" {
		return ""
	}
	return "; did you mean '" + name + "'?"
}

// mostMistyped is the length of the longest name that anybody mistypes: comparing two takes as
// long as the product of their lengths.
const mostMistyped = 100

// Nearest is the candidate nearest to name, "" if none is near or several are equally so:
// two of three letters have to be right.
func Nearest(name string, candidates []string) string {
	if len(name) > mostMistyped {
		return ""
	}
	best, bestName := len(name)/3+1, ""
	for _, c := range candidates {
		switch d := editDistance(name, c, best); {
		case c == name || d > len(name)/3 || d > best || c == bestName:
		case d < best:
			best, bestName = d, c
		default:
			bestName = ""
		}
	}
	return bestName
}

// editDistance is the number of letters to insert, delete or replace, or some number
// above most.
func editDistance(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	a, b = strings.ToLower(a), strings.ToLower(b)
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		prev := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := prev
			if a[i] != b[j] {
				cost++
			}
			prev = row[j+1]
			row[j+1] = min(cost, row[j]+1, prev+1)
		}
	}
	return row[len(b)]
}
