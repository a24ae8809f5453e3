package metal

import (
	"errors"
	"testing"

	"metalconform/metalrun"
)

// TestPragma: where the mode is safe, the pragma may go; where it is not, a compiler that ignores it is told.
func TestPragma(t *testing.T) {
	const text = "float f(float x) {\n  #pragma METAL fp math_mode(safe)\n  return x;\n}\n"
	const warning = "program_source:2:11: warning: unknown pragma ignored [-Wunknown-pragmas]\n"
	if got, ok := withoutPragma(text, metalrun.MathSafe); !ok || got != "float f(float x) {\n\n  return x;\n}\n" {
		t.Errorf("%q, %v", got, ok)
	}
	for _, test := range []struct {
		text string
		mode metalrun.MathMode
	}{{text, metalrun.MathFast}, {"// none\n", metalrun.MathSafe}} {
		if got, ok := withoutPragma(test.text, test.mode); ok || got != test.text {
			t.Errorf("%q in mode %v: %q, %v", test.text, test.mode, got, ok)
		}
	}
	for _, test := range []struct {
		text, warnings string
		mode           metalrun.MathMode
		fails          bool
	}{
		{text, warning, metalrun.MathFast, true},
		{text, warning, metalrun.MathRelaxed, true},
		{text, warning, metalrun.MathSafe, false},
		{text, "program_source:2:11: warning: unused variable 'x'\n", metalrun.MathFast, false},
		{"// none\n", warning, metalrun.MathFast, false},
	} {
		err := ignoredPragma("k.metal", test.text, test.warnings, test.mode)
		if errors.Is(err, metalrun.ErrUnsupported) != test.fails || (err != nil) != test.fails {
			t.Errorf("%+v: %v", test, err)
		}
	}
}
