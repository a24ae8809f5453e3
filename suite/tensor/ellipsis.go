package tensor

import (
	"fmt"
	"slices"
	"strings"
)

// ellipsis stands for the axes of an operand that a notation does not name.
const ellipsis = "..."

// named writes letters in place of ellipses. Axes that stand for the same are counted from the last, and where one is
// 1 long and another is not it is left out of its operand, which repeats along it.
func named(terms []string, output string, arrow bool, operands []*Tensor) ([]string, string, []*Tensor, error) {
	if !slices.ContainsFunc(terms, func(t string) bool { return strings.Contains(t, ellipsis) }) {
		return terms, output, operands, nil
	}
	if arrow && strings.Count(output, ellipsis) != 1 {
		return nil, "", nil, fmt.Errorf("einsum: the result of operands with ... has to have it, too, once")
	}
	extra, most := make([]int, len(terms)), 0
	for i, t := range terms {
		if n := strings.Count(t, ellipsis); n > 1 {
			return nil, "", nil, fmt.Errorf("einsum: %q has ... twice", t)
		} else if n == 1 {
			extra[i] = len(operands[i].shape) - len(t) + len(ellipsis)
		}
		if extra[i] < 0 {
			return nil, "", nil, fmt.Errorf("einsum: %q names %d axes, %s has %d", t, len(t)-len(ellipsis),
				spell(operands[i].shape), len(operands[i].shape))
		}
		most = max(most, extra[i])
	}
	free := strings.Map(func(c rune) rune {
		if strings.ContainsRune(strings.Join(terms, "")+output, c) {
			return -1
		}
		return c
	}, "ZYXWVUTSRQPONMLKJIHGFEDCBAzyxwvutsrqponmlkjihgfedcba")
	if len(free) < most {
		return nil, "", nil, fmt.Errorf("einsum: too few letters for %d axes", most)
	}
	letters := free[:most]
	lengths := map[byte]int{}
	for i, t := range terms {
		at := max(strings.Index(t, ellipsis), 0)
		for j := range extra[i] {
			c := letters[most-extra[i]+j]
			lengths[c] = max(lengths[c], operands[i].shape[at+j])
		}
	}
	terms, operands = slices.Clone(terms), slices.Clone(operands)
	for i, t := range terms {
		own, at := "", strings.Index(t, ellipsis)
		shape := slices.Clone(operands[i].shape)
		for j := range extra[i] {
			c := letters[most-extra[i]+j]
			if d := operands[i].shape[at+j]; d == 1 && lengths[c] > 1 {
				shape[at+j] = -1
			} else {
				own += string(c)
			}
		}
		shape = slices.DeleteFunc(shape, func(d int) bool { return d < 0 })
		operands[i] = &Tensor{shape: shape, data: operands[i].data}
		terms[i] = strings.Replace(t, ellipsis, own, 1)
	}
	if !arrow {
		output = ellipsis
	}
	return terms, strings.Replace(output, ellipsis, letters, 1), operands, nil
}
