package reports

import (
	"strings"
	"testing"

	"metalconform/suite"
)

// Races that one barrier orders are one finding with the lines of all; those that need two barriers are two.
func TestOneBarrier(t *testing.T) {
	race := func(line, with int, flags string) suite.Failure {
		f := raceAt(line, with, 0)
		f.Text += "; a threadgroup_barrier with mem_flags::" + flags + " between them would order them"
		return f
	}
	const memory = "mem_threadgroup"
	for _, test := range []struct {
		name  string
		races [][]suite.Failure // by case
		want  []string          // the lines that each finding ends with
	}{
		{"one barrier", [][]suite.Failure{{race(61, 54, memory), race(63, 54, memory), race(70, 58, memory)}},
			[]string{"lines 54 and 63, 58 and 70"}},
		{"of which a case has one pair", [][]suite.Failure{{race(61, 54, memory), race(63, 54, memory)},
			{race(63, 54, memory)}}, []string{"lines 54 and 63"}},
		{"two barriers", [][]suite.Failure{{race(20, 10, memory), race(40, 30, memory)}}, []string{"", ""}},
		{"one after the other", [][]suite.Failure{{race(20, 10, memory), race(30, 20, memory)}}, []string{"", ""}},
		{"of other memory", [][]suite.Failure{{race(20, 10, memory), race(22, 10, "mem_device")}}, []string{"", ""}},
		{"no barrier helps", [][]suite.Failure{{raceAt(20, 10, 0), raceAt(22, 10, 0)}}, []string{"", ""}},
	} {
		var results []suite.Result
		for i, races := range test.races {
			r := judged("k", 1, suite.Fail, races...)[0]
			r.Case += "/input=" + string(rune('a'+i))
			results = append(results, r)
		}
		found := NewTable(results, nil).Failures
		if len(found) != len(test.want) {
			t.Errorf("%s: %d findings, want %d", test.name, len(found), len(test.want))
			continue
		}
		for i, f := range found {
			_, lines, _ := strings.Cut(f.Text(), "the same barrier orders ")
			lines, _, _ = strings.Cut(lines, "\n")
			if lines != test.want[i] || len(f.Failures) != 1 {
				t.Errorf("%s: %d failures that name %q, want %q", test.name, len(f.Failures), lines, test.want[i])
			}
		}
	}
}
