package directive

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestInclude finds the includes of a file and nothing that looks like one.
func TestInclude(t *testing.T) {
	text := `#include "a.h"
  # import /* twice */ "b.h" // and more
#include <metal_stdlib>
/* #include "block.h"
#include "block.h" */ #include "c.h"
// continued \
#include "comment.h"
#define M \
#include "macro.h"
x = "/*"; '"';
#include "d.h"
`
	var got []string
	var lines Lines
	for line := range strings.Lines(text) {
		directive := lines.Next(strings.TrimSuffix(line, "\n"))
		if name, imported, ok := Include(directive); ok {
			got = append(got, name)
			if imported {
				got = append(got, "imported")
			}
		}
	}
	if diff := cmp.Diff([]string{"a.h", "b.h", "imported", "metal_stdlib", "c.h", "d.h"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
