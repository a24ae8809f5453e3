package suite

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"metalconform/metalrun"
)

// signature is what the source says of an entry point and its file beside the
// argument table, as far as the front end prints it in its passes.
type signature struct {
	head  string          // of the typed tree, parameter by parameter
	simd  bool            // it has operations of a simdgroup
	reads map[string]bool // positions and sizes that the body reads, with their components: thread_position_in_grid.x
}

// functionConstant is a constant whose value the host gives.
type functionConstant struct {
	name  string
	typ   string
	index int
	value string // "" for none
	given bool
}

// signatures are those of a translation unit by entry point, and the members of
// its structs.
type signatures struct {
	kernels map[string]signature
	structs map[string][]member
}

// printed is what a pass of the front end made of src.
func printed(src metalrun.Source, opts metalrun.CompileOptions, pass string) (string, error) {
	var b strings.Builder
	err := metalrun.Dump(&b, src, opts, pass)
	return b.String(), err
}

var constantLine = regexp.MustCompile(`(?m)^function constant (\S+) (\S+) \[(\d+)\] = `)

// functionConstants lists the function constants of a source in the order of
// their indices.
func functionConstants(src metalrun.Source, opts metalrun.CompileOptions) ([]functionConstant, error) {
	text, err := printed(src, opts, "types")
	if err != nil {
		return nil, err
	}
	var list []functionConstant
	for _, m := range constantLine.FindAllStringSubmatch(text, -1) {
		index, err := strconv.Atoi(m[3])
		if err != nil {
			return nil, err
		}
		list = append(list, functionConstant{name: m[2], typ: m[1], index: index})
	}
	return list, nil
}

var (
	kernelHead    = regexp.MustCompile(`(?m)^kernel void (.+?)(?: max_threads \d+)?\((.*)\)$`)
	kernelBody    = regexp.MustCompile(`(?m)^kernel (.+?) *;`)
	simdOperation = regexp.MustCompile(`(?m)^[^;\n]* (?:simd|matmul) `)
	inputRead     = regexp.MustCompile(`@((?:thread|simdgroup|quadgroup|dispatch)\w*_(?:in|per)_\w+(?:\.[xyz])?)`)
)

// readSignatures reads the passes of a source.
func readSignatures(src metalrun.Source, opts metalrun.CompileOptions) (signatures, error) {
	u := signatures{kernels: map[string]signature{}}
	typed, err := printed(src, opts, "types")
	if err != nil {
		return u, err
	}
	tree, err := printed(src, opts, "tree")
	if err != nil {
		return u, err
	}
	ir, err := printed(src, opts, "ir")
	if err != nil {
		return u, err
	}
	u.structs = members(tree)
	code := bodies(ir)
	for _, m := range kernelHead.FindAllStringSubmatch(typed, -1) {
		body := code[m[1]]
		s := signature{head: m[2] + ",", simd: simdOperation.MatchString(body), reads: map[string]bool{}}
		for _, read := range inputRead.FindAllStringSubmatch(body, -1) {
			s.reads[read[1]] = true
		}
		u.kernels[m[1]] = s
	}
	return u, nil
}

// bodies splits a printed representation into its kernels.
func bodies(code string) map[string]string {
	of := map[string]string{}
	heads := kernelBody.FindAllStringSubmatchIndex(code, -1)
	for i, at := range heads {
		end := len(code)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		of[code[at[2]:at[3]]] = code[at[1]:end]
	}
	return of
}

// reference reports whether an argument of the buffer table is one object, and
// not the first of many.
func (s signature) reference(a metalrun.ArgInfo) bool {
	return strings.Contains(s.head, fmt.Sprintf(" & %s buffer %d,", a.Name, a.Index)) ||
		strings.Contains(s.head, fmt.Sprintf(" %s value %d,", a.Name, a.Index))
}

// axes are those along which the kernel reads one of the inputs.
func (s signature) axes(inputs ...string) []int {
	var list []int
	for axis, name := range []string{".x", ".y", ".z"} {
		if slices.ContainsFunc(inputs, func(input string) bool { return s.reads[input+name] }) {
			list = append(list, axis)
		}
	}
	return list
}

// readsOnly reports whether the kernel reads no other inputs than those, along
// any axis.
func (s signature) readsOnly(inputs ...string) bool {
	for name := range maps.Keys(s.reads) {
		input, _, _ := strings.Cut(name, ".")
		if !slices.Contains(inputs, input) {
			return false
		}
	}
	return true
}
