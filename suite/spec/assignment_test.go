package spec

import (
	"strings"
	"testing"

	"go.starlark.net/starlark"
)

// TestAssignments runs statements that assign to items; v is what they leave, or an error.
func TestAssignments(t *testing.T) {
	for _, test := range []struct{ statements, want string }{
		{"x = zeros([3]); x[1] = 5; v = x", "tensor((3), [0, 5, 0])"},
		{"x = zeros([3]); y = x; x[1] = 5; v = y", "tensor((3), [0, 0, 0])"},
		{"x = zeros([3]); x[-1] = 5; v = x", "tensor((3), [0, 0, 5])"},
		{"x = zeros([2, 2]); x[:, 1] = tensor([1, 2]); v = x", "tensor((2, 2), [0, 1, 0, 2])"},
		{"x = zeros([2, 3]); x[1] = 7; v = x", "tensor((2, 3), [0, 0, 0, 7, 7, 7])"},
		{"x = zeros([2, 3]); x[0, tensor([2, 0])] = [8, 9]; v = x", "tensor((2, 3), [9, 0, 8, 0, 0, 0])"},
		{"x = zeros([2, 3]); x[[0, 1], [2, 0]] = [8, 9]; v = x", "tensor((2, 3), [0, 0, 8, 9, 0, 0])"},
		{"x = zeros([3]); x[tensor([1, 1])] = [8, 9]; v = x", "tensor((3), [0, 9, 0])"},
		{"x = tensor([3, -1, -2]); x[x < 0] = 0; v = x", "tensor((3), [3, 0, 0])"},
		{"x = tensor([3, -1, -2]); x[x < 0] = [7, 8]; v = x", "tensor((3), [3, 7, 8])"},
		{"x = zeros([2, 3]); x[arange(2), tensor([2, 0])] = [8, 9]; x[arange(2), tensor([1, 1])] += 1; v = x",
			"tensor((2, 3), [0, 1, 8, 9, 1, 0])"},
		{"x = ones([2]); x[0] += 2; x[1] *= 5; x[1] //= 2; v = x", "tensor((2), [3, 2])"},
		{"x = arange(3); x[1:] = 0; x[:1] += 5; v = x", "tensor((3), [5, 0, 0])"}, {"x = arange(4); x[::2] = 9; v = x",
			"tensor((4), [9, 1, 9, 3])"}, {"l = [1, 2]; l[1:] = [3]", "list index: got span, want int"},
		{"x = zeros([3]); x[3] = 5", "f.star:1:18: take: index 3 of axis 0, which is 3 long"},
		{"x = zeros([3]); x[0] = tensor([1, 2])", "f.star:1:18: x[…] = v: (2) does not broadcast to ()"},
		{"def f(x):\n    for i in range(2):\n        x[i] = i + 1\n    return x\ny = zeros([2]); v = [f(y), y]",
			"[tensor((2), [1, 2]), tensor((2), [0, 0])]"},
		{"def f(x):\n    def g(i):\n        x[i] = 1\n    g(0)\n    return x\nv = f(zeros([2]))",
			"x is a name of an outer function"},
		{"d = {'y': zeros([2])}; d['y'][1] = 3; v = d", `{"y": tensor((2), [0, 3])}`},
		{"d = {}; d[1] = 2; d[1] += 3; v = d", "{1: 5}"}, {"d = {}; d[1] += 2", "key 1 not in dict"},
		{"l = [1, 2]; l[-1] = 3; v = l", "[1, 3]"}, {"l = [1]; l[1] = 2", "list index 1 out of range [-1:0]"},
		{"l = [[1]]; m = l[0]; l[0] += [2]; v = m", "[1, 2]"}, {"l = [1, 2]; m = l; m[0] -= 4; v = l", "[-3, 2]"},
		{"t = (1,); t[0] = 2", "tuple value does not support item assignment"},
		{"def f(d):\n    def g():\n        d[0] = 1\n    g()\n    return d\nv = f({})", "{0: 1}"},
	} {
		got := ""
		if file, _, err := parse("f.star", "", []byte(test.statements)); err != nil {
			got = positioned(err).Error()
		} else if program, err := starlark.FileProgram(file, predeclared.Has); err != nil {
			got = positioned(err).Error()
		} else if globals, err := program.Init(newThread("f.star", newMeter(new(Limits))), predeclared); err != nil {
			got = positioned(err).Error()
		} else {
			got = globals["v"].String()
		}
		if !strings.Contains(got, test.want) || !strings.HasPrefix(got, "f.star") && got != test.want {
			t.Errorf("%s: %s, want %s", test.statements, got, test.want)
		}
	}
}

// TestAssignmentsAreCounted: a tensor is copied whenever one of its elements changes.
func TestAssignmentsAreCounted(t *testing.T) {
	thread := newThread("test", newMeter(&Limits{values: [limits]int64{Elements: 1000}}))
	file, _, err := parse("f.star", "", []byte("x = zeros([100])\nfor i in range(5):\n    x[i] = 1"))
	if err != nil {
		t.Fatal(err)
	}
	program, err := starlark.FileProgram(file, predeclared.Has)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := program.Init(thread, predeclared); err == nil ||
		!strings.Contains(err.Error(), "more than 1000 elements") {
		t.Errorf("five copies of a hundred elements twice, and the hundred themselves: %v", err)
	}
}
