package kit

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"metalconform/metalrun/host/abi"
)

//go:embed objc
var sources embed.FS

// hostLibrary is the part in Go.
const hostLibrary = "libconformhost.so"

// ErrMissing is wrapped by the error of a build that lacks Debian's packages.
var ErrMissing = errors.New("packages are missing")

// tools are what a build uses.
type tools struct {
	clang   string
	objc    string // folder of the headers of GCC's Objective-C runtime
	gnustep string // folder of the headers of GNUstep
	library string // the part in Go, if it is built; otherwise
	module  string // the folder of its sources, and
	golang  string // the compiler
}

// findTools finds what a build uses. module is the folder of conform's sources, or "".
func findTools(module string) (t tools, err error) {
	var missing []string
	lacks := func(packages ...string) { missing = append(missing, packages...) }
	if t.clang = newestClang(); t.clang == "" {
		lacks("clang-16")
	}
	headers, _ := filepath.Glob("/usr/lib/gcc/*/*/include/objc/objc.h")
	headers = slices.DeleteFunc(headers, func(s string) bool { return !strings.Contains(s, machine()) })
	if len(headers) == 0 {
		lacks("gobjc")
	} else {
		t.objc = filepath.Dir(headers[len(headers)-1])
	}
	for _, dir := range []string{"/usr/include/GNUstep", "/usr/local/include/GNUstep"} {
		if _, err := os.Stat(filepath.Join(dir, "Foundation", "Foundation.h")); err == nil {
			t.gnustep = dir
			break
		}
	}
	if t.gnustep == "" {
		lacks("libgnustep-base-dev")
	}
	if self, err := os.Executable(); err == nil {
		if path := filepath.Join(filepath.Dir(self), hostLibrary); exists(path) {
			t.library = path
		}
	}
	if t.library == "" {
		if t.module = module; t.module == "" {
			t.module = moduleAround()
		}
		if t.module == "" {
			return t, fmt.Errorf("%s is not beside the program, and there are no sources to build it from: "+
				"say -checkout DIR, where DIR is a checkout of Conform", hostLibrary)
		}
		if t.golang, err = exec.LookPath("go"); err != nil {
			lacks("golang")
		}
	}
	if missing != nil {
		return t, fmt.Errorf("%w: apt-get install %s", ErrMissing, strings.Join(missing, " "))
	}
	return t, nil
}

