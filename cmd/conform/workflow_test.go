package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// workflow is what .github/workflows/test.yml says, as far as Macs go.
type workflow struct {
	Jobs map[string]struct {
		RunsOn         any    `yaml:"runs-on"`
		TimeoutMinutes int    `yaml:"timeout-minutes"`
		If             string `yaml:"if"`
		Needs          []string
		Env            map[string]string
		Strategy       struct {
			Matrix struct {
				Include []struct{ Leg, OS, Debug, Validation, Passes string }
			}
		}
		Steps []workflowStep
	}
}

type workflowStep struct {
	Uses, Run, If  string
	Name           string
	TimeoutMinutes int `yaml:"timeout-minutes"`
	With           map[string]string
}

// TestMacWorkflow holds the jobs on Macs, which no machine of ours runs, to what they are for: the survey and the
// sweep come before tests that may wedge the device, and are kept whatever follows, nothing waits for ever, limits of
// steps add up to that of their job, Metal's own checks watch, and the virtual machine does not gate before it has
// proved itself.
func TestMacWorkflow(t *testing.T) {
	text, err := os.ReadFile("../../.github/workflows/test.yml")
	if err != nil {
		t.Fatal(err)
	}
	var w workflow
	if err := yaml.Unmarshal(text, &w); err != nil {
		t.Fatal(err)
	}
	find := func(job, pattern string) (int, workflowStep) {
		t.Helper()
		re := regexp.MustCompile(pattern)
		i := slices.IndexFunc(w.Jobs[job].Steps,
			func(s workflowStep) bool { return re.MatchString(s.Run) || re.MatchString(s.Uses) })
		if i < 0 {
			t.Fatalf("job %s has no step %s", job, pattern)
		}
		return i, w.Jobs[job].Steps[i]
	}
	asked, _ := find("macos", `conform device -o results/device.json`)
	sweep, _ := find("macos", `conform run -backend metal -o`)
	first, _ := find("macos", `go test`)
	if !(asked < sweep && sweep < first) {
		t.Error("tests run before the survey and the sweep")
	}
	for _, pattern := range []string{`cat results/device.json`, `conform run -backend metal .*-record`,
		`grep -c .*matrix.passes`, `upload-artifact`, `go test .*metalrun`} {
		if _, s := find("macos", pattern); s.If != "always()" {
			t.Errorf("%s is left out after a step that fails", pattern)
		}
	}
	if _, s := find("macos", `upload-artifact`); s.With["path"] != "results" {
		t.Error("the probe's results are not uploaded")
	}
	limit := regexp.MustCompile(`-timeout \d+m`)
	for name, job := range w.Jobs {
		if job.TimeoutMinutes == 0 {
			t.Errorf("job %s may wait for ever", name)
		}
		macs := name == "macos" || name == "mac"
		if macs && job.Env["CGO_ENABLED"] != "0" {
			t.Errorf("job %s builds with cgo, which wants the tools of Xcode, and is not what is released", name)
		}
		sum := 0
		for _, s := range job.Steps {
			sum += s.TimeoutMinutes
			if macs && s.TimeoutMinutes == 0 {
				t.Errorf("job %s: %q may take the whole job", name, s.Name+s.Run+s.Uses)
			}
			if macs && strings.Contains(s.Run, "go test") && !limit.MatchString(s.Run) {
				t.Errorf("job %s: %q has go's ten minutes", name, s.Run)
			}
		}
		if macs && sum > job.TimeoutMinutes {
			t.Errorf("job %s has %d minutes, its steps may take %d", name, job.TimeoutMinutes, sum)
		}
	}
	legs, systems := map[[2]string]bool{}, map[string]bool{}
	for _, leg := range w.Jobs["macos"].Strategy.Matrix.Include {
		legs[[2]string{leg.Debug, leg.Validation}] = true
		systems[leg.OS] = true
		if n, err := strconv.Atoi(leg.Passes); err != nil || n < 1 {
			t.Errorf("leg %s may pass nothing", leg.Leg)
		}
	}
	if !systems["macos-14"] || !systems["macos-15"] || len(systems) < 3 {
		t.Errorf("systems %v", systems)
	}
	if _, s := find("macos", `sudo mv .*`); !strings.Contains(s.Run, "! xcrun") {
		t.Error("no leg proves that it has no tools")
	}
	if _, s := find("macos", `canary`); s.If != "matrix.validation == '1'" || !strings.Contains(s.Run,
		"grep 'shader validation: '") {
		t.Error("nobody knows whether shader validation finds anything")
	}
	if !legs[[2]string{"0", "0"}] || !legs[[2]string{"1", "0"}] || !legs[[2]string{"0", "1"}] {
		t.Errorf("legs of debug layer and shader validation: %v", legs)
	}
	env := w.Jobs["macos"].Env
	for variable, from := range map[string]string{"MTL_DEBUG_LAYER": "matrix.debug",
		"MTL_SHADER_VALIDATION": "matrix.validation"} {
		if !strings.Contains(env[variable], from) {
			t.Errorf("%s is %q", variable, env[variable])
		}
	}
	if needs := w.Jobs["gate"].Needs; !slices.Equal(needs, []string{"linux"}) {
		t.Errorf("the gate needs %v", needs)
	}
	if _, s := find("mac", `examples/mac/run results`); s.TimeoutMinutes == 0 {
		t.Error("the Mac may be kept for the whole job")
	}
	if _, s := find("mac", `upload-artifact`); s.With["path"] != "results.tar.gz" || s.If != "always()" {
		t.Errorf("what examples/mac/run makes is not uploaded: %+v", s)
	}
	if on, _ := w.Jobs["mac"].RunsOn.([]any); !slices.ContainsFunc(on,
		func(x any) bool { return strings.Contains(x.(string), "vars.METAL_RUNNER") }) ||
		!strings.Contains(w.Jobs["mac"].If, "vars.METAL_RUNNER") {
		t.Error("the Mac of one's own is not chosen by its label")
	}
}

