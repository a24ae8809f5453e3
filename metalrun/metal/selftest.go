//go:build (darwin && !ios) || (linux && metaldouble)

package metal

import (
	"encoding/binary"
	"errors"
	"fmt"

	"metalconform/metalrun"
)

// selfTestSource is a kernel that takes everything a dispatch can bind.
const selfTestSource = `kernel void self_test(device uint *out [[buffer(0)]], constant uint &add [[buffer(1)]],
                      device uint *none [[buffer(2)]], threadgroup uint *s [[threadgroup(0)]],
                      uint i [[thread_position_in_grid]]) {
  s[0] = factor * i;
  out[i] = s[0] + add;
}
`

// selfTest sends every message that has to succeed once and looks at what comes of
// it, before a kernel is judged. A device that fails is of no use.
func (r *runner) selfTest() error {
	source := metalrun.SourceText("self_test.metal", "constant uint factor [[function_constant(0)]];\n"+selfTestSource)
	err := r.selfTestKernel(source, map[int]any{0: uint32(3)})
	if err == nil {
		err = r.selfTestKernel(metalrun.SourceText("self_test.metal", "constant uint factor = 3;\n"+selfTestSource),
			nil)
	}
	if err == nil {
		err = r.selfTestErrors()
	}
	if err == nil || errors.Is(err, metalrun.ErrUnusable) {
		return err
	}
	return fmt.Errorf("%w: self-test: %w", metalrun.ErrUnusable, err)
}

func (r *runner) selfTestKernel(source metalrun.Source, constants map[int]any) error {
	program, err := metalrun.Analyse(source, metalrun.CompileOptions{FunctionConstants: constants})
	if err != nil {
		return err
	}
	l, err := r.Compile(program)
	if err != nil {
		return err
	}
	defer l.Release()
	k, err := l.Kernel("self_test")
	if err != nil {
		return err
	}
	r.info.Facts.Threads, r.info.Facts.Width = k.MaxThreads(), k.(*kernel).width
	one, three := metalrun.Size{X: 1, Y: 1, Z: 1}, metalrun.Size{X: 3, Y: 1, Z: 1}
	for _, d := range []metalrun.Dispatch{{Threads: three, ThreadsPerThreadgroup: one},
		{Threadgroups: three, ThreadsPerThreadgroup: one}} {
		out := make([]byte, 12)
		d.Bindings = []metalrun.Binding{
			{Index: 0, Data: out, Length: len(out)},
			{Index: 1, Data: []byte{7, 0, 0, 0}, Length: 4, Inline: true},
			{Index: 2},
		}
		d.ThreadgroupMemory = []int{4}
		if _, err := k.Run(d); err != nil {
			return err
		}
		for i := range 3 {
			if got, want := binary.LittleEndian.Uint32(out[4*i:]), uint32(3*i+7); got != want {
				return fmt.Errorf("thread %d writes %d, want %d", i, got, want)
			}
		}
	}
	return nil
}

// selfTestErrors has the compiler refuse a source, which our front end would not have
// let pass, for the messages that errors are read by.
func (r *runner) selfTestErrors() error {
	return withPool(func() error {
		options, err := newObject("MTLCompileOptions")
		if err != nil {
			return err
		}
		defer release(options)
		if err := setOptions(options, metalrun.CompileOptions{}); err != nil {
			return err
		}
		text, err := newString("source", "kernel void wrong( {}\n")
		if err != nil {
			return err
		}
		var e id
		if l := mtlDevice.NewLibraryWithSource(r.device, text, options, &e); l != 0 {
			release(l)
			return errors.New("the compiler accepts a source that is ill-formed")
		}
		if failed := reason(e); e == 0 || failed.text == "" {
			return errors.New("the compiler refuses a source without a reason")
		}
		return nil
	})
}
