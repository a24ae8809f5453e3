package suite

import (
	"testing"

	"metalconform/metalrun"
)

// Places are named so that buffers of other sizes have the same, and only where all that
// fail lie there.
func TestPlaces(t *testing.T) {
	every := func(from, step, n int) (list []int) {
		for i := from; i < n; i += step {
			list = append(list, i)
		}
		return list
	}
	for _, test := range []struct {
		n, width int
		fail     []int
		want     string
	}{
		{12, 4, every(0, 1, 12), "every element"},
		{1, 1, []int{0}, "every element"},
		{12, 4, []int{3, 7, 11}, "the last element of every row"},
		{12, 4, []int{3, 11}, "the last element of some rows"},
		{12, 4, []int{0, 4, 8}, "the first element of every row"},
		{12, 4, []int{11}, "the last element"},
		{12, 4, []int{0}, "the first element"},
		{12, 4, []int{7}, "the last element of some rows"},
		{257, 257, []int{256}, "the last element"},
		{257, 257, []int{0}, "the first element"},
		{257, 257, []int{255}, ""},
		{257, 257, every(256-8, 1, 257), "the tail"},
		{12, 4, []int{2, 3, 6, 7, 10, 11}, "the tail of every row"},
		{12, 4, []int{2, 3, 6, 10, 11}, ""},
		{12, 4, []int{8, 9}, "in the last row"},
		{256, 256, every(31, 32, 256), "lane 31"},
		{256, 64, every(5, 32, 256), "lane 5"},
		{256, 64, []int{5, 6}, ""},
		{99, 33, every(32, 33, 99), "the last element of every row"},
	} {
		var p places
		for _, i := range test.fail {
			p.note(i, test.width)
		}
		if got := p.in(test.n, test.width); got != test.want {
			t.Errorf("%v of %d in rows of %d: %q, want %q", test.fail, test.n, test.width, got, test.want)
		}
	}
}

// Failures are of one kind whatever the values and the shape, and of another by any other
// check, output, stage, place or device.
func TestKind(t *testing.T) {
	of := func(f Failure) string { return Result{Status: Fail, Failures: []Failure{f}}.Kind() }
	base := Failure{Check: CheckBound, Arg: "out", Place: "lane 31", Index: []int{31}, ErrorRatio: 2}
	same := base
	same.Index, same.ErrorRatio, same.Extents, same.Count = []int{3, 63}, 9, []int{4, 64}, 7
	if of(base) != of(same) {
		t.Errorf("%q and %q", of(base), of(same))
	}
	for name, change := range map[string]func(f *Failure){
		"check":     func(f *Failure) { f.Check = CheckUnwritten },
		"output":    func(f *Failure) { f.Arg = "sums" },
		"stage":     func(f *Failure) { f.Stage = "stage 2" },
		"place":     func(f *Failure) { f.Place = "the tail" },
		"adversary": func(f *Failure) { f.Adversary = 1 },
		"position":  func(f *Failure) { f.At = &metalrun.Party{Position: metalrun.Position{File: "a", Line: 1}} },
	} {
		other := base
		if change(&other); of(base) == of(other) {
			t.Errorf("another %s is of the same kind", name)
		}
	}
	if a, b := (Result{Status: Error, Reason: "x"}), (Result{Status: Error, Reason: "y"}); a.Kind() == b.Kind() {
		t.Error("two reasons are of one kind")
	}
}
