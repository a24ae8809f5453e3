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

// Bind puts the buffers of a dispatch on the device.
func (k *kernel) Bind(d metalrun.Dispatch) (metalrun.Bound, error) { return k.bind(d) }

func (k *kernel) bind(d metalrun.Dispatch) (*bound, error) {
	if err := k.ignored(); err != nil {
		return nil, err
	}
	if err := d.Check(k.maxThreads); err != nil {
		return nil, err
	}
	if !d.Whole() {
		return nil, metalrun.ErrWhole
	}
	if err := k.limits.checkMemory(k.info.Name, k.staticMemory, d.ThreadgroupMemory); err != nil {
		return nil, err
	}
	if err := k.limits.checkBindings(k.info.Args, d.Bindings); err != nil {
		return nil, err
	}
	b := &bound{kernel: k, dispatch: d, buffers: make([]id, len(d.Bindings))}
	if err := withPool(b.allocate); err != nil {
		b.Release()
		return nil, err
	}
	return b, nil
}

// bound is a dispatch whose buffers are on the device.
type bound struct {
	*kernel
	dispatch metalrun.Dispatch
	buffers  []id // by binding; 0 for what setBytes passes
}

func (b *bound) allocate() error {
	for i, binding := range b.dispatch.Bindings {
		if binding.Inline {
			continue
		}
		if b.buffers[i] = b.newBuffer(binding.Data); b.buffers[i] == 0 {
			return fmt.Errorf("device refused %d bytes for buffer %d", len(binding.Data), binding.Index)
		}
	}
	return nil
}

// newBuffer is a shared buffer that begins as a copy of data, guards and all.
// Metal has no empty buffers; an empty binding gets one that is never copied back.
func (b *bound) newBuffer(data []byte) id {
	if len(data) == 0 {
		return mtlDevice.NewBufferWithLength(b.device, 16, storageModeShared)
	}
	return mtlDevice.NewBufferWithBytes(b.device, unsafe.Pointer(&data[0]), uint(len(data)), storageModeShared)
}

// Run launches n times in one command buffer, without the bookkeeping that names the
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
		for i, binding := range b.dispatch.Bindings {
			if binding.Inline || len(binding.Data) == 0 {
				continue
			}
			contents := mtlBuffer.Contents(b.buffers[i])
			if contents == nil {
				return fmt.Errorf("device has no contents of buffer %d", binding.Index)
			}
			copy(binding.Data, unsafe.Slice((*byte)(contents), len(binding.Data)))
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
