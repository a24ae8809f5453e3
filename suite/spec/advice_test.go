package spec

import (
	"strings"
	"testing"
)

// What is advised is known, and what is known is not advised against.
func TestAdvice(t *testing.T) {
	for name, advice := range elsewhere {
		if predeclared.Has(name) {
			t.Errorf("%s is known, and %q is advised", name, advice)
		}
		if _, err := read("x = " + name); err == nil ||
			!strings.HasSuffix(err.Error(), "undefined: "+name+" (here: "+advice+")") {
			t.Errorf("%s: %v", name, err)
		}
		called, _, call := strings.Cut(advice, "(")
		if call && !strings.ContainsAny(called, " ,-") && !predeclared.Has(called) {
			t.Errorf("%s: %s is not known", name, called)
		}
	}
}
