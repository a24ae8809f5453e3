package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"metalconform/reports"
	"metalconform/suite"
)

// shard is a flag that holds a part of a run, I/N with I from 1 to N.
type shard struct{ reports.Shard }

func (s *shard) String() string {
	if s.Of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Index, s.Of)
}
func (s *shard) Type() string { return "shard" }
func (s *shard) Set(text string) error {
	index, of, _ := strings.Cut(text, "/")
	i, err := strconv.Atoi(index)
	n, err2 := strconv.Atoi(of)
	if err != nil || err2 != nil || !(1 <= i && i <= n) {
		return errors.New("want I/N with I from 1 to N, such as 2/8")
	}
	s.Index, s.Of = i, n
	return nil
}

// take is the part of the cases that the shard judges, and their indices among
// all.
func (s *shard) take(cases []suite.Case) (part []suite.Case, indices []int) {
	for i, c := range cases {
		if s.Of == 0 || s.Has(i) {
			part, indices = append(part, c), append(indices, i)
		}
	}
	s.Cases = len(part)
	return part, indices
}
