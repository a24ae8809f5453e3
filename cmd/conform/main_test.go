package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"conform": main})
}

// TestScript runs testdata/script: sessions at a shell with the files that
// they need. Besides testscript's own commands they have
//
//	status N COMMAND...
//
// which runs the command and fails unless it exits with status N; array and pods, which
// start the files of examples/engines; and action, which runs a step of action.yml. What a short run
// leaves out stands behind a [short] stop. A command is a process that lives for less
// than a second, so that collecting its garbage would be a waste.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GOGC", "off")
			env.Setenv("GOMEMLIMIT", "1GiB")
			return errors.Join(engineFiles(env), actionFiles(env),
				os.CopyFS(filepath.Join(env.WorkDir, "starlark"), os.DirFS("../../examples/starlark")))
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"status": status, "array": array, "pods": pods, "action": action},
	})
}

func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var e *exec.ExitError
		if !errors.As(err, &e) {
			ts.Fatalf("%v", err)
		}
		got = e.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}
