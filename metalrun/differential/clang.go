package differential

import (
	"fmt"
	"os"
	"os/exec"
)

// newest and oldest are the versions of clang that are looked for by their own names.
const newest, oldest = 40, 14

// Clang finds a compiler, the newest one that there is; "" if there is none. CONFORM_CLANG
// names another.
func Clang() string {
	if name := os.Getenv("CONFORM_CLANG"); name != "" {
		path, _ := exec.LookPath(name)
		return path
	}
	for n := newest; n >= oldest; n-- {
		if path, err := exec.LookPath(fmt.Sprintf("clang++-%d", n)); err == nil {
			return path
		}
	}
	path, _ := exec.LookPath("clang++")
	return path
}

// flags are those of every compilation: half is a type of its own, nothing fuses, and
// integers wrap.
var flags = []string{"-std=c++17", "-O1", "-w", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off",
	"-ftemplate-depth=2000",
	"-Xclang", "-fnative-half-type", "-ferror-limit=0", "-ftemplate-backtrace-limit=0", "-fno-caret-diagnostics",
	"-Wno-invalid-constexpr", "-mf16c", "-mfma"}

// halfArguments are the names, in versions of clang, of the flag that lets functions take
// numbers of type half.
var halfArguments = []string{"-fnative-half-arguments-and-returns", "-fallow-half-arguments-and-returns"}

// knownFlags are flags and the one of halfArguments that a compiler knows.
func knownFlags(clang string) []string {
	for _, name := range halfArguments {
		if exec.Command(clang, "-x", "c++", "-fsyntax-only", "-Xclang", name, os.DevNull).Run() == nil {
			return append([]string{"-Xclang", name}, flags...)
		}
	}
	return flags
}

// clang is a compiler that works in a directory.
type clang struct {
	path, dir string
	flags     []string
}

// compile has files compiled and returns what the compiler says.
func (c *clang) compile(args ...string) (string, error) {
	cmd := exec.Command(c.path, append(append([]string{}, c.flags...), args...)...)
	cmd.Dir = c.dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}
