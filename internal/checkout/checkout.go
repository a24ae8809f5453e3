// Package checkout has a repository as it was at a commit, beside the work tree as it is now.
//
// A [Checkout] is a directory with all files of the commit, those of its submodules included. It is made as git makes a
// work tree: links, filters and ends of lines are those of a checkout. Whoever reads a file of the commit asks
// [Checkout.Path] where it is, by the name that it has on the command line. So the same code reads both states, and
// messages name the same files.
//
// The rule: a name that lies in the repository leads into the checkout, or is refused. No link leads from the checkout
// back to the work tree, which may hold what a stranger wrote. A name outside of the repository is no part of either
// state, and leads where it always does.
package checkout

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"metalconform/internal/git"
)

// Checkout is a repository at a commit. Nil is the work tree.
type Checkout struct {
	root string   // of the work tree, without links
	dir  string   // that has the files of the commit, without links
	lent []string // files that git ignores, which both states have
}

// Bounds of submodules, which may lie in each other.
const (
	mostSubmodules    = 200
	deepestSubmodules = 8
)

// Export writes a commit of the repository with that work tree into an empty directory.
func Export(ctx context.Context, root, commit, into string) (*Checkout, error) {
	c := &Checkout{}
	var err error
	if c.root, err = filepath.EvalSymlinks(root); err != nil {
		return nil, err
	}
	if c.dir, err = filepath.EvalSymlinks(into); err != nil {
		return nil, err
	}
	repository, err := git.Output(ctx, c.root, "rev-parse", "--absolute-git-dir")
	if err != nil {
		return nil, err
	}
	e := export{left: mostSubmodules}
	if err := e.tree(ctx, strings.TrimSuffix(repository, "\n"), c.root, commit, c.dir, 0); err != nil {
		return nil, err
	}
	return c, nil
}

// export is a checkout in the making.
type export struct{ left int } // submodules that may still come

// tree writes a commit of a repository, whose work tree is root, into a directory.
func (e *export) tree(ctx context.Context, repository, root, commit, into string, depth int) error {
	if err := git.CheckOut(ctx, repository, commit, into); err != nil {
		return err
	}
	list, err := git.Output(ctx, repository, "ls-tree", "-r", "-z", "--full-tree", commit)
	if err != nil {
		return err
	}
	for entry := range strings.SplitSeq(list, "\x00") {
		kind, name, _ := strings.Cut(entry, "\t")
		fields := strings.Fields(kind)
		if len(fields) != 3 || fields[1] != "commit" {
			continue
		}
		if e.left--; e.left < 0 || depth == deepestSubmodules {
			return fmt.Errorf("%s: more than %d submodules, or %d in each other", name, mostSubmodules,
				deepestSubmodules)
		}
		if err := e.submodule(ctx, repository, root, name, fields[2], into, depth); err != nil {
			return err
		}
	}
	return nil
}

// submodule writes a submodule. One that nobody has fetched is left out if the work tree still has its place, which is
// empty: then the work tree has nothing of it either.
func (e *export) submodule(ctx context.Context, repository, root, name, commit, into string, depth int) error {
	at := filepath.Join(root, filepath.FromSlash(name))
	own := submoduleOf(ctx, repository, at, name)
	if own == "" {
		entry, err := git.Output(ctx, root, "ls-files", "--stage", "--", ":(literal)"+name)
		if err == nil && strings.HasPrefix(entry, "160000 ") {
			return nil
		}
		return fmt.Errorf("submodule %s of the base is not here: fetch it (git submodule update --init, at the base)",
			name)
	}
	if _, err := git.Output(ctx, own, "cat-file", "-e", commit+"^{commit}"); err != nil {
		return fmt.Errorf("submodule %s has no commit %.12s here: fetch it with its history", name, commit)
	}
	into = filepath.Join(into, filepath.FromSlash(name))
	if info, err := os.Lstat(into); err != nil || !info.IsDir() {
		return fmt.Errorf("submodule %s: git made no directory for it", name)
	}
	return e.tree(ctx, own, at, commit, into, depth+1)
}

