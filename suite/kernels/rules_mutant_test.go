package kernels

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"metalconform/shaders"
)

// mutations are small edits of the kinds that mutation testing uses: another
// operator, another comparison, another constant, another precision, one step
// left out.
func mutations() []edit {
	return []edit{
		{old: " + ", new: " - "},
		{old: " - ", new: " + "},
		{old: " * ", new: " + "},
		{old: " / ", new: " * "},
		{old: " % ", new: " / "},
		{old: " += ", new: " = "},
		{old: " < ", new: " <= "},
		{old: " > ", new: " >= "},
		{old: "max(", new: "min("},
		{old: "0.0f", new: "1.0f"},
		{old: "1.0f", new: "1.001f"},
		{old: "INFINITY", new: "1e3f"},
		{old: "float ", new: "half "},
		{old: "bfloat(", new: "float("},
		{old: "exp(", new: "exp2("},
		{old: "rsqrt(", new: "sqrt("},
		{old: "simd_sum(", new: "("},
		{old: "simd_max(", new: "("},
		{old: "threadgroup_sum(", new: "simd_sum("},
	}
}

// mutantStride thins the mutants out: one in so many is judged.
const mutantStride = 4

// mutants are faults of one mutation each, in places of the bodies of all entry
// points where it compiles. In the header of a loop only the comparison is
// changed: others might never end.
func mutants(tb testing.TB) []fault {
	tb.Helper()
	var candidates []fault
	var files []string
	for _, family := range All() {
		for _, k := range family.Kernels {
			file := family.Name + ".metal"
			text, err := fs.ReadFile(shaders.FS, file)
			if err != nil {
				tb.Fatal(err)
			}
			for _, f := range mutated(k.Name, string(text)) {
				candidates, files = append(candidates, f), append(files, file)
			}
		}
	}
	compiles := make([]bool, len(candidates))
	inParallel(len(candidates), func(i int) {
		_, err := candidates[i].shaders(files[i])
		compiles[i] = err == nil
	})
	var all []fault
	for i, f := range candidates {
		if compiles[i] && i%mutantStride == 0 {
			all = append(all, f)
		}
	}
	return all
}

// mutated are the mutants of one entry point, whether they compile or not.
func mutated(kernel, source string) []fault {
	_, rest, _ := strings.Cut(source, "kernel void "+kernel+"(")
	text, _, _ := strings.Cut(rest, "\n}\n")
	_, body, _ := strings.Cut(text, "\n{\n")
	head := "kernel void " + kernel + "(" + strings.TrimSuffix(text, body)
	var faults []fault
	start := 0
	for number, line := range strings.SplitAfter(body, "\n") {
		code, _, _ := strings.Cut(line, "//")
		for _, m := range mutations() {
			if m.old != " < " && strings.Contains(code, "for (") {
				continue
			}
			for at := strings.Index(code, m.old); at >= 0; {
				before := head + body[:start+at]
				faults = append(faults, fault{
					kernel: kernel,
					name:   fmt.Sprintf("%q for %q in line %d of the body, column %d", m.new, m.old, number+1, at+1),
					edits:  []edit{{old: before + m.old, new: before + m.new}},
				})
				next := strings.Index(code[at+1:], m.old)
				if next < 0 {
					break
				}
				at += 1 + next
			}
		}
		start += len(line)
	}
	return faults
}

// TestMutated checks the mutants of a small kernel.
func TestMutated(t *testing.T) {
	const source = "kernel void a(\n    uint i)\n{\n    x = 1;\n}\n\nkernel void b(\n    uint i)\n{\n    // y + z\n    x = y + z + 1;\n}\n"
	var got []string
	for _, f := range mutated("b", source) {
		for _, e := range f.edits {
			if strings.Count(source, e.old) != 1 {
				t.Errorf("%s: the source has its place %d times", f.name, strings.Count(source, e.old))
			}
			got = append(got, strings.Replace(source, e.old, e.new, 1))
		}
	}
	want := []string{strings.Replace(source, "y + z + 1", "y - z + 1", 1), strings.Replace(source, "y + z + 1", "y + z - 1", 1)}
	if strings.Join(got, "\n---\n") != strings.Join(want, "\n---\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n---\n"), strings.Join(want, "\n---\n"))
	}
}
