package kernels

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"metalconform/suite"
)

const soundArchive = `The sum is a difference.

hazard: slips of the pen
kernel: residual_add
case: residual_add/dim=1/input=normal
check: exact
-- norm.metal before --
    constant uint&      dim [[buffer(3)]],
    uint i [[thread_position_in_grid]])
{
    if (i < dim) {
        out[i] = a[i] + b[i];
-- norm.metal after --
    constant uint&      dim [[buffer(3)]],
    uint i [[thread_position_in_grid]])
{
    if (i < dim) {
        out[i] = a[i] - b[i];
`

// TestSeededArchive spoils a sound archive in each way that an archive can be
// wrong, or that a change of a shader can leave it behind.
func TestSeededArchive(t *testing.T) {
	tests := []struct {
		name, old, new string
		want           string // part of the error
	}{
		{"sound", "The sum", "The sum", "<nil>"},
		{"no sentences", "The sum is a difference.\n\n", "", "want sentences"},
		{"missed", "case: residual_add/dim=1/input=normal\ncheck: exact\n", "missed: no case has a 2\n", "<nil>"},
		{"no hazard", "hazard: slips of the pen\n", "", "want hazard and kernel"},
		{"neither check nor note", "check: exact\n", "", "or else missed"},
		{"check without a case", "case: residual_add/dim=1/input=normal\n", "", "or else missed"},
		{"missed by a case", "check: exact\n", "check: exact\nmissed: it never sees it\n", "or else missed"},
		{"check and note", "check: exact\n", "check: exact\nnote: fine\n", "or else missed"},
		{"check twice", "check: exact\n", "check: exact\ncheck: bound\n", "once too often"},
		{"unknown key", "check: exact\n", "check: exact\nline: 7\n", "no such key"},
		{"key without a value", "check: exact\n", "check: exact\nat:\n", `"at:" has no value`},
		{"case of another sweep", "dim=1/", "dim=3000000/", "the quick sweep has no such case"},
		{"no edit", "-- norm.metal before --", "-- norm.metal --", "want FILE before and FILE after"},
		{"edit of two files", "-- norm.metal after --", "-- moe.metal after --", "want FILE before and FILE after"},
		{"half an edit", "-- norm.metal after --\n", "", "1 files, want pairs"},
		{"no such shader", "norm.metal", "absent.metal", "absent.metal"},
		{"shader has changed", "a[i] + b[i]", "b[i] + a[i]", "it has 0 times, want once"},
		{"not told apart", "    constant uint&      dim [[buffer(3)]],\n    uint i [[thread_position_in_grid]])\n{\n" +
			"    if (i < dim) {\n        out[i] = a[i] + b[i];\n", "i\n",
			"times, want once"},
	}
	cases := map[string]suite.Case{"residual_add/dim=1/input=normal": {}}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var a seededArchive
			spoiled := strings.NewReplacer(test.old, test.new).Replace(soundArchive)
			err := a.parse(txtar.Parse([]byte(spoiled)), cases)
			if err == nil {
				_, err = a.sources()
			}
			if got := fmt.Sprint(err); !strings.Contains(got, test.want) {
				t.Errorf("got error %q, want %q in it", got, test.want)
			}
		})
	}
}
