//go:build linux && metaldouble

package fake

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
)

func init() { open() }

var (
	setPlan func(string)
	live    func() int
	sends   func() int
	option  func(int32) uint
)

// Plan replaces what the environment's METAL_DOUBLE says, and restarts the device.
func Plan(entries string) { setPlan(entries + "\x00") }

// Live is the number of Metal's objects that have not been released.
func Live() int { return live() }

// Sends is the number of messages that Metal's objects have got.
func Sends() int { return sends() }

// Options are what the last compilation and the last command buffer were asked for.
func Options() (version, mode, functions, errorOptions uint) {
	return option(0), option(1), option(2), option(3)
}

// open loads the library, where METAL_DOUBLE_LIBRARY names one, and gives it the
// simulator to execute on.
func open() {
	path := os.Getenv("METAL_DOUBLE_LIBRARY")
	if path == "" {
		return
	}
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		fmt.Fprintln(os.Stderr, "double of Metal:", err)
		os.Exit(3)
	}
	purego.RegisterLibFunc(&setPlan, handle, "fake_plan")
	purego.RegisterLibFunc(&live, handle, "fake_live")
	purego.RegisterLibFunc(&sends, handle, "fake_sends")
	purego.RegisterLibFunc(&option, handle, "fake_option")
	var hooks func(compile, kernel, constant, specialise, run uintptr)
	purego.RegisterLibFunc(&hooks, handle, "fake_hooks")
	d := &device{}
	hooks(purego.NewCallback(d.compile), purego.NewCallback(d.kernel), purego.NewCallback(d.constant),
		purego.NewCallback(d.specialise), purego.NewCallback(d.run))
}

// device is the double's compiler and GPU. Handles are indices from 1.
type device struct {
	mu        sync.Mutex
	libraries []unit
	kernels   []kernel
	constants map[int]any // for the next specialisation
}

type unit struct {
	program *metalrun.Program
	library metalrun.Library
}

type kernel struct {
	metalrun.Kernel
	name string
}

const logSize = 1 << 16 // of the buffers that texts of errors go to

// compile answers with a handle, or 0 and a log as Metal's compiler writes it.
func (d *device) compile(source unsafe.Pointer, version uint64, mode, functions int64, log unsafe.Pointer) uintptr {
	opts := metalrun.CompileOptions{
		LanguageVersion: metalrun.Version(version>>16*100 + version&0xffff*10),
		MathMode:        metalrun.MathMode(mode), FastFunctions: functions == 0,
	}
	program, err := metalrun.Analyse(metalrun.SourceText("program_source", text(source)), opts)
	if err != nil {
		put(log, compilerLog(err))
		return 0
	}
	return d.add(program)
}

