package kernels

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// baselineProgram is a running C program of fixtures/baseline; baseline.h there
// tells its protocol.
type baselineProgram struct {
	requests io.Writer
	answers  *bufio.Reader
}

// compiler is the path of gcc, which on a Mac is clang; ok is false if there
// is none.
func compiler() (path string, ok bool) {
	path, err := exec.LookPath("gcc")
	return path, err == nil
}

// machineFlags are the compiler's flags for the processor at hand. The environment's CFLAGS take their place.
func machineFlags() []string {
	if flags := os.Getenv("CFLAGS"); flags != "" {
		return strings.Fields(flags)
	}
	if runtime.GOARCH == "arm64" {
		return []string{"-mcpu=native"} // which clang takes too
	}
	return []string{"-march=native"}
}

// startBaseline builds the case's baseline and starts it on the inputs. It is
// nil where there is no gcc.
func startBaseline(tb testing.TB, c speedCase, inputs []byte) *baselineProgram {
	tb.Helper()
	gcc, ok := compiler()
	if !ok {
		return nil
	}
	args := append([]string{"-O3", "-ffp-contract=off", "-std=c11"}, machineFlags()...)
	args = append(args, c.axes()...)
	dir := tb.TempDir()
	program, data := filepath.Join(dir, "baseline"), filepath.Join(dir, "inputs")
	args = append(args, filepath.Join("..", "..", "fixtures", "baseline", c.baseline), "-o", program, "-lm")
	if text, err := exec.Command(gcc, args...).CombinedOutput(); err != nil {
		tb.Fatalf("gcc: %v\n%s", err, text)
	}
	if err := os.WriteFile(data, inputs, 0o600); err != nil {
		tb.Fatal(err)
	}
	return serveBaseline(tb, exec.Command(program, data))
}

// axes are the shape as macros, and the bits of a weight if it has any.
func (c speedCase) axes() (flags []string) {
	if c.bits > 0 {
		flags = append(flags, fmt.Sprintf("-Dweight_bits=%d", c.bits))
	}
	for axis, n := range c.shape {
		flags = append(flags, fmt.Sprintf("-D%s=%d", axis, n))
	}
	slices.Sort(flags)
	return flags
}

// startOpenCL does the same with the case's program in OpenCL, on one thread. It is nil where there
// is no such program, or nothing that runs it.
func startOpenCL(tb testing.TB, c speedCase, inputs []byte) *baselineProgram {
	tb.Helper()
	gcc, ok := compiler()
	if !ok || c.opencl.program == "" {
		return nil
	}
	sources, err := filepath.Abs(filepath.Join("..", "..", "fixtures", "baseline"))
	if err != nil {
		tb.Fatal(err)
	}
	dir := tb.TempDir()
	program, data := filepath.Join(dir, "opencl"), filepath.Join(dir, "inputs")
	args := append(c.axes(), "-O2", "-std=c11", fmt.Sprintf("-DSOURCE=%q", filepath.Join(sources, c.opencl.program)),
		fmt.Sprintf("-DOPTIONS=%q", strings.Join(c.axes(), " ")),
		"-DGROUP="+c.opencl.group, "-DGROUPS="+c.opencl.groups, "-DBUFFERS="+c.opencl.buffers,
		filepath.Join(sources, "opencl.c"), "-o", program, "-lOpenCL")
	if text, err := exec.Command(gcc, args...).CombinedOutput(); err != nil {
		if strings.Contains(string(text), "CL/cl.h") || strings.Contains(string(text), "-lOpenCL") {
			return nil // not installed
		}
		tb.Fatalf("gcc: %v\n%s", err, text)
	}
	if err := os.WriteFile(data, inputs, 0o600); err != nil {
		tb.Fatal(err)
	}
	cmd := exec.Command(program, data)
	cmd.Env = append(os.Environ(), "POCL_MAX_PTHREAD_COUNT=1", "POCL_CACHE_DIR="+dir)
	y := serveBaseline(tb, cmd)
	if ready, err := y.answers.ReadString('\n'); err != nil || ready != "ready\n" {
		return nil
	}
	return y
}

// serveBaseline starts the program; it ends with the test.
func serveBaseline(tb testing.TB, cmd *exec.Cmd) *baselineProgram {
	tb.Helper()
	cmd.Stderr = os.Stderr
	requests, err := cmd.StdinPipe()
	if err != nil {
		tb.Fatal(err)
	}
	answers, err := cmd.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		requests.Close()
		const nothingThere = 3
		if err := cmd.Wait(); err != nil && cmd.ProcessState.ExitCode() != nothingThere {
			tb.Errorf("baseline: %v", err)
		}
	})
	return &baselineProgram{requests: requests, answers: bufio.NewReader(answers)}
}

// run runs one form of the kernel, "lane" or "scalar".
func (y *baselineProgram) run(form string) (ns float64, hash uint64, err error) {
	if _, err := fmt.Fprintln(y.requests, form); err != nil {
		return 0, 0, err
	}
	_, err = fmt.Fscanf(y.answers, "%f %x\n", &ns, &hash)
	return ns, hash, err
}
