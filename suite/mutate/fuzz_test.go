package mutate

import (
	"strings"
	"testing"
)

// Annotations of mutants are read, or refused with a line; each has a reason.
func FuzzAnnotations(f *testing.F) {
	f.Add("# comment\nequivalent: it is\n\tkey one\n\tkey two\nundetected: no input\n key three\n")
	f.Add("equivalent: \n\tkey\n")
	f.Fuzz(func(t *testing.T, text string) {
		x := annotations{seen: map[string]Annotation{}}
		if err := x.read("f", strings.NewReader(text)); err != nil {
			if !strings.HasPrefix(err.Error(), "f:") && !strings.Contains(err.Error(), "token too long") {
				t.Errorf("no place: %v", err)
			}
			return
		}
		for _, a := range x.list {
			if a.Reason == "" || a.Key == "" || a.Line < 1 {
				t.Errorf("an annotation without a reason, a key or a line: %+v", a)
			}
		}
	})
}
