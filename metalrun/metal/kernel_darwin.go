//go:build darwin && !ios

package metal

import (
	"fmt"
	"runtime"
	"time"
	"unsafe"

	"github.com/ebitengine/purego/objc"

	"metalconform/metalrun"
)

const (
	storageModeShared = uint(0) // MTLResourceStorageModeShared

	// MTLCommandBufferErrorOptionEncoderExecutionStatus: the error names the
	// state of the encoder that failed.
	errorOptionEncoderStatus = uint(1)

	statusCompleted = uint(4) // MTLCommandBufferStatusCompleted
)

// Codes of MTLCommandBufferError that the kernel itself causes.
const (
	errorTimeout       = 2
	errorPageFault     = 3
	errorStackOverflow = 12
)

// mtlSize is MTLSize: three NSUIntegers, passed by value.
type mtlSize struct{ Width, Height, Depth uint }

func toMTLSize(s metalrun.Size) mtlSize { return mtlSize{uint(s.X), uint(s.Y), uint(s.Z)} }

func (k *kernel) MaxThreads() int { return k.maxThreads }

func (k *kernel) Run(d metalrun.Dispatch) (outcome metalrun.Outcome, err error) {
	if err := d.Check(k.maxThreads); err != nil {
		return metalrun.Outcome{}, err
	}
	if !d.Whole() {
		return metalrun.Outcome{}, metalrun.ErrWhole
	}
	if err := k.checkMemory(d.ThreadgroupMemory); err != nil {
		return metalrun.Outcome{}, err
	}
	err = k.withPool(func() error {
		outcome, err = k.run(d)
		return err
	})
	return outcome, err
}

func (k *kernel) checkMemory(lengths []int) error {
	total := k.staticMemory
	for _, n := range lengths {
		if n > k.memory {
			return fmt.Errorf("threadgroup memory of %d bytes: the device has %d", n, k.memory)
		}
		total += mtlThreadgroupLength(n)
	}
	if total > k.memory {
		return fmt.Errorf("threadgroup memory of %d bytes in all, %d declared in %s: the device has %d", total, k.staticMemory, k.name, k.memory)
	}
	return nil
}

// run executes d in a command buffer of its own.
func (k *kernel) run(d metalrun.Dispatch) (metalrun.Outcome, error) {
	buffers := make([]objc.ID, len(d.Bindings))
	defer func() {
		for _, b := range buffers {
			b.Send(selRelease) // a message to nil does nothing
		}
	}()
	for i, b := range d.Bindings {
		if b.Inline {
			continue
		}
		if buffers[i] = k.newBuffer(b.Data); buffers[i] == 0 {
			return metalrun.Outcome{}, fmt.Errorf("device refused %d bytes for buffer %d", len(b.Data), b.Index)
		}
	}

	descriptor := newObject("MTLCommandBufferDescriptor")
	defer descriptor.Send(selRelease)
	descriptor.Send(selSetErrorOptions, errorOptionEncoderStatus)
	commands := k.queue.Send(selCommandBufferWithDescriptor, descriptor)
	if commands == 0 {
		return metalrun.Outcome{}, fmt.Errorf("device refused a command buffer")
	}
	encoder := commands.Send(selComputeCommandEncoder)
	if encoder == 0 {
		return metalrun.Outcome{}, fmt.Errorf("device refused a command encoder")
	}
	k.encode(encoder, buffers, d)
	commands.Send(selCommit)
	commands.Send(selWaitUntilCompleted)
	runtime.KeepAlive(d)
	if status := objc.Send[uint](commands, selStatus); status != statusCompleted {
		return metalrun.Outcome{}, k.commandError(status, commands.Send(selError))
	}

	for i, b := range d.Bindings {
		if !b.Inline && len(b.Data) > 0 {
			contents := objc.Send[unsafe.Pointer](buffers[i], selContents)
			copy(b.Data, unsafe.Slice((*byte)(contents), len(b.Data)))
		}
	}
	seconds := objc.Send[float64](commands, selGPUEndTime) - objc.Send[float64](commands, selGPUStartTime)
	return metalrun.Outcome{Duration: time.Duration(seconds * float64(time.Second))}, nil
}

// newBuffer is a shared buffer that begins as a copy of data, guards and all.
// Metal has no empty buffers; an empty binding gets one that is never copied back.
func (k *kernel) newBuffer(data []byte) objc.ID {
	if len(data) == 0 {
		return k.device.Send(selNewBufferWithLength, uint(16), storageModeShared)
	}
	return k.device.Send(selNewBufferWithBytes, unsafe.Pointer(&data[0]), uint(len(data)), storageModeShared)
}

func (k *kernel) encode(encoder objc.ID, buffers []objc.ID, d metalrun.Dispatch) {
	encoder.Send(selSetComputePipelineState, k.pipeline)
	for i, b := range d.Bindings {
		switch {
		case b.Inline:
			encoder.Send(selSetBytes, unsafe.Pointer(&b.Data[b.Offset]), uint(b.Length), uint(b.Index))
		case b.Offset == len(b.Data): // an empty window; Metal wants the offset inside
			encoder.Send(selSetBuffer, buffers[i], uint(0), uint(b.Index))
		default:
			encoder.Send(selSetBuffer, buffers[i], uint(b.Offset), uint(b.Index))
		}
	}
	for i, n := range d.ThreadgroupMemory {
		if n > 0 {
			encoder.Send(selSetThreadgroupMemoryLength, uint(mtlThreadgroupLength(n)), uint(i))
		}
	}
	if d.Threads != (metalrun.Size{}) {
		encoder.Send(selDispatchThreads, toMTLSize(d.Threads), toMTLSize(d.ThreadsPerThreadgroup))
	} else {
		encoder.Send(selDispatchThreadgroups, toMTLSize(d.Threadgroups), toMTLSize(d.ThreadsPerThreadgroup))
	}
	encoder.Send(selEndEncoding)
}

// commandError is the failure of a command buffer: a Fault if the kernel
// caused it. The device does not say where, so the position is the kernel's.
func (k *kernel) commandError(status uint, nserr objc.ID) error {
	if nserr == 0 {
		return fmt.Errorf("running %s: command buffer ended in status %d without an error", k.name, status)
	}
	switch objc.Send[int](nserr, selCode) {
	case errorTimeout, errorPageFault, errorStackOverflow:
		return &metalrun.Fault{Position: k.position(), Kernel: k.name, Message: goString(nserr, selDescription)}
	}
	return fmt.Errorf("running %s: %s", k.name, goString(nserr, selDescription))
}

// position is where the kernel is declared.
func (k *kernel) position() metalrun.Position {
	kernels, _ := k.program.Kernels()
	for _, info := range kernels {
		if info.Name == k.name {
			return info.Position
		}
	}
	return metalrun.Position{File: k.library.name(), Line: 1, Col: 1}
}
