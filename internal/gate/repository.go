package gate

import (
	"archive/tar"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"metalconform/internal/config"
	"metalconform/internal/git"
	"metalconform/internal/regular"
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
	root, err := r.git(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	r.root = strings.TrimSuffix(root, "\n")
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

// within is a file's name from the directory that is looked at, and false if it lies
// outside.
func (r *repository) within(name string) (string, bool) {
	if r.dir == "." {
		return name, true
	}
	return strings.CutPrefix(name, r.dir+"/")
}

// called are a file's names for options of a compiler: from the working directory and from the root of the file system.
func (r *repository) called(name string) []string {
	name = filepath.Join(r.root, filepath.FromSlash(name))
	names := []string{filepath.ToSlash(name)}
	wd, err := filepath.Abs(".")
	if err == nil {
		wd, err = filepath.EvalSymlinks(wd)
	}
	if err == nil {
		name, err = filepath.Rel(wd, name)
	}
	if err == nil {
		names = append(names, filepath.ToSlash(name))
	}
	return names
}

// then is what a changed file held at the commit, given one of the names that it is called by, and whether it is one of
// those that changed. The error wraps [fs.ErrNotExist] for one that was not there.
func (r *repository) then(ctx context.Context, changed []string) func(name string) ([]byte, bool, error) {
	return func(name string) ([]byte, bool, error) {
		for _, file := range changed {
			if !slices.Contains(r.called(file), name) {
				continue
			}
			if there, err := r.git(ctx, "ls-tree", "--name-only", "-z", r.base, "--", file); err != nil || there == "" {
				return nil, true, cmp.Or(err, error(&fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}))
			}
			text, err := r.git(ctx, "cat-file", "blob", r.base+":"+file)
			if err == nil && len(text) > regular.Source {
				err = fmt.Errorf("%s: more than %d bytes", name, regular.Source)
			}
			return []byte(text), true, err
		}
		return nil, false, nil
	}
}

// export writes the shaders and declarations that the directory had at the commit to
// another; nothing if there was no such directory.
func (r *repository) export(ctx context.Context, to string) error {
	names, err := r.git(ctx, "ls-tree", "-r", "-z", "--name-only", r.base, "--", r.dir)
	if err != nil || names == "" {
		return err
	}
	archive, in := io.Pipe() // what else lies there may be large
	defer archive.Close()
	go func() { in.CloseWithError(git.Run(ctx, r.root, in, "archive", "--format=tar", r.base, "--", r.dir)) }()
	root, err := os.OpenRoot(to)
	if err != nil {
		return err
	}
	defer root.Close()
	files := tar.NewReader(archive)
	for {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			_, err = io.Copy(io.Discard, archive) // which has the error of git
			return err
		}
		if err != nil {
			return err
		}
		name, inside := r.within(h.Name)
		specified := path.Ext(name) == ".star" // what the base asked for, see [Gate.narrowed]
		if !inside || h.Typeflag != tar.TypeReg || !counts(name) && !specified || h.Size > regular.Source {
			continue
		}
		text, err := io.ReadAll(files)
		if err == nil {
			err = root.MkdirAll(path.Dir(name), 0o777)
		}
		if err == nil {
			err = root.WriteFile(name, text, 0o666)
		}
		if err != nil {
			return err
		}
	}
}

// counts reports whether a run reads a file of that name in a directory of shaders.
func counts(name string) bool {
	return name == config.Name || slices.Contains([]string{".metal", ".h", ".metalh", ".hpp",
		config.AccuraciesExtension}, path.Ext(name))
}
