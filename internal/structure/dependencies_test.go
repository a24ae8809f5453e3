package structure

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// layers is the dependency policy of the module. A package may import the
// packages that stand to the right of its name, whatever those may import,
// and the other modules named for it. Files of every operating system count.
//
// Do not edit this table to make a build pass: the directions are the design.
// Oracles and metalrun in particular never meet, so that neither can cancel a
// mistake of the other.
var layers = []layer{
	{pkg: "internal/budget"}, // counters alone
	{pkg: "internal/regular"},
	{pkg: "internal/crash"},
	{pkg: "internal/printable"},
	{pkg: "internal/structure"}, // tests alone
	{pkg: "internal/cputime"},
	{pkg: "internal/exit"},
	{pkg: "docs"}, // pages
	{pkg: "metalrun/internal/syntax"},
	{pkg: "metalrun/internal/scalar", modules: "github.com/x448/float16"},                           // arithmetic alone
	{pkg: "metalrun/internal/ball", below: "metalrun/internal/scalar", modules: "golang.org/x/sys"}, // arithmetic alone
	{pkg: "metalrun/internal/simt/lanes", below: "metalrun/internal/scalar", modules: "golang.org/x/sys"},
	{pkg: "metalrun/internal/simt/lanes/avx2", modules: "github.com/mmcloughlin/avo"},          // a generator
	{pkg: "metalrun/internal/simt/lanes/neon"},                                                 // a generator
	{pkg: "metalrun/internal/hir", below: "metalrun/internal/syntax metalrun/internal/scalar"}, // the typed tree
	{pkg: "metalrun/internal/consteval", below: "metalrun/internal/hir"},
	// the checker makes the tree
	{pkg: "metalrun/internal/types", below: "metalrun/internal/consteval",
		tests: "metalrun/internal/ir metalrun/internal/ir/lower"},
	// iteration alone
	{pkg: "metalrun/internal/ir/fixpoint"},
	// of the tree it knows the fast-math flags
	{pkg: "metalrun/internal/ir", below: "metalrun/internal/hir metalrun/internal/ir/fixpoint",
		tests: "metalrun/internal/ir/irtest metalrun/internal/ir/eval"},
	// nothing of the checker, which makes the tree
	{pkg: "metalrun/internal/ir/lower", below: "metalrun/internal/ir",
		tests: "metalrun/internal/types metalrun/internal/ir/eval"},
	{pkg: "metalrun/internal/air/metallib"}, // bytes alone
	{pkg: "metalrun/internal/air/bitcode"},  // bits alone
	// nothing of syntax but positions, and nothing of an executor
	{pkg: "metalrun/internal/air",
		below: "metalrun/internal/air/metallib metalrun/internal/air/bitcode metalrun/internal/ir"},
	// nothing of an executor
	{pkg: "metalrun/internal/ir/analysis", below: "metalrun/internal/ir",
		tests: "metalrun/internal/types metalrun/internal/ir/irtest"},
	// nothing of an executor
	{pkg: "metalrun/internal/ir/widths", below: "metalrun/internal/ir", tests: "metalrun/internal/ir/irtest"},
	{pkg: "metalrun/internal/ir/redundancy", below: "metalrun/internal/ir/analysis", // nothing of an executor
		tests: "metalrun/internal/ir/irtest"},
	{pkg: "metalrun/internal/ir/eval", below: "metalrun/internal/ir",
		tests: "metalrun/internal/types metalrun/internal/ir/lower metalrun/internal/ir/fastmath " +
			"metalrun/internal/simt"},
	{pkg: "metalrun/internal/ir/fastmath", below: "metalrun/internal/ir", tests: "metalrun/internal/ir/irtest"},
	{pkg: "metalrun/internal/ir/llvm", below: "metalrun/internal/ir",
		tests: "metalrun/internal/types metalrun/internal/ir/lower metalrun/differential"},
	{pkg: "metalrun/internal/ir/irtest", below: "metalrun/internal/types metalrun/internal/ir/lower"}, // for tests
	{pkg: "metalrun/internal/simt/machine",
		below: "internal/crash metalrun/internal/ir/analysis metalrun/internal/ball metalrun/internal/simt/lanes"},
	{pkg: "metalrun/internal/simt/codegen",
		below: "metalrun/internal/simt/machine metalrun/internal/ir/fastmath metalrun/internal/ir/llvm",
		tests: "metalrun/internal/ir/irtest"},
	{pkg: "metalrun/internal/simt/exact", below: "metalrun/internal/simt/codegen",
		tests: "metalrun/internal/ir/irtest"},
	{pkg: "metalrun/internal/simt/adjoint", below: "metalrun/internal/simt/exact",
		tests: "metalrun/internal/ir/irtest"},
	{pkg: "metalrun/internal/simt/sanitize", below: "metalrun/internal/simt/codegen", // nothing of exact values
		tests: "metalrun/internal/ir/irtest"},
	{pkg: "metalrun/internal/simt/profile", // nothing of the checks
		below: "metalrun/internal/simt/codegen metalrun/internal/ir/redundancy",
		tests: "metalrun/internal/ir/irtest"},
	{pkg: "metalrun/internal/simt/guard", below: "metalrun/internal/simt/codegen"}, // nothing of the checks
	{pkg: "metalrun/internal/simt",
		below: "metalrun/internal/simt/adjoint metalrun/internal/simt/sanitize metalrun/internal/simt/profile " +
			"metalrun/internal/simt/guard",
		tests: "metalrun/internal/ir/irtest metalrun/internal/ir/eval"},
	{pkg: "metalrun/internal/directive"},
	{pkg: "metalrun",
		below: "internal/crash internal/printable metalrun/internal/types metalrun/internal/ir/lower " +
			"metalrun/internal/air metalrun/internal/ir/analysis " +
			"metalrun/internal/ir/fastmath metalrun/internal/ir/widths " +
			"metalrun/internal/ball metalrun/internal/directive",
		tests: "metalrun/sim metalrun/metal metalrun/metal/fake metalrun/mutation"},

	{pkg: "metalrun/runnertest", below: "metalrun"}, // for tests
	{pkg: "metalrun/probe", below: "metalrun", tests: "metalrun/sim metalrun/metal metalrun/metal/fake"},
	{pkg: "metalrun/survey", below: "metalrun/probe", tests: "metalrun/sim shaders"}, // nothing is measured there
	{pkg: "metalrun/intrinsics", below: "internal/regular metalrun", tests: "metalrun/sim"},
	{pkg: "metalrun/sim", below: "metalrun metalrun/internal/simt",
		tests: "metalrun/internal/ir/eval metalrun/differential"},
	{pkg: "metalrun/metal", below: "metalrun", modules: "github.com/ebitengine/purego", tests: "metalrun/metal/fake"},
	{pkg: "metalrun/isolated", below: "metalrun", tests: "metalrun/sim"},
	// whole programs
	{pkg: "metalrun/host", below: "metalrun/sim"},
	{pkg: "metalrun/host/abi", below: "metalrun/host"},
	{pkg: "metalrun/host/kit", below: "metalrun/host/abi"},
	{pkg: "metalrun/host/library", below: "metalrun/host/abi"},
	// for tests
	{pkg: "metalrun/metal/fake", below: "metalrun/sim", modules: "github.com/ebitengine/purego"},
	{pkg: "metalrun/metal/fake/faults"}, // plants faults
	{pkg: "metalrun/metal/fake/build"},  // builds what it loads
	{pkg: "metalrun/metal/imports"},     // reads what programs for macOS link
	{pkg: "metalrun/mutation", below: "metalrun"},
	{pkg: "metalrun/differential", below: "metalrun"}, // for tests
	{pkg: "tensorfile"},                               // bytes and numbers alone
	{pkg: "metalrun/record", below: "internal/regular metalrun tensorfile", tests: "metalrun/sim"},
	{pkg: "metalrun/forecast", below: "internal/regular metalrun", tests: "metalrun/sim fixtures/metalsci"},
	{pkg: "metalrun/timing", below: "metalrun", modules: "golang.org/x/perf/benchmath github.com/x448/float16",
		tests: "metalrun/sim"},

	{pkg: "oracles/internal/loops", modules: "golang.org/x/sys", std: "math"},
	{pkg: "oracles/internal/loops/avx2", modules: "github.com/mmcloughlin/avo"}, // a generator
	{pkg: "oracles", below: "oracles/internal/loops", modules: "gonum.org/v1/gonum",
		std: "math cmp errors fmt iter maps slices strings", tests: "fixtures fixtures/golden"},
	{pkg: "oracles/exact", below: "oracles", std: "math slices"}, // a referee of oracles

	{pkg: "shaders"},
	{pkg: "fixtures", tests: "fixtures/golden"},
	{pkg: "fixtures/metalsci", below: "metalrun", tests: "metalrun/sim"}, // for tests
	{pkg: "fixtures/golden"},                                             // for tests
	{pkg: "fixtures/codebook", below: "fixtures"},                        // a generator
	{pkg: "suite/coverage", below: "metalrun"},                           // nothing of suite
	{pkg: "suite/growth", below: "metalrun", tests: "metalrun/sim"},      // nothing of suite
	{pkg: "suite/metrics", below: "oracles"},                             // nothing of suite
	{pkg: "suite/covering"},                                              // integers and names alone
	// runners are handed in
	{pkg: "suite",
		below: "internal/budget internal/regular metalrun/mutation metalrun/timing metalrun/forecast suite/metrics " +
			"suite/coverage suite/covering suite/growth",
		tests: "metalrun/sim metalrun/runnertest"},
	{pkg: "suite/adhoc", below: "suite"},
	{pkg: "suite/suitetest", below: "suite metalrun/sim metalrun/runnertest"}, // for tests
	{pkg: "suite/mutate", below: "suite", tests: "metalrun/sim suite/suitetest"},
	{pkg: "suite/explain", below: "suite", tests: "metalrun/sim suite/suitetest metalrun/runnertest"},
	{pkg: "suite/bench", below: "suite", tests: "suite/suitetest metalrun/sim metalrun/runnertest"},
	{pkg: "suite/shrink", below: "suite", tests: "suite/suitetest metalrun/sim"},
	{pkg: "suite/explore", below: "suite suite/adhoc", tests: "metalrun/sim"}, // runners are handed in
	{pkg: "suite/against", below: "suite/adhoc", tests: "metalrun/sim"},       // runners are handed in
	{pkg: "suite/scaffold", below: "suite suite/adhoc", tests: "metalrun/sim suite/spec"},
	{pkg: "suite/tensor", modules: "gonum.org/v1/gonum"}, // numbers alone
	{pkg: "suite/spec", below: "internal/regular suite suite/tensor tensorfile", modules: "go.starlark.net",
		tests: "metalrun/sim"},
	{pkg: "suite/kernels/kerneltest", below: "suite", tests: "metalrun/sim"}, // for tests
	{pkg: "suite/kernels", below: "suite shaders fixtures oracles/exact",
		tests: "suite/mutate suite/explain metalrun/sim metalrun/isolated metalrun/metal metalrun/metal/fake " +
			"metalrun/differential suite/kernels/kerneltest suite/packs"},
	{pkg: "reports/diagnostics", below: "metalrun"},
	{pkg: "suite/packs", below: "suite/spec", tests: "metalrun/sim"},
	{pkg: "suite/judge", below: "suite", tests: "suite/spec metalrun/sim"},        // runners are handed in
	{pkg: "conform", below: "suite/spec suite/packs metalrun/sim metalrun/metal"}, // what other modules rely on
	{pkg: "conform/conformtest", below: "conform"},
	{pkg: "reports/statistics", modules: "golang.org/x/perf/benchmath"}, // numbers alone
	{pkg: "reports",
		below:   "suite suite/bench suite/shrink suite/mutate suite/explain metalrun/probe reports/statistics",
		modules: "golang.org/x/perf"},
	{pkg: "reports/attack"}, // for tests
	{pkg: "reports/trend", below: "reports"},
	{pkg: "reports/history", below: "internal/regular reports/trend"},
	{pkg: "reports/plot", below: "reports",
		modules: "gonum.org/v1/plot codeberg.org/go-fonts/liberation golang.org/x/image golang.org/x/perf"},
	{pkg: "reports/html", below: "reports/plot reports/trend", tests: "metalrun/sim reports/attack"},
	{pkg: "reports/serve", below: "internal/exit reports/html"},
	{pkg: "internal/git"},
	{pkg: "internal/checkout", below: "internal/git"},
	{pkg: "internal/config",
		below:   "internal/checkout internal/exit internal/regular metalrun/intrinsics suite/kernels reports",
		modules: "github.com/pelletier/go-toml/v2 github.com/spf13/pflag"},
	{pkg: "internal/terminal", below: "internal/printable suite suite/mutate", modules: "golang.org/x/term"},
	{pkg: "internal/session",
		below: "internal/config internal/git metalrun/probe metalrun/sim metalrun/isolated metalrun/metal " +
			"metalrun/record " +
			"suite/adhoc suite/mutate suite/packs", modules: "github.com/spf13/pflag"},
	{pkg: "internal/gate", below: "internal/session internal/terminal suite/bench suite/coverage metalrun/sim",
		modules: "github.com/spf13/pflag"},
	{pkg: "cmd/conform",
		below: "docs internal/cputime internal/gate reports/serve internal/regular metalrun/intrinsics " +
			"reports/diagnostics " +
			"suite/kernels suite/adhoc suite/packs suite/explore suite/scaffold suite/judge suite/against " +
			"reports/history reports/html tensorfile metalrun/sim metalrun/isolated metalrun/record metalrun/metal " +
			"metalrun/metal/fake metalrun/host/kit metalrun/survey shaders",
		modules: "github.com/pelletier/go-toml/v2 github.com/spf13/cobra github.com/spf13/pflag golang.org/x/term",
		tests:   "reports/attack metalrun/differential"},
}

