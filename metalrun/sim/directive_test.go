package sim_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/x448/float16"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
)

// program is a parsed file of testdata/run.
type program struct {
	source    metalrun.Source
	options   metalrun.CompileOptions
	semantics sim.Semantics
	dispatch  metalrun.Dispatch
	kernels   []string // to launch one after the other; none: the first of the file
	wants     []want
	fault     string   // "LINE:COL part of the message", or ""
	open      bool     // it reads what Metal leaves open, and discards it
	found     []string // by checks: "LINE:COL GRADE CHECK part of the message [; LINE:COL of the other party]"
}

// want is what a buffer holds after the launches.
type want struct {
	index int
	typ   string
	data  []byte
}

func parseProgram(path string) (*program, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	p := &program{source: splitFiles(filepath.Base(path), string(text))}
	p.options.FunctionConstants = map[int]any{}
	p.options.Macros = map[string]string{}
	remark := true
	for n, line := range strings.Split(string(text), "\n") {
		directive, ok := strings.CutPrefix(line, "// ")
		if !ok {
			break
		}
		known, err := p.directive(directive)
		if !known && !remark {
			err = errors.New("no directive, and remarks come before directives")
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n+1, err)
		}
		remark = !known
	}
	return p, p.complete()
}

// splitFiles cuts the text at its "// file NAME" lines into the main file and
// the files that it includes.
func splitFiles(name, text string) metalrun.Source {
	source := metalrun.Source{Name: name, Files: map[string]string{}}
	main, rest, more := strings.Cut(text, "\n// file ")
	source.Files[name] = main + "\n"
	for more {
		var part string
		part, rest, more = strings.Cut(rest, "\n// file ")
		name, body, _ := strings.Cut(part, "\n")
		source.Files[name] = strings.TrimSuffix(body, "\n") + "\n"
	}
	return source
}

// complete fills in what the directives leave out: the launch of one thread,
// and for a result that nothing is bound to, a buffer of a conspicuous pattern.
func (p *program) complete() error {
	if len(p.wants) == 0 && p.fault == "" && p.found == nil {
		return errors.New("nothing is wanted")
	}
	d := &p.dispatch
	if d.ThreadsPerThreadgroup == (metalrun.Size{}) {
		d.Threads, d.ThreadsPerThreadgroup = metalrun.Size{X: 1, Y: 1, Z: 1}, metalrun.Size{X: 1, Y: 1, Z: 1}
	}
	for _, w := range p.wants {
		if p.bound(w.index) == nil {
			b := bind(w.index, bytes.Repeat([]byte{0xa5}, len(w.data)))
			b.Undefined = true
			d.Bindings = append(d.Bindings, b)
		}
	}
	return nil
}

// bound is the binding at an index, nil if there is none.
func (p *program) bound(index int) *metalrun.Binding {
	for i := range p.dispatch.Bindings {
		if p.dispatch.Bindings[i].Index == index {
			return &p.dispatch.Bindings[i]
		}
	}
	return nil
}

// directive carries out one line; known is false if it is a remark.
func (p *program) directive(line string) (known bool, err error) {
	words := strings.Fields(line)
	if least := map[string]int{"bind": 4, "inline": 4, "want": 4, "constant": 4, "local": 3, "kernel": 2, "find": 3,
		"version": 2, "define": 2, "texture": 5}[words[0]]; len(words) < least {
		return true, fmt.Errorf("%s takes %d words at least", words[0], least-1)
	}
	switch words[0] {
	case "dispatch":
		return true, p.setDispatch(words[1:])
	case "bind", "inline", "want", "constant":
		return true, p.setData(words)
	case "texture":
		return true, p.setTexture(words)
	case "local":
		bytes, err := strconv.Atoi(words[2])
		p.dispatch.ThreadgroupMemory = append(p.dispatch.ThreadgroupMemory, bytes)
		return true, err
	case "semantics":
		return true, p.setSemantics(words[1:])
	case "kernel":
		p.kernels = words[1:]
	case "version":
		n, err := strconv.Atoi(words[1])
		p.options.LanguageVersion = metalrun.Version(n)
		return true, err
	case "define":
		p.options.Macros[words[1]] = strings.Join(words[2:], " ")
	case "fault":
		p.fault = strings.TrimPrefix(line, "fault ")
	case "open":
		p.open = true
	case "find":
		p.found = append(p.found, strings.TrimPrefix(line, "find "))
	default:
		return false, nil
	}
	return true, nil
}

func (p *program) setSemantics(words []string) error {
	for _, w := range words {
		switch w {
		case "contract":
			p.semantics.Contract = true
		case "flush":
			p.semantics.FlushSubnormals = true
		case "butterfly":
			p.semantics.SumOrder = sim.SumButterfly
		case "tree":
			p.semantics.SumOrder = sim.SumTree
		case "samevalue":
			p.semantics.SameValue = true
		case "impatient":
			p.semantics.Steps = 1 << 20
		default:
			return fmt.Errorf("unknown semantics %q", w)
		}
	}
	return nil
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

// setTexture binds a texture: its index, the type of its texels' scalars, the width, height,
// depth and number of layers with commas, and the scalars.
func (p *program) setTexture(words []string) error {
	index, err := strconv.Atoi(words[1])
	if err != nil {
		return err
	}
	extents := [4]int{1, 1, 1, 1}
	for i, n := range strings.Split(words[3], ",") {
		if extents[i], err = strconv.Atoi(n); err != nil {
			return err
		}
	}
	data, err := encode(words[2], words[4:])
	if err != nil {
		return err
	}
	size := metalrun.Size{X: extents[0], Y: extents[1], Z: extents[2]}
	texture := metalrun.NewTexture(metalrun.ArgInfo{Index: index, Size: 4 * sizes[words[2]]}, 0, size, extents[3])
	if texels := texture.Data[metalrun.TextureSizes:]; copy(texels, data) != len(texels) || len(data) != len(texels) {
		return fmt.Errorf("%d bytes of texels, want %d", len(data), len(texels))
	}
	p.dispatch.Textures = append(p.dispatch.Textures, texture)
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
	case "half":
		p.options.FunctionConstants[index] = float32(value(typ, bits))
	case "uchar", "ushort", "ulong":
		p.options.FunctionConstants[index] = bits
	default:
		p.options.FunctionConstants[index] = int64(bits)
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
			if len(data) == 0 {
				return nil, errors.New("nothing stands before " + w)
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

// bind puts all of data at an index.
func bind(index int, data []byte) metalrun.Binding {
	return metalrun.Binding{Index: index, Data: data, Length: len(data)}
}
