package metal

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
)

// The logs have the forms in which NewLibraryWithSource reports errors, before and since
// macOS 26.
func TestCompilerLog(t *testing.T) {
	unit := unitOf(t, map[string]string{
		"main.metal": "#include <metal_stdlib>\n#include \"a.h\"\n#ifdef A\nconstant int m = 1;\n#endif\n",
		"a.h":        "#pragma once\n#define A\nconstant int a = 2;\n",
	})
	if want := "#include <metal_stdlib>\nconstant int a = 2;\nconstant int m = 1;\n"; unit.Text() != want {
		t.Fatalf("preprocessed %q, want %q", unit.Text(), want)
	}
	log := `program_source:2:18: error: use of undeclared identifier 'x'
constant int a = 2;
                 ^
program_source:2:14: warning: unused variable
program_source:3:18: fatal error: use of undeclared identifier 'y'
constant int m = 1;
                 ^
program_source:99999999999999999999:1: error: behind the end
program_source:1:1: error: from nowhere
`
	want := metalrun.Diagnostics{
		{Position: metalrun.Position{File: "a.h", Line: 3, Col: 18}, Code: "metal",
			Message: "use of undeclared identifier 'x'"},
		{Position: metalrun.Position{File: "main.metal", Line: 4, Col: 18}, Code: "metal",
			Message: "use of undeclared identifier 'y'"},
		{Position: metalrun.Position{File: "main.metal", Line: 4, Col: 19}, Code: "metal", Message: "behind the end"},
	}
	for _, form := range []string{log, "Compilation failed: \n\n" + log, strings.ReplaceAll(log, "\n", "\r\n")} {
		if diff := cmp.Diff(want, diagnostics(form, unit)); diff != "" {
			t.Errorf("diagnostics of %q (-want +got):\n%s", form, diff)
		}
	}
	if got := diagnostics("Compiler encountered an internal error", unit); got != nil {
		t.Errorf("a log without errors gave %v", got)
	}
}

// TestBlame has every code of Metal alone, and every error of the layer below: in the
// text, or in the error underneath with a code that says something else.
func TestBlame(t *testing.T) {
	const pre = "Execution of the command buffer was aborted due to an error during execution. "
	tests := []struct {
		reason nsReason
		want   blame
	}{
		{nsReason{code: 1, text: pre}, blameOthers},
		{nsReason{code: 2, text: pre}, blameKernel},
		{nsReason{code: 3, text: pre}, blameKernel},
		{nsReason{code: 4, text: pre}, blameOthers},
		{nsReason{code: 7, text: pre}, blameDispatch},
		{nsReason{code: 8, text: pre}, blameDispatch},
		{nsReason{code: 9, text: pre}, blameDispatch},
		{nsReason{code: 10, text: pre}, blameDispatch},
		{nsReason{code: 11, text: pre}, blameOthers},
		{nsReason{code: 12, text: pre}, blameKernel},
		{nsReason{code: 99, text: pre}, blameOthers},
		{nsReason{code: 1,
			text: pre + "Impacting Interactivity (0000000e:kIOGPUCommandBufferCallbackErrorImpactingInteractivity)"},
			blameKernel},
		{nsReason{code: 2,
			text: pre +
				"Discarded (victim of GPU error/recovery) (00000005:kIOGPUCommandBufferCallbackErrorInnocentVictim)"},
			blameOthers},
		{nsReason{code: 2, text: pre,
			underlying: "Discarded (victim of GPU error/recovery) " +
				"(00000005:kIOGPUCommandBufferCallbackErrorInnocentVictim)"}, blameOthers},
		{nsReason{code: 4,
			text: pre + "Ignored (for causing prior/excessive GPU errors) " +
				"(00000004:kIOGPUCommandBufferCallbackErrorSubmissionsIgnored)"}, blameOthers},
		{nsReason{code: 1, text: pre,
			underlying: "Caused GPU Hang Error (00000003:kIOGPUCommandBufferCallbackErrorHang)"}, blameKernel},
		{nsReason{code: 1, text: pre + "Insufficient Memory (00000008:kIOGPUCommandBufferCallbackErrorOutOfMemory)"},
			blameDispatch},
		// by Metal's code
		{nsReason{code: 3, text: pre + "(000000ff:kIOGPUCommandBufferCallbackErrorUnheardOf)"}, blameKernel},
	}
	at := metalrun.Position{File: "a.metal", Line: 3, Col: 1}
	foreign := nsReason{domain: "AGXMetalG13X", code: 2, text: pre} // whose 2 is no timeout
	if got := foreign.blame(); got != blameOthers || !strings.Contains(foreign.String(), "(AGXMetalG13X, code 2)") {
		t.Errorf("%v: blame %d, want %d", foreign, got, blameOthers)
	}
	for _, test := range tests {
		test.reason.domain = commandBufferDomain
		if got := test.reason.blame(); got != test.want {
			t.Errorf("%v: blame %d, want %d", test.reason, got, test.want)
		}
		err := test.reason.commandError("k", at)
		var fault *metalrun.Fault
		isFault, isLost := errors.As(err, &fault), errors.Is(err, metalrun.ErrLost)
		if isFault != (test.want == blameKernel) || isLost != (test.want == blameOthers) {
			t.Errorf("%v: fault %v, lost %v", err, isFault, isLost)
		}
		if isFault && (fault.Position != at || fault.Kernel != "k") {
			t.Errorf("fault of %s at %v", fault.Kernel, fault.Position)
		}
		if !strings.Contains(err.Error(), "aborted") || !strings.Contains(err.Error(), test.reason.underlying) {
			t.Errorf("%v does not say what Metal said", err)
		}
	}
}
