package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
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
	options := sbatch(ts, text)
	bounds := regexp.MustCompile(`^(\d+)-(\d+)$`).FindStringSubmatch(options["array"])
	if neg || bounds == nil {
		ts.Fatalf("%s: --array=%s, want FIRST-LAST", args[0], options["array"])
	}
	first, _ := strconv.Atoi(bounds[1])
	last, _ := strconv.Atoi(bounds[2])
	tasks := []int{last, first}
	for i := first; i < last; i++ {
		tasks = append(tasks, i)
	}
	for _, task := range tasks {
		for name, value := range map[string]int{"ID": task, "COUNT": last - first + 1, "MIN": first, "MAX": last, "STEP": 1} {
			ts.Setenv("SLURM_ARRAY_TASK_"+name, fmt.Sprint(value))
		}
		ts.Check(ts.Exec("bash", append([]string{ts.MkAbs(file)}, args[1:]...)...))
	}
	for _, name := range []string{"ID", "COUNT"} {
		ts.Setenv("SLURM_ARRAY_TASK_"+name, "1")
	}
}

// sbatch are the options in a batch script, which have to be among those of sbatch(1)
// and stand before the first command.
func sbatch(ts *testscript.TestScript, text string) map[string]string {
	known := []string{"array", "cpus-per-task", "job-name", "mem", "output", "requeue", "time"}
	options := map[string]string{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		option, ok := strings.CutPrefix(line, "#SBATCH --")
		switch {
		case ok:
			name, value, _ := strings.Cut(option, "=")
			if !slices.Contains(known, name) {
				ts.Fatalf("%s is no option of sbatch that these scripts use", name)
			}
			options[name] = value
		case line != "" && !strings.HasPrefix(line, "#"):
			return options
		}
	}
	return options
}

// job is what these files use of a Kubernetes Job: https://kubernetes.io/docs/reference/
// kubernetes-api/workload-resources/job-v1. Other fields are refused.
type job struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Metadata   struct{ Name string }
	Spec       struct {
		CompletionMode           string `yaml:"completionMode"`
		Completions, Parallelism int
		BackoffLimitPerIndex     int              `yaml:"backoffLimitPerIndex"`
		PodFailurePolicy         podFailurePolicy `yaml:"podFailurePolicy"`
		Template                 struct{ Spec pod }
	}
}

type podFailurePolicy struct {
	Rules []struct {
		Action      string
		OnExitCodes *struct {
			ContainerName string `yaml:"containerName"`
			Operator      string
			Values        []int
		} `yaml:"onExitCodes"`
		OnPodConditions []struct{ Type, Status string } `yaml:"onPodConditions"`
	}
}

type pod struct {
	RestartPolicy string `yaml:"restartPolicy"`
	Containers    []struct {
		Name, Image  string
		Command      []string
		Env          []struct{ Name, Value string }
		Resources    struct{ Requests map[string]string }
		VolumeMounts []struct {
			Name      string
			MountPath string `yaml:"mountPath"`
		} `yaml:"volumeMounts"`
	}
	Volumes []struct {
		Name                  string
		PersistentVolumeClaim struct {
			ClaimName string `yaml:"claimName"`
		} `yaml:"persistentVolumeClaim"`
	}
}

// pods runs the containers of an indexed Job one after the other, with /results in the
// directory kubernetes.
//
//	pods FILE ARGS...
func pods(ts *testscript.TestScript, neg bool, args []string) {
	var j job
	decoder := yaml.NewDecoder(bytes.NewBufferString(ts.ReadFile(ts.MkAbs(filepath.Join("engines", args[0])))))
	decoder.KnownFields(true)
	ts.Check(decoder.Decode(&j))
	// A Job counts by index, and a policy for failures of pods needs that they are not
	// restarted in place.
	if neg || j.APIVersion != "batch/v1" || j.Kind != "Job" || j.Spec.CompletionMode != "Indexed" || j.Spec.Template.Spec.RestartPolicy != "Never" || len(j.Spec.Template.Spec.Containers) != 1 {
		ts.Fatalf("%s is no indexed Job of one container that is not restarted", args[0])
	}
	c := j.Spec.Template.Spec.Containers[0]
	for _, rule := range j.Spec.PodFailurePolicy.Rules {
		if codes := rule.OnExitCodes; codes != nil && codes.ContainerName != c.Name {
			ts.Fatalf("%s: a rule for the container %s", args[0], codes.ContainerName)
		}
	}
	for _, v := range c.Env {
		ts.Setenv(v.Name, v.Value)
	}
	for index := range j.Spec.Completions {
		ts.Setenv("JOB_COMPLETION_INDEX", fmt.Sprint(index))
		command := slices.Clone(c.Command)
		for i := range command {
			command[i] = strings.ReplaceAll(command[i], "$(JOB_COMPLETION_INDEX)", fmt.Sprint(index))
			command[i] = strings.Replace(command[i], "/results/", "kubernetes/", 1)
		}
		ts.Check(ts.Exec(command[0], append(command[1:], args[1:]...)...))
	}
}
