package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain runs the tests, or the command if the binary has its name.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "conform" {
		main() // ends the process
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // as the command does: a case leaves much garbage and keeps little
	}
	remove, err := installCommand()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	remove()
	os.Exit(status)
}

// installCommand puts this binary into PATH under the command's name.
func installCommand() (remove func(), err error) {
	if os.Getenv(scriptVariable) != "" {
		return func() {}, nil // the parent has done it
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "conform-test-")
	if err != nil {
		return nil, err
	}
	command := filepath.Join(dir, "conform")
	if os.Link(self, command) != nil { // another file system
		err = copyFile(command, self)
	}
	return func() { os.RemoveAll(dir) },
		errors.Join(err, os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH")))
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o777)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// scriptVariable names the script that a process is for.
const scriptVariable = "CONFORM_TEST_SCRIPT"

// TestScript runs testdata/script: sessions at a shell with the files that
// they need. Besides testscript's own commands they have
//
//	conform ARGS...
//	status N COMMAND...
//
// of which the first runs the command, and the second runs a command and fails unless it
// exits with status N; array and pods, which start the files of examples/engines; and
// action, which runs a step of action.yml. What a short run leaves out stands behind a
// [short] stop.
//
// Each script has a process, whose working directory and environment are those of the
// script whenever it calls the command: there it is a function, and hundreds of processes
// less are started. exec conform starts one, where a script has to.
func TestScript(t *testing.T) {
	if script := os.Getenv(scriptVariable); script != "" {
		runScript(t, script)
		return
	}
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("%d scripts, %v", len(scripts), err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, script := range scripts {
		t.Run(strings.TrimSuffix(filepath.Base(script), ".txtar"), func(t *testing.T) {
			t.Parallel()
			args := []string{"-test.run=^TestScript$"}
			for _, name := range []string{"test.short", "test.v", "testwork"} {
				args = append(args, fmt.Sprintf("-%s=%v", name, flag.Lookup(name).Value))
			}
			cmd := exec.CommandContext(t.Context(), self, args...)
			cmd.Env = append(os.Environ(), scriptVariable+"="+script, "GOGC=400")
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			} else if testing.Verbose() {
				t.Logf("%s", out)
			}
		})
	}
}

// variables is the key of a script's value that has the names of its variables.
type variables struct{}

// runScript runs one script in this process.
func runScript(t *testing.T, script string) {
	text, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	names := variablesSet(string(text))
	testscript.Run(t, testscript.Params{
		Files:               []string{script},
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GOGC", "off") // of commands that are processes, which live for less than a second
			env.Setenv("GOMEMLIMIT", "1GiB")
			err := errors.Join(engineFiles(env), actionFiles(env),
				os.CopyFS(filepath.Join(env.WorkDir, "starlark"), os.DirFS("../../examples/starlark")),
				os.CopyFS(filepath.Join(env.WorkDir, "mac"), os.DirFS("../../examples/mac")))
			for _, v := range env.Vars {
				name, _, _ := strings.Cut(v, "=")
				names[name] = true
			}
			env.Values[variables{}] = names
			return err
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"conform": command, "status": status, "array": array, "pods": pods, "action": action,
		},
	})
}

// variablesSet are the names of the variables that a script sets with the command env.
func variablesSet(script string) map[string]bool {
	names := map[string]bool{}
	for line := range strings.Lines(script) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] != "env" {
			continue
		}
		for _, word := range words[1:] {
			name, _, _ := strings.Cut(word, "=")
			names[name] = true
		}
	}
	return names
}

// setVariable is ts.Setenv for commands of scripts.
func setVariable(ts *testscript.TestScript, name, value string) {
	ts.Value(variables{}).(map[string]bool)[name] = true
	ts.Setenv(name, value)
}

// call runs the command in this process, where the script stands and with its variables; one that is empty is not set.
func call(ts *testscript.TestScript, args []string) (status int) {
	ts.Check(os.Chdir(ts.MkAbs(".")))
	os.Clearenv()
	for name := range ts.Value(variables{}).(map[string]bool) {
		if value := ts.Getenv(name); value != "" {
			ts.Check(os.Setenv(name, value))
		}
	}
	return conform(context.Background(), args, ts.Stdout(), ts.Stderr())
}

// command is the command conform of scripts.
func command(ts *testscript.TestScript, neg bool, args []string) {
	if status := call(ts, args); (status != 0) != neg {
		ts.Fatalf("exit status %d", status)
	}
}

func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if args[1] == "conform" && ts.Value(variables{}) != nil {
		got = call(ts, args[2:])
	} else if err := ts.Exec(args[1], args[2:]...); err != nil {
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
