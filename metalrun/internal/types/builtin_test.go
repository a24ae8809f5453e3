package types_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/lower"
	"metalconform/metalrun/internal/syntax"
	"metalconform/metalrun/internal/types"
)

// TestBuiltinCoverage calls every function of the library in every type that
// its prototype admits: each must have a meaning in package ir.
func TestBuiltinCoverage(t *testing.T) {
	for i, sig := range types.BuiltinSignatures() {
		if testing.Short() && i%5 != 0 {
			continue
		}
		if calls := lowerCalls(t, sig); calls == 0 {
			t.Errorf("no call of %q could be written: teach callSource its parameter types", sig)
		}
	}
}

// stand is the types that T is tried as, with what the other words then mean.
var stand = slices.Concat(
	standsFor(1, "float", "half", "bfloat", "bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"),
	standsFor(2, "float", "half", "bool", "int"), standsFor(3, "float", "half", "bool", "uchar"),
	standsFor(4, "float", "half", "bool", "short", "ulong"),
	[]map[string]string{
		{"T": "float2x3", "Ts": "float", "Tt": "float3x2"}, {"T": "half4x4", "Ts": "half", "Tt": "half4x4"},
		{"T": "float2x2", "Ts": "float", "Tt": "float2x2"}, {"T": "float3x3", "Ts": "float", "Tt": "float3x3"},
	})

func standsFor(n int, elems ...string) (list []map[string]string) {
	suffix := ""
	if n > 1 {
		suffix = fmt.Sprint(n)
	}
	for _, e := range elems {
		unsigned := e
		if slices.Contains([]string{"char", "short", "int", "long"}, e) {
			unsigned = "u" + e
		}
		list = append(list, map[string]string{
			"T": e + suffix, "Ts": e, "Ti": "int" + suffix, "Tu": unsigned + suffix, "Tb": "bool" + suffix,
			"atomic<T>": "atomic<" + e + ">", "simdgroup_matrix<T>": "simdgroup_matrix<" + e + ", 8, 8>",
			"simdgroup_matrix": "simdgroup_matrix<" + e + ", 8, 8>",
		})
	}
	return list
}

// lowerCalls lowers the calls of one prototype that the checker accepts, and counts
// them. The calls are kernels of one program, each on a line, which is checked again
// without those that have errors.
func lowerCalls(t *testing.T, sig string) int {
	t.Helper()
	var lines []string
	for _, words := range stand {
		lines = append(lines, callSource(sig, len(lines), words, false))
		if strings.Contains(sig, "=") {
			lines = append(lines, callSource(sig, len(lines), words, true))
		}
	}
	for {
		program, errs := checkLines(lines)
		if len(errs) == 0 {
			return lowerAll(t, sig, program)
		}
		for _, e := range errs {
			lines[e.Pos.Line-header] = ""
		}
	}
}

// header is the line on which the calls begin.
const header = 3

func checkLines(lines []string) (*hir.Program, syntax.ErrorList) {
	text := "#include <metal_stdlib>\nusing namespace metal;\n" + strings.Join(lines, "\n") + "\n"
	file, errs := syntax.Parse("call.metal", map[string]string{"call.metal": text}, syntax.Config{Version: 410})
	if len(errs) > 0 {
		return nil, errs
	}
	return types.Check(file, types.Config{Version: 410})
}

func lowerAll(t *testing.T, sig string, program *hir.Program) int {
	t.Helper()
	for _, fn := range program.Kernels {
		k, err := lower.Lower(fn)
		if err == nil {
			err = ir.Verify(k)
		}
		if err != nil {
			t.Errorf("%s has no meaning in package ir: %v", sig, err)
		}
	}
	return len(program.Kernels)
}

// callSource is a kernel that calls a prototype, with its optional arguments if all is set.
func callSource(sig string, n int, words map[string]string, all bool) string {
	head, params, _ := strings.Cut(strings.TrimSuffix(sig, ")"), "(")
	result, name, _ := strings.Cut(head, " ")
	var kernelParams, locals, args []string
	for i, param := range strings.Split(params, ",") {
		text, value, optional := strings.Cut(param, "=")
		if param == "" || optional && !all {
			break
		}
		v := fmt.Sprintf("a%d", i)
		typ, space, pointer := paramType(text, words)
		switch {
		case typ == "mem_flags":
			v = "mem_flags::mem_device"
		case typ == "memory_order":
			v = "memory_order_relaxed"
		case typ == "thread_scope":
			v = "thread_scope_device"
		case strings.Contains(text, "constexpr"):
			v = strings.TrimSpace(value)
		case typ == "simd_vote":
			v = "simd_ballot(true)"
		case pointer && space != "thread":
			attr := fmt.Sprintf("[[buffer(%d)]]", i)
			if space == "threadgroup" {
				attr = fmt.Sprintf("[[threadgroup(%d)]]", i)
			}
			kernelParams = append(kernelParams, fmt.Sprintf("%s %s *%s %s", space, typ, v, attr))
		default:
			locals = append(locals, typ+" "+v+";")
			if pointer {
				v = "&" + v
			}
		}
		args = append(args, v)
	}
	call := name + "(" + strings.Join(args, ", ") + ")"
	if method, ok := strings.CutPrefix(name, "simd_vote."); ok {
		call = args[0] + "." + method + "()"
	}
	if name == "make_filled_simdgroup_matrix" {
		call = fmt.Sprintf("%s<%s, 8, 8>(%s)", name, words["T"], args[0])
	}
	if result != "void" {
		call = "auto r = " + call
	}
	return fmt.Sprintf("kernel void call%d(%s) { %s %s; }", n,
		strings.Join(kernelParams, ", "), strings.Join(locals, " "), call)
}

// paramType reads "const device T *object".
func paramType(text string, words map[string]string) (typ, space string, pointer bool) {
	for _, w := range strings.Fields(text) {
		switch {
		case w == "device" || w == "threadgroup" || w == "thread":
			space = w
		case w == "const" || w == "constexpr":
		case strings.HasPrefix(w, "*"):
			pointer = true
		case typ == "":
			if typ = w; words[w] != "" {
				typ = words[w]
			}
		}
	}
	return typ, space, pointer
}
