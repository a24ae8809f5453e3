package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"
)

// engineFiles copies examples/engines to engines in the directory of a script.
func engineFiles(env *testscript.Env) error {
	return os.CopyFS(filepath.Join(env.WorkDir, "engines"), os.DirFS("../../examples/engines"))
}

// array runs a script as the tasks of a Slurm array, with the variables that sbatch(1)
// lists: the last task first, and the first twice.
//
//	array FILE ARGS...
func array(ts *testscript.TestScript, neg bool, args []string) {
	file := filepath.Join("engines", args[0])
	text := ts.ReadFile(ts.MkAbs(file))
	indexes, _ := sbatch(text)["array"].(string)
	bounds := regexp.MustCompile(`^(\d+)-(\d+)$`).FindStringSubmatch(indexes)
	if neg || bounds == nil {
		ts.Fatalf("%s: --array=%s, want FIRST-LAST", args[0], indexes)
	}
	first, _ := strconv.Atoi(bounds[1])
	last, _ := strconv.Atoi(bounds[2])
	tasks := []int{last, first}
	for i := first; i < last; i++ {
		tasks = append(tasks, i)
	}
	for _, task := range tasks {
		for name, value := range map[string]int{"ID": task, "COUNT": last - first + 1, "MIN": first, "MAX": last,
			"STEP": 1} {
			setVariable(ts, "SLURM_ARRAY_TASK_"+name, fmt.Sprint(value))
		}
		ts.Check(ts.Exec("bash", append([]string{ts.MkAbs(file)}, args[1:]...)...))
	}
	for _, name := range []string{"ID", "COUNT"} {
		setVariable(ts, "SLURM_ARRAY_TASK_"+name, "1")
	}
}

// sbatch are the options in a batch script: they stand before its first command, and have
// a value or are true.
func sbatch(text string) map[string]any {
	options := map[string]any{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		option, ok := strings.CutPrefix(line, "#SBATCH ")
		switch {
		case ok:
			name, value, valued := strings.Cut(strings.TrimPrefix(option, "--"), "=")
			options[name] = value
			if !valued {
				options[name] = true
			}
		case line != "" && !strings.HasPrefix(line, "#"):
			return options
		}
	}
	return options
}

// document reads a file of examples/engines as the document that its schema describes.
func document(name, text string) (document any, schema string, err error) {
	switch path.Ext(name) {
	case ".sbatch":
		return sbatch(text), "sbatch.json", nil
	case ".yaml":
		err = yaml.Unmarshal([]byte(text), &document)
		return document, "job.json", err
	}
	return nil, "", fmt.Errorf("%s: no schema describes such a file", name)
}

// fits validates a file by its schema.
func fits(name, text string) error {
	d, schema, err := document(name, text)
	if err != nil {
		return err
	}
	s, err := jsonschema.NewCompiler().Compile("testdata/schemas/" + schema)
	if err != nil {
		return err
	}
	return s.Validate(d)
}

// TestEngineFiles validates the files of examples/engines, and the same with a mistake
// each, by the schemas of their engines.
func TestEngineFiles(t *testing.T) {
	texts := map[string]string{}
	for _, name := range []string{"sweep.sbatch", "join.sbatch", "job.yaml"} {
		text, err := os.ReadFile("../../examples/engines/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if texts[name] = string(text); fits(name, texts[name]) != nil {
			t.Errorf("%s: %v", name, fits(name, texts[name]))
		}
	}
	for _, m := range []struct{ file, good, bad string }{
		{"sweep.sbatch", "--array=0-7", "--array=0..7"},
		{"sweep.sbatch", "--array=0-7", "--arrays=0-7"},
		{"sweep.sbatch", "--mem=4G", "--mem=4GB"},
		{"sweep.sbatch", "--cpus-per-task=2", "--cpus-per-task=two"},
		{"sweep.sbatch", "--time=01:00:00", "--time=1h"},
		{"sweep.sbatch", "--requeue", "--requeue=yes"},
		{"sweep.sbatch", "--requeue", "requeue now"},
		{"join.sbatch", "--output=conform-join-%j.log", "--output"},
		{"job.yaml", "batch/v1", "batch/v1beta1"},
		{"job.yaml", "kind: Job", "kind: Jobs"},
		{"job.yaml", "completions: 8", "completions: eight"},
		{"job.yaml", "completions: 8", "completion: 8"},
		{"job.yaml", "values: [1, 2]", "values: [one]"},
		{"job.yaml", "operator: In", "operators: In"},
		{"job.yaml", `status: "True"`, "status: true"},
		{"job.yaml", `value: "8"`, "value: 8"},
		{"job.yaml", "mountPath: /results", "path: /results"},
		{"job.yaml", "claimName: conform-results", "claim: conform-results"},
	} {
		text := strings.Replace(texts[m.file], m.good, m.bad, 1)
		if text == texts[m.file] || fits(m.file, text) == nil {
			t.Errorf("%s with %s for %s is valid", m.file, m.bad, m.good)
		}
	}
}

// job is what pods needs of a Job.
type job struct {
	Spec struct {
		CompletionMode   string `yaml:"completionMode"`
		Completions      int
		PodFailurePolicy struct {
			Rules []struct {
				OnExitCodes struct {
					ContainerName string `yaml:"containerName"`
				} `yaml:"onExitCodes"`
			}
		} `yaml:"podFailurePolicy"`
		Template struct {
			Spec struct {
				RestartPolicy string `yaml:"restartPolicy"`
				Containers    []struct {
					Name    string
					Command []string
					Env     []struct{ Name, Value string }
				}
			}
		}
	}
}

// pods runs the containers of an indexed Job one after the other, with /results in the
// directory kubernetes.
//
//	pods FILE ARGS...
func pods(ts *testscript.TestScript, neg bool, args []string) {
	var j job
	ts.Check(yaml.Unmarshal([]byte(ts.ReadFile(ts.MkAbs(filepath.Join("engines", args[0])))), &j))
	// A policy for failures of pods needs that they are not restarted in place.
	if neg || j.Spec.CompletionMode != "Indexed" || j.Spec.Template.Spec.RestartPolicy != "Never" ||
		len(j.Spec.Template.Spec.Containers) != 1 {
		ts.Fatalf("%s is no indexed Job of one container that is not restarted", args[0])
	}
	c := j.Spec.Template.Spec.Containers[0]
	for _, rule := range j.Spec.PodFailurePolicy.Rules {
		if name := rule.OnExitCodes.ContainerName; name != "" && name != c.Name {
			ts.Fatalf("%s: a rule for the container %s", args[0], name)
		}
	}
	for _, v := range c.Env {
		setVariable(ts, v.Name, v.Value)
	}
	for index := range j.Spec.Completions {
		setVariable(ts, "JOB_COMPLETION_INDEX", fmt.Sprint(index))
		command := slices.Clone(c.Command)
		for i := range command {
			command[i] = strings.ReplaceAll(command[i], "$(JOB_COMPLETION_INDEX)", fmt.Sprint(index))
			command[i] = strings.Replace(command[i], "/results/", "kubernetes/", 1)
		}
		ts.Check(ts.Exec(command[0], append(command[1:], args[1:]...)...))
	}
}