// TestPinned: workflows run the very actions that somebody has looked at, and not what a tag says
// one day.
func TestPinned(t *testing.T) {
	files, err := filepath.Glob("../../.github/workflows/*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	uses := 0
	examples, err := filepath.Glob("../../examples/action/*.yml")
	if err != nil || len(examples) == 0 {
		t.Fatal(examples, err)
	}
	actions := []string{"../../action.yml", "../../.github/comment/action.yml"}
	for _, file := range slices.Concat(files, examples, actions) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range regexp.MustCompile(`(?m)^.*\buses:.*$`).FindAllString(string(text), -1) {
			if strings.Contains(line, "OWNER/conform") { // which the notes of a release fill in
				continue
			}
			uses++
			if !regexp.MustCompile(`uses: [a-z-]+/[a-z-]+@[0-9a-f]{40}.* # v\d+\.\d+\.\d+$`).MatchString(line) {
				t.Errorf("%s: %s: want a commit, and its version in a comment", file, strings.TrimSpace(line))
			}
		}
	}
	if uses == 0 {
		t.Error("no action is used")
	}
}

// TestReleaseIsBuiltTwice: the workflow that publishes compares with a build from nothing elsewhere, that
// of changes looks for known vulnerabilities, and CI builds twice, too.
func TestReleaseIsBuiltTwice(t *testing.T) {
	for file, patterns := range map[string][]string{
		"release.yml": {`bash \.github/release-notes "\$RUNNER_TEMP/dist" > "\$RUNNER_TEMP/notes\.md"`,
			`--notes-file "\$RUNNER_TEMP/notes\.md"`,
			`git clone .* "\$RUNNER_TEMP/another/clone"`,
			`GOCACHE="\$RUNNER_TEMP/cache" bash "\$RUNNER_TEMP/another/clone/\.github/release"`,
			`diff -r "\$RUNNER_TEMP/dist" "\$RUNNER_TEMP/again"`},
		"test.yml": {`run: go run golang\.org/x/vuln/cmd/govulncheck@v\d+\.\d+\.\d+ \./\.\.\.`,
			`run: bash \.ci/run`},
		"../../.ci/run": {`step 'release, twice'`},
	} {
		text, err := os.ReadFile(filepath.Join("../../.github/workflows", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range patterns {
			if !regexp.MustCompile(p).Match(text) {
				t.Errorf("%s has no %s", file, p)
			}
		}
	}
}
