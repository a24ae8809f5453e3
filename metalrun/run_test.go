package metalrun_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/x448/float16"

	"metalconform/metalrun"
)

// TestRun executes the programs of testdata/run and compares their results
// with the values written beside them. README.md there defines the format.
func TestRun(t *testing.T) {
	err := filepath.WalkDir("testdata/run", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".metal") {
			return err
		}
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(path), "testdata/run/"), ".metal")
		t.Run(name, func(t *testing.T) { runProgram(t, path) })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// program is a parsed file of testdata/run.
type program struct {
	source    metalrun.Source
	options   metalrun.CompileOptions
	semantics metalrun.Semantics
	dispatch  metalrun.Dispatch
	wants     []want
	fault     string // "LINE:COL part of the message", or ""
}

type want struct {
	index int
	typ   string
	data  []byte
}

func runProgram(t *testing.T, path string) {
	p, err := parseProgram(path)
	if err != nil {
		t.Fatal(err)
	}
	lib, err := metalrun.NewSimulator(p.semantics).Compile(p.source, p.options)
	if err != nil {
		t.Fatal(err)
	}
	infos, err := metalrun.Inspect(p.source, p.options)
	if err != nil || len(infos) == 0 {
		t.Fatalf("no kernel: %v", err)
	}
	k, err := lib.Kernel(infos[0].Name)
	if err != nil {
		t.Fatal(err)
	}
	_, err = k.Run(p.dispatch)
	if p.fault != "" {
		checkFault(t, p.fault, err)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range p.wants {
		i := slices.IndexFunc(p.dispatch.Bindings, func(b metalrun.Binding) bool { return b.Index == w.index })
		if i < 0 {
			t.Fatalf("want %d: nothing is bound there", w.index)
		}
		compare(t, w, p.dispatch.Bindings[i].Data)
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
	size := sizes[w.typ]
	for i := 0; i < len(got); i += size {
		g, x := bitsOf(got[i:i+size]), bitsOf(w.data[i:i+size])
		if g != x && !(isNaN(w.typ, g) && isNaN(w.typ, x)) {
			t.Errorf("buffer(%d)[%d] = %s, want %s", w.index, i/size, spell(w.typ, g), spell(w.typ, x))
		}
	}
}

var sizes = map[string]int{"char": 1, "uchar": 1, "short": 2, "ushort": 2, "half": 2, "bfloat": 2, "int": 4, "uint": 4, "float": 4, "long": 8, "ulong": 8}

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

func parseProgram(path string) (*program, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	p := &program{source: metalrun.SourceText(filepath.Base(path), string(text))}
	p.options.FunctionConstants = map[int]any{}
	for n, line := range strings.Split(string(text), "\n") {
		directive, ok := strings.CutPrefix(line, "// ")
		if !ok {
			break
		}
		if err := p.directive(directive); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n+1, err)
		}
	}
	return p, nil
}

func (p *program) directive(line string) error {
	words := strings.Fields(line)
	switch words[0] {
	case "dispatch":
		return p.setDispatch(words[1:])
	case "bind", "inline", "want", "constant":
		return p.setData(words)
	case "local":
		bytes, err := strconv.Atoi(words[2])
		p.dispatch.ThreadgroupMemory = append(p.dispatch.ThreadgroupMemory, bytes)
		return err
	case "semantics":
		for _, w := range words[1:] {
			switch w {
			case "contract":
				p.semantics.Contract = true
			case "flush":
				p.semantics.FlushSubnormals = true
			case "butterfly":
				p.semantics.SumOrder = metalrun.SumButterfly
			case "impatient":
				p.semantics.Steps = 1 << 20
			case "tree":
				p.semantics.SumOrder = metalrun.SumTree
			default:
				return fmt.Errorf("unknown semantics %q", w)
			}
		}
		return nil
	case "fault":
		p.fault = strings.TrimPrefix(line, "fault ")
		return nil
	}
	return nil // a remark
}

func (p *program) setDispatch(words []string) error {
	for _, w := range words {
		key, list, _ := strings.Cut(w, "=")
		s := metalrun.Size{X: 1, Y: 1, Z: 1}
		for i, n := range strings.Split(list, ",") {
			v, err := strconv.Atoi(n)
			if err != nil {
				return err
			}
			*[]*int{&s.X, &s.Y, &s.Z}[i] = v
		}
		switch key {
		case "threads":
			p.dispatch.Threads = s
		case "groups":
			p.dispatch.Threadgroups = s
		case "per":
			p.dispatch.ThreadsPerThreadgroup = s
		default:
			return fmt.Errorf("unknown word %q", w)
		}
	}
	return nil
}

func (p *program) setData(words []string) error {
	index, err := strconv.Atoi(words[1])
	if err != nil {
		return err
	}
	if words[0] == "constant" {
		return p.setConstant(index, words[2], words[3])
	}
	data, err := encode(words[2], words[3:])
	if err != nil {
		return err
	}
	if words[0] == "want" {
		p.wants = append(p.wants, want{index, words[2], data})
		return nil
	}
	b := bind(index, data)
	b.Inline = words[0] == "inline"
	p.dispatch.Bindings = append(p.dispatch.Bindings, b)
	return nil
}

func (p *program) setConstant(index int, typ, text string) error {
	if typ == "bool" {
		p.options.FunctionConstants[index] = text == "true"
		return nil
	}
	bits, err := parseValue(typ, text)
	if err != nil {
		return err
	}
	switch typ {
	case "float":
		p.options.FunctionConstants[index] = math.Float32frombits(uint32(bits))
	case "uint":
		p.options.FunctionConstants[index] = uint32(bits)
	default:
		p.options.FunctionConstants[index] = int(int32(bits))
	}
	return nil
}

// encode turns values, with xN repeating the last one to N in all, into bytes.
func encode(typ string, words []string) ([]byte, error) {
	size, ok := sizes[typ]
	if !ok {
		return nil, fmt.Errorf("unknown type %q", typ)
	}
	var data []byte
	for _, w := range words {
		if n, ok := strings.CutPrefix(w, "x"); ok {
			count, err := strconv.Atoi(n)
			if err != nil {
				return nil, err
			}
			last := slices.Clone(data[len(data)-size:])
			for range count - 1 {
				data = append(data, last...)
			}
			continue
		}
		bits, err := parseValue(typ, w)
		if err != nil {
			return nil, err
		}
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], bits)
		data = append(data, b[:size]...)
	}
	return data, nil
}

func parseValue(typ, w string) (uint64, error) {
	if hex, ok := strings.CutPrefix(w, "bits:"); ok {
		return strconv.ParseUint(hex, 16, 64)
	}
	if isFloat(typ) {
		x, err := strconv.ParseFloat(w, 32)
		switch f := float32(x); {
		case err != nil:
			return 0, err
		case typ == "half":
			return uint64(float16.Fromfloat32(f).Bits()), nil
		case typ == "bfloat":
			if math.Float32bits(f)&0xffff != 0 && f == f {
				return 0, fmt.Errorf("%s is no bfloat", w)
			}
			return uint64(math.Float32bits(f) >> 16), nil
		default:
			return uint64(math.Float32bits(f)), nil
		}
	}
	if v, err := strconv.ParseInt(w, 0, 64); err == nil {
		return uint64(v), nil
	}
	return strconv.ParseUint(w, 0, 64)
}
