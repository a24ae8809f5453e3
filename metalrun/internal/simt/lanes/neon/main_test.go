package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEncodings compares every instruction of the table with the word that GNU
// as makes of it. Registers are such that each bit of each field is on once.
func TestEncodings(t *testing.T) {
	var got []string
	for name, in := range instructions {
		for _, fields := range [][]int{{21, 10, 19, 1}, {10, 21, 12, 2}} {
			word, text, err := encode(name, fields[:strings.Count(in.form, "%d")]...)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprintf("%08x %s", word, text))
		}
	}
	slices.SortFunc(got, func(x, y string) int { return strings.Compare(x[9:], y[9:]) })
	want, err := os.ReadFile("testdata/encodings.txt")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(strings.TrimSpace(string(want)), "\n"), got); diff != "" {
		t.Errorf("encodings (-as +table):\n%s", diff)
	}
}

func TestEncodeRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		fields []int
		want   string
	}{
		{"fadd.2d", []int{1, 2, 3}, "no instruction fadd.2d"},
		{"fadd.4s", []int{1, 2}, "fadd.4s has 3 fields, got 2"},
		{"fadd.4s", []int{1, 2, 32}, "fadd.4s: field 2 is 32"},
		{"fmla.4s.s", []int{1, 2, 3, 4}, "fmla.4s.s: field 3 is 4"},
	} {
		if _, _, err := encode(c.name, c.fields...); err == nil || err.Error() != c.want {
			t.Errorf("encode(%s, %v): %v, want %s", c.name, c.fields, err, c.want)
		}
	}
}

// TestGenerated holds the files of package lanes to this generator.
func TestGenerated(t *testing.T) {
	functions := all()
	for name, want := range map[string]string{
		assemblyFile:    assemblyText(functions),
		declarationFile: declarationText(functions),
	} {
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s is not what go generate writes", name)
		}
	}
}
