package config

import (
	"strings"
	"testing"
)

// TestMaths has lists of modes, and what is wrong with those that are none.
func TestMaths(t *testing.T) {
	for _, test := range []struct {
		text, want string
		one        bool
	}{
		{text: "all", want: "safe,relaxed,fast"},
		{text: "relaxed,fast", want: "relaxed,fast"},
		{text: "fast+precise,fast", want: "fast+precise,fast"},
		{text: "fast", want: "fast", one: true},
		{text: "fast,fast+fast", want: "fast is named twice"},
		{text: "safe,", want: "want safe, relaxed or fast"},
		{text: "all,safe", want: "want safe, relaxed or fast"},
		{text: "relaxed,fast", want: "want one mode", one: true},
		{text: "all", want: "want safe, relaxed or fast", one: true},
	} {
		m := MathModes{One: test.one}
		got := ""
		if err := m.Set(test.text); err != nil {
			got = err.Error()
		} else {
			got = m.String()
		}
		if !strings.HasPrefix(got, test.want) || got == "" {
			t.Errorf("-math %s, one %v: got %q, want %q", test.text, test.one, got, test.want)
		}
	}
}