// testModules may be imported by the tests of every package.
const testModules = "gonum.org/v1/gonum github.com/pelletier/go-toml/v2 github.com/google/go-cmp " +
	"github.com/rogpeppe/go-internal golang.org/x/tools/txtar github.com/x448/float16 " +
	"golang.org/x/perf/benchfmt github.com/chromedp/chromedp " +
	"github.com/chromedp/cdproto go.yaml.in/yaml/v4 github.com/santhosh-tekuri/jsonschema/v6"

// layer is one row of the policy; its lists are separated by spaces.
type layer struct {
	pkg     string // directory of the package
	below   string // packages of this module that it may import
	modules string // other modules
	std     string // standard library, with what lies under each; all of it if empty
	tests   string // packages of this module that its tests may import beside those
}

// policy is the table, closed under below.
type policy map[string]layer

func newPolicy(rows []layer) policy {
	p := policy{}
	for _, row := range rows {
		for _, below := range strings.Fields(row.below) {
			row.below += " " + p[below].below
		}
		p[row.pkg] = row
	}
	return p
}

// violation says in a sentence what is wrong with a file of pkg importing
// target, and nothing if it may.
func (p policy) violation(module, pkg, file, target string) string {
	row := p[pkg]
	test := strings.HasSuffix(file, "_test.go")
	inside, first := strings.CutPrefix(target, module+"/")
	switch {
	case first:
		if slices.Contains(strings.Fields(row.below), inside) ||
			test && (inside == pkg || slices.Contains(strings.Fields(row.tests), inside)) {
			return ""
		}
		return fmt.Sprintf("%s imports %s, which is not below it", pkg, inside)
	case strings.Contains(strings.Split(target, "/")[0], "."):
		if under(target, row.modules) || test && under(target, testModules) {
			return ""
		}
		return fmt.Sprintf("%s imports %s, a module that it may not use", pkg, target)
	case row.std != "" && !test && !under(target, row.std):
		return fmt.Sprintf("%s imports %s: of the standard library it may use %s", pkg, target, row.std)
	}
	return ""
}