// machine is the name of the architecture in Debian's folders.
func machine() string {
	if runtime.GOARCH == "arm64" {
		return "aarch64-linux-gnu"
	}
	return "x86_64-linux-gnu"
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// newestClang is the newest clang that is installed.
func newestClang() string {
	for version := 21; version >= 14; version-- {
		if path, err := exec.LookPath(fmt.Sprintf("clang-%d", version)); err == nil {
			return path
		}
	}
	path, _ := exec.LookPath("clang")
	return path
}

// moduleAround is the checkout of Conform that the current folder is in, or "".
func moduleAround() string {
	dir, err := os.Getwd()
	for err == nil {
		if exists(filepath.Join(dir, "metalrun", "host", "library", "export.go")) {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return ""
}

// Build builds the library and its headers in a folder. module is the folder of conform's sources, or "" to look for
// them.
func Build(ctx context.Context, dir, module string) error {
	t, err := findTools(module)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "conform-host-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	include := filepath.Join(dir, "include")
	if err := os.MkdirAll(filepath.Join(include, "objc"), 0o777); err != nil {
		return err
	}
	steps := []func() error{
		func() error { return unpack("objc", work) },
		func() error { return unpack("objc/include", include) },
		func() error { return runtimeHeaders(t.objc, filepath.Join(include, "objc")) },
		func() error {
			return os.WriteFile(filepath.Join(work, "conform_host.h"), []byte(abi.Header()), 0o666)
		},
		func() error { return t.golangPart(ctx, dir) },
		func() error { return t.objectiveC(ctx, dir, work) },
		func() error { return writeFlags(dir, t) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// unpack writes embedded files.
func unpack(from, to string) error {
	tree, err := fs.Sub(sources, from)
	if err != nil {
		return err
	}
	return fs.WalkDir(tree, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return errors.Join(err, os.MkdirAll(filepath.Join(to, path), 0o777))
		}
		text, err := fs.ReadFile(tree, path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, path), text, 0o666)
	})
}

// runtimeHeaders copies the headers of GCC's runtime, with what clang cannot read in modern syntax: constants that are
// boxed, a nil for pointers of any type, and pointers to objects under automatic reference counting.
func runtimeHeaders(from, to string) error {
	list, err := filepath.Glob(filepath.Join(from, "*.h"))
	if err != nil {
		return err
	}
	modern := strings.NewReplacer(
		"#define YES   (BOOL)1", "#define YES   ((BOOL)1)",
		"#define NO    (BOOL)0", "#define NO    ((BOOL)0)",
		"#define nil (id)0", "#ifdef __cplusplus\n#define nil __null\n#else\n#define nil ((void *)0)\n#endif",
		"Protocol **", "Protocol * __unsafe_unretained *",
		"return object->class_pointer;", "return *(Class *)(__bridge void *)object;")
	for _, path := range list {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, filepath.Base(path)), []byte(modern.Replace(string(text))),
			0o666); err != nil {
			return err
		}
	}
	return nil
}

// golangPart copies or compiles the part in Go.
func (t tools) golangPart(ctx context.Context, dir string) error {
	to, err := filepath.Abs(filepath.Join(dir, hostLibrary))
	if err != nil {
		return err
	}
	if t.library != "" {
		text, err := os.ReadFile(t.library)
		if err != nil {
			return err
		}
		return os.WriteFile(to, text, 0o777)
	}
	c := exec.CommandContext(ctx, t.golang, "build", "-trimpath", "-buildmode=c-shared", "-o", to,
		"./metalrun/host/library")
	c.Dir = t.module
	c.Env = append(os.Environ(), "CGO_ENABLED=1", "CC="+t.clang)
	if err := execute(c); err != nil {
		return err
	}
	// Programs do not call what the header declares.
	if err := os.Remove(strings.TrimSuffix(to, ".so") + ".h"); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// modern are the files that are compiled as programs are. The others are what such programs run on.
var modern = []string{"device.m", "library.m", "memory.m", "command.m", "dispatch.m", "mach.m",
	"pages.m"}

// objectiveC compiles the classes and links the library.
func (t tools) objectiveC(ctx context.Context, dir, work string) error {
	var objects []string
	compile := func(file, runtime string) error {
		object := filepath.Join(work, file+".o")
		objects = append(objects, object)
		args := append(languageFlags(dir, t.gnustep, runtime), "-O1", "-g", "-I", work, "-c", filepath.Join(work, file),
			"-o", object)
		return execute(exec.CommandContext(ctx, t.clang, args...))
	}
	for _, file := range modern {
		if err := compile(file, modernRuntime); err != nil {
			return err
		}
	}
	for _, file := range []string{"runtime.m", "blocks.m"} {
		if err := compile(file, "gcc"); err != nil {
			return err
		}
	}
	args := append([]string{"-shared", "-o", filepath.Join(dir, "libMetal.so"),
		filepath.Join(work, "msgsend_"+runtime.GOARCH+".S")}, objects...)
	args = append(args, "-L"+dir, "-lconformhost", "-lgnustep-base", "-lobjc", "-lpthread", "-ldl",
		"-Wl,-rpath,$ORIGIN")
	return execute(exec.CommandContext(ctx, t.clang, args...))
}

// execute runs a compiler. The error has what it says.
func execute(c *exec.Cmd) error {
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(c.Args, " "), err, out)
	}
	return nil
}
