package session

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// replayed are values of the flags that a command which repeats a case has too.
var replayed = map[string]string{
	"D": "WIDTH=8", "U": "WIDTH", "I": "lib", "include": "before.h", "prelude": "lib.metal", "std": "3.2",
	"constant": "0=true", "instantiate": "f=<float>", "name": "g", "source-memory": "64", "compile-budget": "7",
	"compile-limit": "depth=7", "definition-limit": "steps=7", "launch-steps": "7", "launch-threadgroups": "7",
	"budget": "cases=7", "thread-memory": "7", "math": "fast", "semantics": "apple", "shaders": "kernels",
	"spec":    "../../examples/starlark/softmax.star",
	"backend": "simulator", "portable": "true", "catalogue": "true",
	"timeout": "7s", "config": "c.toml", "today": "2026-01-02",
}

// notReplayed says of the other flags why not.
var notReplayed = map[string]string{
	"run":    "the command names the case",
	"sweep":  "the command has it next to the name",
	"seed":   "the command has it next to the name",
	"pack":   "it becomes -spec",
	"passes": "a pass changes no result",
}

// TestReplayFlags sets each flag of the commands that judge, and looks for it in the command that repeats a case.
func TestReplayFlags(t *testing.T) {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	defined := NewSelection()
	defined.Add(all)
	all.VisitAll(func(flag *pflag.Flag) {
		value, ok := replayed[flag.Name]
		if why := notReplayed[flag.Name]; ok == (why != "") {
			t.Errorf("-%s needs either a value in replayed or a reason in notReplayed", flag.Name)
			return
		}
		if !ok {
			return
		}
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		s := NewSelection()
		s.Add(flags)
		if flag.Name == "name" { // of what is instantiated before
			if err := flags.Set("instantiate", replayed["instantiate"]); err != nil {
				t.Fatal(err)
			}
		}
		if err := flags.Set(flag.Name, value); err != nil {
			t.Errorf("-%s %s: %v", flag.Name, value, err)
		} else if got := s.ReplayFlags() + " "; !strings.Contains(got, "-"+flag.Name+" ") {
			t.Errorf("-%s %s is missing in what repeats a case: %q", flag.Name, value, got)
		}
	})
}

// TestHintsHaveTheSameKernels: a command that an error tells to run next has the flags that say which kernels it is
// about.
func TestHintsHaveTheSameKernels(t *testing.T) {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	s := NewSelection()
	s.Add(flags)
	for name, value := range map[string]string{"spec": replayed["spec"], "shaders": "my kernels", "config": "c.toml",
		"run": "nothing"} {
		if err := flags.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	const want = "conform list -cases -spec ../../examples/starlark/softmax.star -shaders 'my kernels' -config c.toml"
	if _, err := s.SelectCases(nil, s.Run); err == nil || !strings.Contains(err.Error(), "("+want+" shows them)") {
		t.Errorf("%v, want %s", err, want)
	}
	const full = "conform list -cases -sweep full -spec ../../examples/starlark/softmax.star"
	if _, err := s.findCase(nil, "absent"); err == nil || !strings.Contains(err.Error(), full) {
		t.Errorf("%v, want %s", err, full)
	}
}
