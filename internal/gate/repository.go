package gate

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"metalconform/internal/git"
)

// repository is a Git repository as it was at a commit and as it is now, changes that are
// not committed included. It is read by the command git.
type repository struct {
	root string // of the work tree
	base string // the commit
	dir  string // that is looked at, from the root, with slashes; "." for all of it
}

// openRepository finds the repository that has a directory, and where the commits since
// rev begin: at the last one that both it and the current commit have.
func openRepository(ctx context.Context, dir, rev string) (*repository, error) {
	at, err := filepath.Abs(dir)
	if err == nil {
		at, err = filepath.EvalSymlinks(at)
	}
	if err != nil {
		return nil, err
	}
	r := &repository{root: at}
	if r.root, err = outermost(ctx, at); err != nil {
		return nil, err
	}
	if r.dir, err = filepath.Rel(r.root, at); err != nil {
		return nil, err
	}
	r.dir = filepath.ToSlash(r.dir)
	commit, err := r.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return nil,
			fmt.Errorf("there is no commit %s here: fetch it, with its history (actions/checkout has fetch-depth: 0)",
				rev)
	}
	commit = strings.TrimSpace(commit)
	base, err := r.git(ctx, "merge-base", commit, "HEAD")
	if err != nil {
		return nil,
			fmt.Errorf(
				"%s and the current commit have no common one here: fetch the history (actions/checkout has "+
					"fetch-depth: "+
					"0)", rev)
	}
	r.base = strings.TrimSpace(base)
	return r, nil
}

// outermost is the work tree of the repository that a directory lies in, and of no submodule: what is the base of a
// submodule the repository says that has it.
func outermost(ctx context.Context, dir string) (string, error) {
	for {
		root, err := git.Output(ctx, dir, "rev-parse", "--show-toplevel")
		if err != nil {
			return "", err
		}
		above, err := git.Output(ctx, dir, "rev-parse", "--show-superproject-working-tree")
		if err != nil {
			return "", err
		}
		if above == "" {
			return strings.TrimSuffix(root, "\n"), nil
		}
		dir = strings.TrimSuffix(above, "\n")
	}
}

// git runs a command of git at the root and returns what it prints.
func (r *repository) git(ctx context.Context, args ...string) (string, error) {
	return git.Output(ctx, r.root, args...)
}

// changed are the files that differ from the commit, from the root, new ones included.
func (r *repository) changed(ctx context.Context) ([]string, error) {
	tracked, err := r.git(ctx, "diff", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv", "-z", r.base,
		"--")
	if err != nil {
		return nil, err
	}
	others, err := r.git(ctx, "ls-files", "--others", "--exclude-standard", "-z")
	if err != nil {
		return nil, err
	}
	list := strings.Split(strings.TrimRight(tracked+others, "\x00"), "\x00")
	list = slices.DeleteFunc(list, func(name string) bool { return name == "" })
	slices.Sort(list)
	return slices.Compact(list), nil
}

// shown is how a file is called in the repository that is named from the directory of the kernels, or, if it lies
// outside of it, from the working directory.
func (r *repository) shown(name string, inside bool) string {
	if inside {
		if r.dir == "." {
			return name
		}
		return r.dir + "/" + name
	}
	at, err := filepath.Abs(filepath.FromSlash(name))
	if err == nil {
		at, err = filepath.EvalSymlinks(at)
	}
	if err == nil {
		at, err = filepath.Rel(r.root, at)
	}
	if err != nil {
		return name
	}
	return filepath.ToSlash(at)
}
