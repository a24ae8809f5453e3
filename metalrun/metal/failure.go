package metal

import (
	"fmt"
	"regexp"
	"strings"

	"metalconform/metalrun"
)

// nsReason is what an NSError says.
type nsReason struct {
	domain     string // whose code it is
	code       int
	text       string
	underlying string // localised description of the error below it; "" for none
}

func (r nsReason) String() string {
	s := r.text
	if r.code != 0 {
		s += fmt.Sprintf(" (%scode %d)", strings.TrimPrefix(r.domain+", ", ", "), r.code)
	}
	if r.underlying != "" && !strings.Contains(r.text, r.underlying) {
		s += ": " + r.underlying
	}
	return s
}

// blame is whose fault it is that a command buffer failed.
type blame uint8

const (
	blameDispatch blame = iota // what was asked for cannot be had; the device is as it was
	blameKernel                // the kernel did it, and the device was reset
	blameOthers                // another launch, or nobody: the device no longer works for this process
)

// callbackErrors are the errors of the layer below Metal, as they appear in
// descriptions: "Caused GPU Hang Error (00000003:kIOGPUCommandBufferCallbackErrorHang)".
// They say more than Metal's own codes, which are the same for a launch that hangs and
// for the innocent ones next to it.
var callbackErrors = map[string]blame{
	"Timeout":                blameKernel,
	"Hang":                   blameKernel,
	"PageFault":              blameKernel,
	"StackOverflow":          blameKernel,
	"ImpactingInteractivity": blameKernel,
	"InnocentVictim":         blameOthers,
	"SubmissionsIgnored":     blameOthers,
	"AccessRevoked":          blameOthers,
	"Internal":               blameOthers,
	"OutOfMemory":            blameDispatch,
}

var callbackError = regexp.MustCompile(`kIOGPUCommandBufferCallbackError(\w+)`)

// MTLCommandBufferErrorDomain, and MTLCommandBufferError.
const (
	commandBufferDomain = "MTLCommandBufferErrorDomain"

	errorInternal        = 1
	errorTimeout         = 2
	errorPageFault       = 3
	errorAccessRevoked   = 4
	errorNotPermitted    = 7
	errorOutOfMemory     = 8
	errorInvalidResource = 9
	errorMemoryless      = 10
	errorDeviceRemoved   = 11
	errorStackOverflow   = 12
)

// blame goes by the name of the error below, and by Metal's code where there is none
// or an unknown one.
func (r nsReason) blame() blame {
	for _, text := range []string{r.underlying, r.text} {
		if m := callbackError.FindStringSubmatch(text); m != nil {
			if b, ok := callbackErrors[m[1]]; ok {
				return b
			}
		}
	}
	if r.domain != commandBufferDomain {
		return blameOthers
	}
	switch r.code {
	case errorTimeout, errorPageFault, errorStackOverflow:
		return blameKernel
	case errorOutOfMemory, errorNotPermitted, errorInvalidResource, errorMemoryless:
		return blameDispatch
	}
	return blameOthers // errorInternal, errorAccessRevoked, errorDeviceRemoved and what is unknown
}

// commandError is the failure of a command buffer that ran kernel, which is declared
// at pos: the device does not say where it failed.
func (r nsReason) commandError(kernel string, pos metalrun.Position) error {
	switch r.blame() {
	case blameKernel:
		return &metalrun.Fault{Position: pos, Kernel: kernel, Message: r.String()}
	case blameOthers:
		return fmt.Errorf("%w: running %s: %v", metalrun.ErrLost, kernel, r)
	}
	return fmt.Errorf("running %s: %v", kernel, r)
}

// compilerError matches one error of Metal's run-time compiler, which calls the text
// that it was given program_source. Before macOS 26 a line "Compilation failed:"
// stands before them.
var compilerError = regexp.MustCompile(`(?m)^\s*program_source:(\d+):(\d+): (?:fatal )?error: (.*?)\r?$`)

// diagnostics are the errors in a compiler's log, at the positions that the tokens
// there came from; nil if there are none in this source.
func diagnostics(log string, unit metalrun.Unit) metalrun.Diagnostics {
	var list metalrun.Diagnostics
	for _, m := range compilerError.FindAllStringSubmatch(log, -1) {
		if pos, ok := unit.Origin(number(m[1]), number(m[2])); ok {
			list = append(list, metalrun.Diagnostic{Position: pos, Code: "metal", Message: m[3]})
		}
	}
	return list
}

// number is a decimal that a pattern has matched; a huge one is after every line.
func number(digits string) int {
	n := 0
	for _, d := range digits {
		if n = 10*n + int(d-'0'); n > 1<<30 {
			return 1 << 30
		}
	}
	return n
}
