//go:build (darwin && !ios) || (linux && metaldouble)

package metal

import (
	"fmt"
	"unsafe"

	"metalconform/metalrun"
)

const storageModeShared = uint(0) // MTLResourceStorageModeShared

func toMTLSize(s metalrun.Size) mtlSize { return mtlSize{uint(s.X), uint(s.Y), uint(s.Z)} }

func (k *kernel) MaxThreads() int { return k.maxThreads }

// Pipeline is what Metal says of the kernel.
func (k *kernel) Pipeline() metalrun.Pipeline {
	return metalrun.Pipeline{Threads: k.maxThreads, Width: k.width, ThreadgroupMemory: k.staticMemory}
}

// Run launches once, in a command buffer of its own.
func (k *kernel) Run(d metalrun.Dispatch) (metalrun.Outcome, error) {
	b, err := k.bind(d)
	if err != nil {
		return metalrun.Outcome{}, err
	}
	defer b.Release()
	outcome, err := b.submit(1, errorOptionEncoderStatus)
	if err != nil {
		return metalrun.Outcome{}, err
	}
	return outcome, b.Read()
}

// Bind puts the buffers of a sequence of dispatches on the device.
func (k *kernel) Bind(sequence ...metalrun.Dispatch) (metalrun.Bound, error) {
	return k.bind(sequence...)
}

func (k *kernel) bind(sequence ...metalrun.Dispatch) (*bound, error) {
	if err := k.ignored(); err != nil {
		return nil, err
	}
	for _, d := range sequence {
		if err := k.check(d); err != nil {
			return nil, err
		}
	}
	b := &bound{kernel: k, sequence: sequence}
	b.memory, b.at = metalrun.Memory(sequence)
	b.buffers = make([]id, len(b.memory))
	if err := withPool(b.allocate); err != nil {
		b.Release()
		return nil, err
	}
	return b, nil
}

// check refuses a dispatch that the device cannot take.
func (k *kernel) check(d metalrun.Dispatch) error {
	if err := d.Check(max(k.maxThreads, mostThreads)); err != nil {
		return err
	}
	if err := checkThreads(k.info, k.maxThreads, d.ThreadsPerThreadgroup.Count()); err != nil {
		return err
	}
	if len(d.Textures) > 0 {
		return fmt.Errorf("textures are bound by the simulator alone")
	}
	if !d.Whole() {
		return metalrun.ErrWhole
	}
	if err := k.limits.checkMemory(k.info.Name, k.staticMemory, d.ThreadgroupMemory); err != nil {
		return err
	}
	return k.limits.checkBindings(k.info.Args, d.Bindings)
}

// bound is a sequence of dispatches whose buffers are on the device.
type bound struct {
	*kernel
	sequence []metalrun.Dispatch
	memory   [][]byte
	at       [][]int // in memory and in buffers, by dispatch and binding
	buffers  []id
}

func (b *bound) allocate() error {
	for i, data := range b.memory {
		if b.buffers[i] = b.newBuffer(data, b.pointee(i)); b.buffers[i] == 0 {
			return fmt.Errorf("device refused %d bytes for buffer %d", len(data), b.index(i))
		}
	}
	return nil
}

// index is the first entry of the argument table that a buffer is bound to.
func (b *bound) index(buffer int) int {
	for n, d := range b.sequence {
		for i, binding := range d.Bindings {
			if !binding.Inline && b.at[n][i] == buffer {
				return binding.Index
			}
		}
	}
	return -1 // every buffer is of some binding
}

// pointee is the size of what the kernel's arguments point to in a buffer, the largest of several.
func (b *bound) pointee(buffer int) (size int) {
	for n, d := range b.sequence {
		for i, binding := range d.Bindings {
			if binding.Inline || b.at[n][i] != buffer {
				continue
			}
			for _, a := range b.info.Args {
				if a.Kind == metalrun.BufferArg && a.Index == binding.Index {
					size = max(size, a.Size)
				}
			}
		}
	}
	return size
}

// newBuffer is a shared buffer that begins as a copy of data, guards and all.
// Metal has no empty buffers, and its validation wants room for one element: an empty binding gets
// a buffer of an element, which is never copied back.
func (b *bound) newBuffer(data []byte, element int) id {
	if len(data) == 0 {
		return mtlDevice.NewBufferWithLength(b.device, uint(max(element, 16)), storageModeShared)
	}
	return mtlDevice.NewBufferWithBytes(b.device, unsafe.Pointer(&data[0]), uint(len(data)), storageModeShared)
}

// Run launches the sequence n times in one command buffer, without the bookkeeping that names the
// encoder of a failure.
func (b *bound) Run(n int) (metalrun.Outcome, error) {
	if n < 1 {
		return metalrun.Outcome{}, fmt.Errorf("%d launches: want at least 1", n)
	}
	if err := b.ignored(); err != nil {
		return metalrun.Outcome{}, err
	}
	return b.submit(n, errorOptionNone)
}

// Read copies the buffers back.
func (b *bound) Read() error {
	return withPool(func() error {
		for i, data := range b.memory {
			contents := mtlBuffer.Contents(b.buffers[i])
			if contents == nil {
				return fmt.Errorf("device has no contents of buffer %d", b.index(i))
			}
			copy(data, unsafe.Slice((*byte)(contents), len(data)))
		}
		return nil
	})
}

// Release frees the buffers, once.
func (b *bound) Release() {
	withPool(func() error {
		release(b.buffers...)
		return nil
	})
	b.buffers = nil
}