// under reports whether target is one of the paths or lies under one.
func under(target, paths string) bool {
	return slices.ContainsFunc(strings.Fields(paths), func(p string) bool {
		return target == p || strings.HasPrefix(target, p+"/")
	})
}

func TestDependencies(t *testing.T) {
	root := filepath.Join("..", "..")
	module := moduleName(t, root)
	rules := newPolicy(layers)
	seen := map[string]bool{}
	err := fs.WalkDir(os.DirFS(root), ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == "testdata" || name != "." && strings.HasPrefix(name, ".") {
				return fs.SkipDir
			}
			if _, err := os.Stat(filepath.Join(root, file, "go.mod")); err == nil && file != "." {
				return fs.SkipDir // a module of its own
			}
			return nil
		}
		if path.Ext(file) != ".go" {
			return nil
		}
		pkg := path.Dir(file)
		if _, known := rules[pkg]; !known && !seen[pkg] {
			t.Errorf("package %s has no row in the table of layers", pkg)
		}
		seen[pkg] = true
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, file), nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range parsed.Imports {
			target, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if v := rules.violation(module, pkg, file, target); v != "" {
				t.Errorf("%s: %s", file, v)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range layers {
		if !seen[row.pkg] {
			t.Errorf("the table of layers has a row for %s, which holds no Go files", row.pkg)
		}
	}
}

func moduleName(t *testing.T, root string) string {
	t.Helper()
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(mod), "\n")
	name, ok := strings.CutPrefix(line, "module ")
	if !ok {
		t.Fatalf("go.mod begins with %q", line)
	}
	return strings.TrimSpace(name)
}

