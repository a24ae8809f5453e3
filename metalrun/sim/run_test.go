package sim_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/x448/float16"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
)

// TestRun executes the programs of testdata/run and compares their results
// with the values written beside them. README.md there defines the format.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("TestFindings launches the same programs")
	}
	forPrograms(t, runProgram)
}

// forPrograms makes a test of each file of testdata/run.
func forPrograms(t *testing.T, check func(t *testing.T, path string)) {
	err := filepath.WalkDir("testdata/run", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".metal") {
			return err
		}
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(path), "testdata/run/"), ".metal")
		t.Run(name, func(t *testing.T) { check(t, path) })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func runProgram(t *testing.T, path string) {
	p, err := parseProgram(path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.run()
	if p.fault != "" {
		checkFault(t, p.fault, err)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	p.checkWants(t)
}

// run launches the program's kernels one after the other, up to the first error.
func (p *program) run() ([]metalrun.Outcome, error) {
	analysed, err := metalrun.Analyse(p.source, p.options)
	if err != nil {
		return nil, err
	}
	names, err := p.kernelNames(analysed)
	if err != nil {
		return nil, err
	}
	lib, err := sim.New(p.semantics).Compile(analysed)
	if err != nil {
		return nil, err
	}
	var out []metalrun.Outcome
	for _, name := range names {
		k, err := lib.Kernel(name)
		if err != nil {
			return out, err
		}
		o, err := k.Run(p.dispatch)
		if out = append(out, o); err != nil {
			return out, err
		}
	}
	return out, nil
}

// kernelNames are the entry points to launch.
func (p *program) kernelNames(analysed *metalrun.Program) ([]string, error) {
	if p.kernels != nil {
		return p.kernels, nil
	}
	infos, err := analysed.Kernels()
	if err != nil {
		return nil, err
	}
	if len(infos) != 1 {
		return nil, fmt.Errorf("%d kernels: which are to be launched?", len(infos))
	}
	return []string{infos[0].Name}, nil
}

func (p *program) checkWants(t *testing.T) {
	t.Helper()
	for _, w := range p.wants {
		compare(t, w, p.bound(w.index).Data)
	}
}

func checkFault(t *testing.T, want string, err error) {
	t.Helper()
	var f *metalrun.Fault
	if !errors.As(err, &f) {
		t.Fatalf("got %v, want a fault at %s", err, want)
	}
	at, message, _ := strings.Cut(want, " ")
	if got := fmt.Sprintf("%d:%d", f.Line, f.Col); got != at || !strings.Contains(f.Message, message) {
		t.Errorf("got fault at %s: %s\nwant %s: …%s…", got, f.Message, at, message)
	}
}

func compare(t *testing.T, w want, got []byte) {
	t.Helper()
	if len(got) != len(w.data) {
		t.Fatalf("buffer(%d): %d bytes wanted of %d", w.index, len(w.data), len(got))
	}
	size, wrong := sizes[w.typ], 0
	for i := 0; i < len(got) && wrong < 5; i += size {
		g, x := bitsOf(got[i:i+size]), bitsOf(w.data[i:i+size])
		if g != x && !(isNaN(w.typ, g) && isNaN(w.typ, x)) {
			t.Errorf("buffer(%d)[%d] = %s, want %s", w.index, i/size, spell(w.typ, g), spell(w.typ, x))
			wrong++
		}
	}
}

var sizes = map[string]int{"char": 1, "uchar": 1, "short": 2, "ushort": 2, "half": 2, "bfloat": 2, "int": 4, "uint": 4,
	"float": 4, "long": 8, "ulong": 8}

func bitsOf(b []byte) uint64 {
	var w [8]byte
	copy(w[:], b)
	return binary.LittleEndian.Uint64(w[:])
}

func value(typ string, bits uint64) float64 {
	switch typ {
	case "half":
		return float64(float16.Frombits(uint16(bits)).Float32())
	case "bfloat":
		return float64(math.Float32frombits(uint32(bits) << 16))
	}
	return float64(math.Float32frombits(uint32(bits)))
}

func isFloat(typ string) bool { return typ == "half" || typ == "bfloat" || typ == "float" }

func isNaN(typ string, bits uint64) bool { return isFloat(typ) && math.IsNaN(value(typ, bits)) }

func spell(typ string, bits uint64) string {
	if isFloat(typ) {
		return fmt.Sprintf("%v (bits:%x)", value(typ, bits), bits)
	}
	shift := 64 - 8*sizes[typ]
	if strings.HasPrefix(typ, "u") {
		return fmt.Sprint(bits)
	}
	return fmt.Sprint(int64(bits<<shift) >> shift)
}
