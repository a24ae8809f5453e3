package spec

import (
	"fmt"
	"strings"
	"testing"
)

// What a file may try to exhaust its reader is an error at its line, before the memory or the time
// is spent.
func TestGrowth(t *testing.T) {
	loop := func(n int, init, body string) string {
		return fmt.Sprintf("def f():\n    x = %s\n    for i in range(%d):\n        %s\n    return x\ny = f()\n", init, n, body)
	}
	if testing.Short() {
		t.Skip("it takes as much as it may")
	}
	for name, test := range map[string]struct{ text, want string }{
		"string":      {`s = "a" * 1000000000`, "f.star:1:9: more than"},
		"doubled":     {loop(60, `"a"`, "x = x + x"), "f.star:4:15: more than"},
		"doubled +=":  {loop(60, `"a"`, "x += x"), "f.star:4:11: more than"},
		"element":     {loop(60, `["a"]`, "x[0] += x[0]"), "f.star:4:14: more than"},
		"list":        {`l = [0] * 100000000`, "f.star:1:9: more than"},
		"extend":      {loop(60, "[0]", "x.extend(x)"), "f.star:4:17: more than"},
		"getattr":     {loop(60, "[0]", `getattr(x, "extend")(x)`), "more than"},
		"range":       {`l = list(range(1000000000))`, "f.star:1:9: more than"},
		"max":         {`l = max(range(1000000000))`, "more than"},
		"join":        {`s = ("a" * 100000).join(["b"] * 100000)`, "more than"},
		"replace":     {`s = ("a" * 100000).replace("a", "b" * 100000)`, "more than"},
		"format":      {`s = ("{0}" * 10000).format("a" * 100000)`, "more than"},
		"square":      {loop(60, "3", "x = x * x"), "f.star:4:15: an integer of more than 65536 bits"},
		"shift":       {loop(1000, "1 << 500", "x = x << 511"), "an integer of more than"},
		"hash":        {loop(60, "(1,)", "x = (x, x)") + "d = {y: 1}", "nested more than"},
		"equal":       {loop(60, "[1]", "x = [x, x]") + "d = y == y", "nested more than"},
		"text":        {loop(60, "[1]", "x = [x, x]") + "d = str(y)", "nested more than"},
		"percent":     {loop(60, "[1]", "x = [x, x]") + `d = "%s" % y`, "nested more than"},
		"deep":        {loop(5000, "[1]", "x = [x]") + "d = str(y)", "nested more than"},
		"slices":      {"l = list(range(100000))\n" + loop(100000, "l", "z = x[1:]"), "more than"},
		"spread":      {"l = list(range(100000))\ndef g(*a):\n    return 1\n" + loop(100000, "l", "z = g(*x)"), "more than"},
		"search":      {"l = list(range(100000))\n" + loop(100000, "l", "z = -1 in x"), "more than"},
		"dictionary":  {"d = {i: i for i in range(10000)}\n" + loop(10000, "d", "z = x | {1: 2}"), "more than"},
		"chain":       {"x = " + strings.Repeat("1+", 300000) + "1", "nest deeper than"},
		"lambdas":     {"x = " + strings.Repeat("lambda: ", 100000) + "1", "excessive nesting"},
		"index chain": {"x = [0]\ny = x" + strings.Repeat("[0]", 300000), "nest deeper than"},
		"tensors":     {loop(10000, "ones(1 << 20)", "x = x + x"), fmt.Sprintf("f.star:4:15: more than %d elements", maxElements)},
		"scan":        {"y = scan(lambda s, x: (s, 1), 0, zeros(1 << 22))", "more than"},
		"failure":     {`fail("a\n" + "b" * 100000)`, `f.star:1:5: fail: a\n` + strings.Repeat("b", 4000)},
		"steps":       {loop(100000000, "1", "x = 2"), "more than 10000000 steps"},
	} {
		if _, err := read(test.text); err == nil || !strings.Contains(err.Error(), test.want) || len(err.Error()) > 5000 {
			t.Errorf("%s: %.200v, want %.200s", name, err, test.want)
		}
	}
	for _, text := range []string{`x = "ab" + "c" * 100`, `x = [1] + [2, 3]`, `x = {"a": 1} | {"b": 2}`, `x = 7 % 3 << 100`, `x = "%s, %d" % ("a", 3)`, `x = ",".join([str(i) for i in range(1000)])`} {
		if _, err := read(text + "\n" + simple); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}
