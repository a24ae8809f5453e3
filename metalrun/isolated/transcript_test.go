package isolated

import (
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestReason has what processes print before they die.
func TestReason(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"Metal API Validation Enabled\n", ""},
		{"Metal API Validation Enabled\nsomething else\nmore\n", "something else"},
		{"SIGABRT: abort\nPC=0x1\n", "SIGABRT: abort"},
		{"noise\n2026-01-02 k[1:2] *** Terminating app due to uncaught exception 'NSInvalidArgumentException', " +
			"reason: '" +
			"-[A b]: unrecognized selector'\n*** First throw call stack:\n(0 1)\n",
			"2026-01-02 k[1:2] *** Terminating app due to uncaught exception 'NSInvalidArgumentException', reason: '" +
				"-[A b]: unrecognized selector'"},
		{"fatal error: stack overflow\n\nruntime stack:\n", "fatal error: stack overflow"},
		{"x: failed assertion `one\ntwo\n'", "x: failed assertion `one; two'"},
		{"Invalid device load executing kernel function \"k\"\n  at k.metal:3\nSIGABRT: abort\n",
			"Invalid device load executing kernel function \"k\"; at k.metal:3"},
		{strings.Repeat("noise\n", 1e5) + "y: failed assertion `" + strings.Repeat("z", 2000),
			"y: failed assertion `" + strings.Repeat("z", mostLine-len("y: failed assertion `"))},
	} {
		s := transcript{validates: true}
		for piece := range slices.Chunk([]byte(test.text), 7) {
			s.Write(piece)
		}
		if got := s.String(); got != test.want {
			t.Errorf("%.200q: %q, want %q", test.text, got, test.want)
		}
	}
}

// TestReports keeps what shader validation finds until somebody takes it, and not all of a flood.
func TestReports(t *testing.T) {
	s := transcript{validates: true}
	if got := s.take(); got != "" {
		t.Errorf("%q before anything is said", got)
	}
	io.WriteString(&s, "2026 k[1:2] Metal GPU Validation Enabled\nInvalid device load at offset 8, executing kernel "+
		"function: \"k\"\nbuffer: x, length:4\nnoise\nbuffer: of somebody else\n")
	const want = `Invalid device load at offset 8, executing kernel function: "k"; buffer: x, length:4`
	if got := s.take(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	io.WriteString(&s, strings.Repeat("Invalid threadgroup store at offset 8\n", 1000)+"\n"+answered+"\n")
	s.await(1)
	if got, want := s.take(), "Invalid threadgroup store at offset 8 (and 999 more)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := s.take(); got != "" {
		t.Errorf("%q is taken again", got)
	}
}

// TestUnvalidated: without shader validation nothing that a framework prints is a report of it.
func TestUnvalidated(t *testing.T) {
	var s transcript
	io.WriteString(&s, "Invalid display 0x1 access\nInvalid device store at offset 8, executing kernel function: x\n")
	if got := s.take(); got != "" {
		t.Errorf("%q", got)
	}
	if !validates([]string{"MTL_SHADER_VALIDATION=1"}) || validates([]string{"MTL_SHADER_VALIDATION=1",
		"MTL_SHADER_VALIDATION=0"}) || validates(nil) {
		t.Error("the environment is misread")
	}
}

// TestValidated: a process with shader validation is told to say what it finds, unless somebody has chosen.
func TestValidated(t *testing.T) {
	const found, how = "MTL_SHADER_VALIDATION_REPORT_TO_STDERR", "MTL_SHADER_VALIDATION_ENABLE_ERROR_REPORTING"
	for _, test := range []struct{ given, want []string }{
		{nil, nil},
		{[]string{"MTL_SHADER_VALIDATION=0"}, nil},
		{[]string{"MTL_SHADER_VALIDATION=1", "MTL_SHADER_VALIDATION=0"}, nil},
		{[]string{"MTL_SHADER_VALIDATION=1"}, []string{found + "=1", how + "=1"}},
		{[]string{"MTL_SHADER_VALIDATION=1", how + "=0"}, []string{found + "=1"}},
	} {
		if got := validated(test.given)[len(test.given):]; !slices.Equal(got, test.want) {
			t.Errorf("%v adds %v, want %v", test.given, got, test.want)
		}
	}
}

type nowhere struct{ io.Writer }

func (nowhere) Close() error { return nil }

// TestImmortal has a process that a driver holds after SIGKILL: nobody waits for it for ever.
func TestImmortal(t *testing.T) {
	held := make(chan error)
	w := &worker{cmd: exec.Command("sleep", "600"), in: nowhere{}, out: nowhere{}, patience: time.Millisecond,
		wait: func() error { return <-held }}
	if err := w.cmd.Start(); err != nil {
		t.Skip(err)
	}
	if got := w.end(0); got != immortal {
		t.Errorf("it ended: %s", got)
	}
	held <- errors.New("late") // nobody is there to hear it, and nobody is blocked
	if err := w.cmd.Wait(); err == nil {
		t.Error("the process was not killed")
	}
}
