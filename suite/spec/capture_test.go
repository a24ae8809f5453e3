package spec

import (
	"slices"
	"strings"
	"testing"
)

// TestCaptured: a function that outlives a loop has the last value of the loop's variable.
func TestCaptured(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string // the beginnings of sentences
	}{
		{"for n in [1, 2]:\n    kernel(oracle = lambda x: x * n)", []string{"f.star:2:21: the lambda uses n,"}},
		{"for n, f in p:\n    made(n, lambda x: f(x, n))",
			[]string{"f.star:2:13: the lambda uses f,", "f.star:2:13: the lambda uses n,"}},
		{"k = [lambda x: x * n for n in [1, 2]]", []string{"f.star:1:6: the lambda uses n,"}},
		{"def all():\n    for n in [1]:\n        kernel(oracle = lambda x: x[n:])",
			[]string{"f.star:3:25: the lambda uses n,"}},
		{"for n in [1, 2]:\n    kernel(oracle = lambda x: scan(lambda s, v: s + n, x))",
			[]string{"f.star:2:21: the lambda uses n,"}},
		// These are called at once.
		{"def f(x):\n    for n in [1, 2]:\n        x = scan(lambda s, v: s * n, 0, x)\n    return x", nil},
		{"def f(x):\n    for n in [1, 2]:\n        x = own(lambda s: s * n, x)\n    return x", nil},
		// These have values of their own.
		{"for n in [1, 2]:\n    kernel(oracle = lambda x, n: x * n)", nil},
		{"for n in [1, 2]:\n    kernel(oracle = lambda x, m = n: x * m)", nil},
		{"for n in [1, 2]:\n    kernel(oracle = lambda x: sum(x, n = 1) + x.n)", nil},
		{"for n in [1, 2]:\n    kernel(oracle = made(n))", nil},
		{"def made(n):\n    return lambda x: x * n\nfor m in [1]:\n    kernel(oracle = made(m))", nil},
		{"n = 3\nkernel(oracle = lambda x: x @ x * n)", nil},
	} {
		got, err := Captured("f.star", []byte(test.text))
		if err != nil || !slices.EqualFunc(got, test.want, strings.HasPrefix) {
			t.Errorf("%s\n%q, want %q (%v)", test.text, got, test.want, err)
		}
	}
}
