// Package runnertest has a runner whose kernels are functions in Go, for tests of packages that drive a runner.
//
// A test gives a function for each entry point. The function sees a dispatch as [Memory] and writes what the kernel
// would. No source is executed, so that a test decides each bit.
//
// The rule of the layer: tests alone import it, and it knows metalrun alone.
package runnertest

import (
	"encoding/binary"
	"errors"
	"math"
	"sync/atomic"
	"time"

	"metalconform/metalrun"
)

// Functions are those of entry points.
type Functions = map[string]func(metalrun.Dispatch) error

// Runner runs Go functions in place of kernels.
type Runner struct {
	Kernels  Functions
	Compiled atomic.Int32
	Refuse   error          // what Compile returns
	Clock    metalrun.Clock // of outcomes
}

// Device names the runner.
func (r *Runner) Device() metalrun.Device { return metalrun.Device{Backend: "fake", Name: "Go"} }

// Close has nothing to close.
func (r *Runner) Close() error { return nil }

// Compile gives the functions, whatever the program is.
func (r *Runner) Compile(*metalrun.Program) (metalrun.Library, error) {
	r.Compiled.Add(1)
	if r.Refuse != nil {
		return nil, r.Refuse
	}
	return library{r}, nil
}

type library struct{ *Runner }

func (l library) Release() {}
func (l library) Kernel(name string) (metalrun.Kernel, error) {
	f, ok := l.Kernels[name]
	if !ok {
		return nil, errors.New("no entry point " + name)
	}
	return Kernel{f, l.Clock}, nil
}

// Kernel is a function in place of a kernel.
type Kernel struct {
	Do    func(metalrun.Dispatch) error
	Clock metalrun.Clock // of outcomes
}

// MaxThreads is that of most GPUs.
func (k Kernel) MaxThreads() int { return 1024 }

// Run calls the function.
func (k Kernel) Run(d metalrun.Dispatch) (metalrun.Outcome, error) {
	return metalrun.Outcome{Duration: time.Microsecond, Clock: k.Clock}, k.Do(d)
}

// Memory is what a fake kernel sees of a dispatch: f32 and u32 words of a
// binding, which a fault may also index outside its window.
type Memory struct{ metalrun.Dispatch }

func (m Memory) word(index, i int) []byte {
	b := m.Bindings[index]
	return b.Data[b.Offset+4*i:]
}

// Bits is word i of a binding.
func (m Memory) Bits(index, i int) uint32 { return binary.LittleEndian.Uint32(m.word(index, i)) }

// F32 is the same as a float.
func (m Memory) F32(index, i int) float32 { return math.Float32frombits(m.Bits(index, i)) }

// SetBits writes word i of a binding.
func (m Memory) SetBits(index, i int, w uint32) {
	binary.LittleEndian.PutUint32(m.word(index, i), w)
}

// Set writes a float.
func (m Memory) Set(index, i int, x float32) { m.SetBits(index, i, math.Float32bits(x)) }

// BF16 is bfloat i of a binding.
func (m Memory) BF16(index, i int) float32 {
	b := m.Bindings[index]
	return math.Float32frombits(uint32(binary.LittleEndian.Uint16(b.Data[b.Offset+2*i:])) << 16)
}

// Count is the number of words of a binding.
func (m Memory) Count(index int) int { return m.Bindings[index].Length / 4 }
