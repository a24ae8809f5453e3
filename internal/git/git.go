// Package git runs git on repositories that somebody else may have filled. The rule: git takes the repository from
// where it runs, whatever the environment says; it runs no program that the repository names, asks nothing, locks
// nothing, and takes no object for another.
package git

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// Output is what a command of git in a directory prints.
func Output(ctx context.Context, dir string, args ...string) (string, error) {
	var out bytes.Buffer
	err := Run(ctx, dir, &out, args...)
	return out.String(), err
}

// CheckOut writes the files of a commit into an empty directory, as a checkout of the repository does: with its links,
// filters and ends of lines, by the attributes of the commit. The work tree and the index stay as they are.
func CheckOut(ctx context.Context, repository, commit, into string) error {
	index, err := os.CreateTemp("", "conform-index-")
	if err != nil {
		return err
	}
	index.Close()
	os.Remove(index.Name()) // git refuses an empty one
	defer os.Remove(index.Name())
	return runWith(ctx, into, io.Discard, []string{"GIT_DIR=" + repository, "GIT_WORK_TREE=" + into,
		"GIT_INDEX_FILE=" + index.Name()}, "read-tree", "--reset", "-u", commit)
}

// Run runs a command of git in a directory, which prints to out. Its error is the first line that git says.
func Run(ctx context.Context, dir string, out io.Writer, args ...string) error {
	return runWith(ctx, dir, out, nil, args...)
}

// runWith is Run with more variables in the environment.
func runWith(ctx context.Context, dir string, out io.Writer, variables []string, args ...string) error {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.quotePath=off", "-c", "core.fsmonitor=false",
		"-C", dir}, args...)...)
	cmd.Env = append(Environment(os.Environ()), variables...)
	var wrong bytes.Buffer
	cmd.Stdout, cmd.Stderr = out, &wrong
	if err := cmd.Run(); err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(wrong.String()), "\n")
		if first == "" {
			first = err.Error()
		}
		return errors.New("git " + args[0] + ": " + first)
	}
	return nil
}

// Head is the commit whose files a directory has; "" if files of the directory differ from it, or if the directory is
// in no repository.
func Head(ctx context.Context, dir string) string {
	commit, err := Output(ctx, dir, "rev-parse", "--verify", "--quiet", "HEAD")
	if err != nil {
		return ""
	}
	changed, err := Output(ctx, dir, "status", "--porcelain", "--ignore-submodules=none", "--", ".")
	if err != nil || changed != "" {
		return ""
	}
	return strings.TrimSpace(commit)
}

// Environment is an environment in which git takes the repository from where it runs, as it is: a hook of git is
// told another one, and objects may stand for others.
func Environment(env []string) []string {
	env = slices.DeleteFunc(slices.Clone(env), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(repositoryVariables, name)
	})
	return append(env, "GIT_NO_REPLACE_OBJECTS=1", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0")
}

// repositoryVariables are what git rev-parse --local-env-vars lists.
var repositoryVariables = []string{
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT",
	"GIT_OBJECT_DIRECTORY", "GIT_DIR", "GIT_WORK_TREE",
	"GIT_IMPLICIT_WORK_TREE", "GIT_GRAFT_FILE", "GIT_INDEX_FILE", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE",
	"GIT_PREFIX", "GIT_INTERNAL_SUPER_PREFIX", "GIT_SHALLOW_FILE", "GIT_COMMON_DIR",
}