func (d *device) add(program *metalrun.Program) uintptr {
	l, err := sim.New(sim.Semantics{Count: true}).Compile(program)
	if err != nil {
		panic(err) // the simulator compiles kernels when they are asked for
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.libraries = append(d.libraries, unit{program, l})
	return uintptr(len(d.libraries))
}

func compilerLog(err error) string {
	var list metalrun.Diagnostics
	if !errors.As(err, &list) {
		return err.Error()
	}
	var b strings.Builder
	for _, x := range list {
		fmt.Fprintf(&b, "program_source:%d:%d: error: %s\nsource line\n%*s\n", x.Line, x.Col, x.Message, x.Col, "^")
	}
	return b.String()
}

// constant collects one value of a function constant: type is the letter of its type
// encoding.
func (d *device) constant(_, index, letter uint64, value unsafe.Pointer) uintptr {
	b := unsafe.Slice((*byte)(value), 8)
	le := binary.LittleEndian
	var v any
	switch byte(letter) {
	case 'f':
		v = math.Float32frombits(le.Uint32(b))
	case 'i':
		v = int32(le.Uint32(b))
	case 'I':
		v = le.Uint32(b)
	case 's':
		v = int16(le.Uint16(b))
	case 'S':
		v = le.Uint16(b)
	case 'c':
		v = int8(b[0])
	case 'C':
		v = b[0]
	case 'B':
		v = b[0] != 0
	case 'q':
		v = int64(le.Uint64(b))
	case 'Q':
		v = le.Uint64(b)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.constants == nil {
		d.constants = map[int]any{}
	}
	d.constants[int(index)] = v
	return 0
}

// specialise answers with the handle of the library with the constants collected.
func (d *device) specialise(handle uint64, log unsafe.Pointer) uintptr {
	d.mu.Lock()
	u, constants := d.libraries[handle-1], d.constants
	d.constants = nil
	d.mu.Unlock()
	program, err := u.program.Specialise(u.program.Options().Math(), constants)
	if err != nil {
		put(log, compilerLog(err))
		return 0
	}
	return d.add(program)
}

const maxArguments = 62 // of a kernel, in both argument tables

// kernelInfo is fake_kernel of fake.h.
type kernelInfo struct {
	handle, maxThreads, staticMemory, count uint64
	arguments                               [maxArguments]struct{ index, align, size, constant, threadgroup uint64 }
	name, features                          [256]byte
	family                                  uint64
}

// families are the first of Apple's families that have a feature, of Apple's table of
// feature sets: quad-scoped and SIMD-scoped permute, reduction and matrix multiply,
// floating-point and 64-bit atomics. It has no row for bfloat, which is here because
// the paravirtual device, of family 5, lacks it.
var families = map[metalrun.Feature]uint64{
	metalrun.QuadShuffles: 4, metalrun.SimdShuffles: 6, metalrun.Bfloat: 6, metalrun.QuadSums: 7, metalrun.SimdSums: 7,
	metalrun.SimdMatrices: 7,
	metalrun.FloatAtomics: 7, metalrun.LongAtomics: 8,
}

func (d *device) kernel(handle uint64, name, out unsafe.Pointer) uintptr {
	d.mu.Lock()
	u := d.libraries[handle-1]
	d.mu.Unlock()
	infos, err := u.program.Kernels()
	if err != nil {
		return 0
	}
	k, err := u.library.Kernel(text(name))
	if err != nil {
		return 0
	}
	answer := (*kernelInfo)(out)
	for _, info := range infos {
		if info.Name != text(name) {
			continue
		}
		answer.maxThreads, answer.staticMemory = uint64(k.MaxThreads()), uint64(info.StaticThreadgroupMemory)
		copy(answer.name[:len(answer.name)-1], info.Name)
		text := " "
		for _, f := range info.Features {
			text += string(f) + " "
			answer.family = max(answer.family, families[f])
		}
		copy(answer.features[:len(answer.features)-1], text)
		for _, a := range info.Args {
			argument := &answer.arguments[answer.count]
			answer.count++
			argument.index, argument.align = uint64(a.Index), uint64(max(a.Align, 1))
			argument.size = uint64(a.Size) // Metal wants room for what a pointer points to, too
			argument.constant, argument.threadgroup = flag(a.Constant), flag(a.Kind == metalrun.ThreadgroupArg)
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.kernels = append(d.kernels, kernel{k, text(name)})
	answer.handle = uint64(len(d.kernels))
	return uintptr(answer.handle)
}

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// dispatch is fake_dispatch of fake.h.
type dispatch struct {
	kernel, threads uint64
	buffers         [31]struct {
		bound, offset, length, inline uint64
		data                          unsafe.Pointer
	}
	memory      [31]uint64
	grid, group [3]uint64
	seconds     float64
	fault       [4096]byte
}

// run executes one dispatch where its buffers lie.
func (d *device) run(p unsafe.Pointer) uintptr {
	x := (*dispatch)(p)
	size := func(v [3]uint64) metalrun.Size { return metalrun.Size{X: int(v[0]), Y: int(v[1]), Z: int(v[2])} }
	g := metalrun.Dispatch{ThreadsPerThreadgroup: size(x.group)}
	for i, b := range x.buffers {
		if b.bound == 0 {
			continue
		}
		n := int(b.offset + b.length)
		g.Bindings = append(g.Bindings, metalrun.Binding{
			Index: i, Data: unsafe.Slice((*byte)(b.data), n), Offset: int(b.offset), Length: int(b.length),
			Inline: b.inline != 0,
		})
	}
	for _, n := range x.memory {
		g.ThreadgroupMemory = append(g.ThreadgroupMemory, int(n))
	}
	if x.threads != 0 {
		g.Threads = size(x.grid)
	} else {
		g.Threadgroups = size(x.grid)
	}
	d.mu.Lock()
	k := d.kernels[x.kernel-1]
	d.mu.Unlock()
	begin := time.Now()
	outcome, err := k.Run(g)
	if outcome.Work != nil {
		x.seconds = busy(*outcome.Work).Seconds()
		time.Sleep(busy(*outcome.Work) - time.Since(begin)) // times longer than the host has waited are not believed
	}
	if err != nil {
		put(unsafe.Pointer(&x.fault), err.Error()[:min(len(err.Error()), len(x.fault)-1)])
	}
	return 0
}

// The clock of the double goes by work, so that no test depends on what else its machine does. The
// figures are about those of the simulator.
const (
	perLaunch    = 30 * time.Microsecond
	perOperation = 0.5   // ns
	perByte      = 0.125 // ns
)

// busy is how long the double's GPU takes for work.
func busy(w metalrun.Work) time.Duration {
	bytes := w.Device + w.Shared + w.Constant + w.Privates
	return time.Duration(w.Launches)*perLaunch +
		time.Duration(perOperation*float64(w.Operations())+perByte*float64(bytes))
}

// text is a C string.
func text(p unsafe.Pointer) string {
	n := 0
	for *(*byte)(unsafe.Add(p, n)) != 0 {
		n++
	}
	return string(unsafe.Slice((*byte)(p), n))
}

// put writes a C string to a buffer that has room for it.
func put(p unsafe.Pointer, s string) {
	s = s[:min(len(s), logSize-1)] + "\x00"
	copy(unsafe.Slice((*byte)(p), len(s)), s)
}
