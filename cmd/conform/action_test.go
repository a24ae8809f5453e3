package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"go.yaml.in/yaml/v4"
)

// actionFiles copies action.yml, the action for comments and examples/action to the directory of a script, and names
// the commands of the nightly workflow NIGHTS.
func actionFiles(env *testscript.Env) error {
	if nights, e := filepath.Abs("../../.github/nights"); e == nil {
		env.Setenv("NIGHTS", nights)
	}
	text, err := os.ReadFile("../../action.yml")
	if err == nil {
		err = os.WriteFile(filepath.Join(env.WorkDir, "action.yml"), text, 0o666)
	}
	for to, from := range map[string]string{"action": "examples/action", ".github/comment": ".github/comment"} {
		if err == nil {
			err = os.CopyFS(filepath.Join(env.WorkDir, to), os.DirFS("../../"+from))
		}
	}
	return err
}

// composite is what action.yml says, as far as running its commands needs it; see
// https://docs.github.com/actions/reference/workflows-and-actions/metadata-syntax.
type composite struct {
	Name, Description string
	Branding          struct{ Icon, Color string }
	Inputs            map[string]struct {
		Description, Default string
		Required             bool
	}
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Using string
		Steps []struct {
			Name, ID, If, Shell, Run, Uses string
			Env, With                      map[string]string
		}
	}
}

// action runs the commands of one step of action.yml, or of the action in a directory, with the variables that the step
// takes, each of which has to be given.
//
//	action [-in DIR] STEP NAME=VALUE...
//
// A value that begins with @ is the text of a file.
func action(ts *testscript.TestScript, neg bool, args []string) {
	var a composite
	dir := ts.Getenv("WORK")
	if args[0] == "-in" {
		dir, args = filepath.Join(dir, filepath.FromSlash(args[1])), args[2:]
	}
	setVariable(ts, "GITHUB_ACTION_PATH", dir)
	decoder := yaml.NewDecoder(bytes.NewBufferString(ts.ReadFile(filepath.Join(dir, "action.yml"))))
	decoder.KnownFields(true)
	ts.Check(decoder.Decode(&a))
	for _, step := range a.Runs.Steps {
		if step.Name != args[0] {
			continue
		}
		given := map[string]string{}
		for _, arg := range args[1:] {
			name, value, _ := strings.Cut(arg, "=")
			if file, ok := strings.CutPrefix(value, "@"); ok {
				value = ts.ReadFile(file)
			}
			given[name] = value
			setVariable(ts, name, value)
		}
		if want, got := slices.Sorted(maps.Keys(step.Env)), slices.Sorted(maps.Keys(given)); !slices.Equal(want, got) {
			ts.Fatalf("step %s takes %v, and %v are given", step.Name, want, got)
		}
		for name, value := range step.Env {
			for input := range a.Inputs {
				value = strings.ReplaceAll(value, "inputs."+input, "")
			}
			if strings.Contains(value, "inputs.") {
				ts.Fatalf("step %s: %s names an input that there is not: %s", step.Name, name, value)
			}
		}
		if strings.Contains(step.Run, "${{") {
			ts.Fatalf("step %s: an expression within a command lets its value run: hand it over in env", step.Name)
		}
		script := filepath.Join(ts.Getenv("RUNNER_TEMP"), "step.sh")
		ts.Check(os.WriteFile(script, []byte(step.Run), 0o666))
		if err := ts.Exec("bash", "--noprofile", "--norc", "-eo", "pipefail", script); (err != nil) != neg {
			ts.Fatalf("step %s: %v", step.Name, err)
		}
		return
	}
	ts.Fatalf("action.yml has no step %s", args[0])
}
