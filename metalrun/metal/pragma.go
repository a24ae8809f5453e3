package metal

import (
	"fmt"
	"regexp"
	"strings"

	"metalconform/metalrun"
)

// safePragma asks for safe math in a block, which some compilers may not know.
var safePragma = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*pragma METAL fp math_mode\(safe\)[ \t]*$`)

// unknownPragma is what a compiler says that goes on without it.
var unknownPragma = regexp.MustCompile(`(?i)warning: .*\bpragma\b.*`)

// withoutPragma is a text whose math mode is safe anyway, without the pragma that asks for it; ok says that it had one.
// Lines stay where they are.
func withoutPragma(text string, mode metalrun.MathMode) (without string, ok bool) {
	if mode != metalrun.MathSafe || !safePragma.MatchString(text) {
		return text, false
	}
	return safePragma.ReplaceAllString(text, ""), true
}

// ignoredPragma is the error of a text that relies on the pragma, compiled by a compiler that ignores it: its kernels
// compute something else.
func ignoredPragma(name, text, warnings string, mode metalrun.MathMode) error {
	said := unknownPragma.FindString(warnings)
	if said == "" || mode == metalrun.MathSafe || !safePragma.MatchString(text) {
		return nil
	}
	return fmt.Errorf("%w: %s relies on #pragma METAL fp math_mode(safe), which its compiler ignores: %s",
		metalrun.ErrUnsupported, name, strings.TrimSpace(said))
}