// TestPolicy has, for each kind of violation, one import that only it forbids.
func TestPolicy(t *testing.T) {
	rules := newPolicy(layers)
	tests := []struct{ pkg, file, target, want string }{
		{"metalrun", "program.go", "m/metalrun/internal/syntax", ""}, // below, through the pipeline
		{"metalrun", "runner_test.go", "m/metalrun/sim", ""},
		{"metalrun", "runner.go", "m/metalrun/sim", "is not below it"},
		{"metalrun", "program.go", "m/metalrun/internal/simt", "is not below it"},
		{"metalrun/sim", "kernel.go", "m/metalrun/metal", "is not below it"},
		{"metalrun/sim", "kernel.go", "github.com/ebitengine/purego", "may not use"},
		{"suite", "run.go", "m/metalrun/sim", "is not below it"},
		{"suite", "run_test.go", "m/metalrun/sim", ""},
		{"metalrun/internal/syntax", "scanner.go", "m/metalrun/internal/types", "is not below it"},
		{"oracles", "delta.go", "m/metalrun", "is not below it"},
		{"oracles", "delta_test.go", "m/metalrun", "is not below it"},
		{"oracles", "delta_test.go", "m/fixtures", ""},
		{"oracles", "delta.go", "m/fixtures", "is not below it"},
		{"metalrun/sim", "kernel.go", "m/oracles", "is not below it"},
		{"metalrun", "program_test.go", "m/metalrun", ""}, // an external test of itself
		{"metalrun", "program.go", "m/metalrun", "is not below it"},
		{"oracles", "norm.go", "gonum.org/v1/gonum/floats", ""},
		{"oracles", "norm.go", "gonum.org/v1/gonumx", "may not use"},
		{"oracles", "norm.go", "math/big", ""},
		{"oracles", "norm.go", "os", "of the standard library it may use math cmp errors fmt iter maps slices strings"},
		{"oracles", "norm_test.go", "fmt", ""},
		{"suite", "run.go", "github.com/google/go-cmp/cmp", "may not use"},
		{"suite", "run_test.go", "github.com/google/go-cmp/cmp", ""},
		{"suite", "run.go", "github.com/ebitengine/purego", "may not use"},
		{"metalrun/internal/ir/lower", "program_test.go", "m/metalrun/internal/ir/eval", ""},
		{"metalrun/internal/ir/lower", "lower.go", "m/metalrun/internal/ir/eval", "is not below it"},
		{"metalrun/internal/ir/lower", "lower.go", "m/metalrun/internal/types", "is not below it"},
		{"metalrun/internal/hir", "expr.go", "m/metalrun/internal/types", "is not below it"},
	}
	for _, test := range tests {
		got := rules.violation("m", test.pkg, test.file, test.target)
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s/%s importing %s: %q, want %q", test.pkg, test.file, test.target, got, test.want)
		}
	}
}