// submoduleOf is the repository of a submodule: that of its work tree, or the one that git keeps for it.
func submoduleOf(ctx context.Context, repository, at, name string) string {
	top, err := git.Output(ctx, at, "rev-parse", "--show-toplevel", "--absolute-git-dir")
	if err == nil {
		lines := strings.Split(strings.TrimSuffix(top, "\n"), "\n")
		if real, err := filepath.EvalSymlinks(at); err == nil && len(lines) == 2 && lines[0] == real {
			return lines[1]
		}
	}
	kept := filepath.Join(repository, "modules", filepath.FromSlash(name))
	if _, err := os.Stat(filepath.Join(kept, "HEAD")); err == nil {
		return kept
	}
	return ""
}

// Bounds of files that are lent.
const (
	mostLent  = 10_000
	largeLent = 64 << 20
)

// Lend copies files of the work tree into the checkout that git ignores, and that it therefore keeps of no commit, such
// as headers that a build has made. Only those of some extensions count. What they hold may follow from either state.
func (c *Checkout) Lend(ctx context.Context, extensions ...string) error {
	list, err := git.Output(ctx, c.root, "ls-files", "--others", "--ignored", "--exclude-standard", "-z")
	if err != nil {
		return err
	}
	from, err := os.OpenRoot(c.root)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenRoot(c.dir)
	if err != nil {
		return err
	}
	defer to.Close()
	for name := range strings.SplitSeq(list, "\x00") {
		if !slices.Contains(extensions, filepath.Ext(name)) {
			continue
		}
		info, err := from.Lstat(filepath.FromSlash(name))
		if err != nil || !info.Mode().IsRegular() || info.Size() > largeLent {
			continue // reading it says what is wrong
		}
		if len(c.lent) == mostLent {
			return fmt.Errorf("git ignores more than %d files that kernels may be made of", mostLent)
		}
		if err := lend(from, to, filepath.FromSlash(name)); err != nil {
			return err
		}
		c.lent = append(c.lent, name)
	}
	return nil
}

// lend copies a file, unless there is one.
func lend(from, to *os.Root, name string) error {
	if _, err := to.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text, err := from.ReadFile(name)
	if err != nil {
		return err
	}
	if err := to.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return to.WriteFile(name, text, 0o666)
}

// Lent are the files that no commit has, from the root of the repository, with slashes.
func (c *Checkout) Lent() []string { return c.lent }

// Path is where a file or directory is read that a command line names.
func (c *Checkout) Path(name string) (string, error) {
	if c == nil {
		return name, nil
	}
	rel, inside, err := c.within(name)
	if err != nil || !inside {
		return name, err
	}
	path := filepath.Join(c.dir, rel)
	real, err := filepath.EvalSymlinks(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return path, nil // reading it says so
	case err != nil:
		return "", err
	case real != c.dir && !strings.HasPrefix(real, c.dir+string(filepath.Separator)):
		return "", fmt.Errorf("%s: a link out of the repository", name)
	}
	return path, nil
}

// within is a name from the root of the repository, and whether it lies there.
func (c *Checkout) within(name string) (rel string, inside bool, err error) {
	if !filepath.IsAbs(name) {
		wd, err := os.Getwd()
		if err != nil {
			return "", false, err
		}
		name = filepath.Join(wd, name)
	}
	rel, err = filepath.Rel(c.root, c.outside(filepath.Clean(name)))
	if err != nil {
		return "", false, nil
	}
	return rel, filepath.IsLocal(rel), nil
}

// outside is a name with the links of that part of it resolved which lies outside of the repository: what lies in the
// repository has links of its own in either state.
func (c *Checkout) outside(name string) string {
	for i := range len(name) + 1 {
		if i < len(name) && name[i] != filepath.Separator || i == 0 {
			continue
		}
		real, err := filepath.EvalSymlinks(name[:i])
		if err != nil {
			break
		}
		if rel, err := filepath.Rel(c.root, real); err == nil && filepath.IsLocal(rel) || i == len(name) {
			return filepath.Join(real, name[i:])
		}
	}
	return name
}
