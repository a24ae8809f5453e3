package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// mostCounts bounds how many numbers of processors are compared.
const mostCounts = 16

// processorCounts is a flag: the numbers of threads to simulate with, one after the other; none stands for as many as
// there are processors.
type processorCounts []int

func (p *processorCounts) String() string {
	var words []string
	for _, n := range *p {
		words = append(words, strconv.Itoa(n))
	}
	return strings.Join(words, ",")
}

func (p *processorCounts) Type() string { return "list" }

func (p *processorCounts) Set(s string) error {
	var list processorCounts
	for word := range strings.SplitSeq(s, ",") {
		n, err := strconv.Atoi(word)
		switch {
		case err != nil || n < 0 || n > mostThreads:
			return fmt.Errorf("want numbers from 1 to %d with commas between them, or 0 for all processors",
				mostThreads)
		case len(list) > 0 && (n <= list[len(list)-1] || list[0] == 0):
			return errors.New("want numbers that rise, and 0 by itself")
		case len(list) == mostCounts:
			return fmt.Errorf("want at most %d numbers", mostCounts)
		}
		list = append(list, n)
	}
	*p = list
	return nil
}

// several reports whether times with different numbers are to be compared.
func (p processorCounts) several() bool { return len(p) > 1 }
