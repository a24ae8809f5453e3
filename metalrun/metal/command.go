//go:build (darwin && !ios) || (linux && metaldouble)

package metal

import (
	"errors"
	"fmt"
	"runtime"
	"time"
	"unsafe"

	"metalconform/metalrun"
)

const (
	// MTLCommandBufferErrorOption: with the second, the error names the state of the
	// encoder that failed, which costs time.
	errorOptionNone          = uint(0)
	errorOptionEncoderStatus = uint(1)

	statusCompleted = uint(4) // MTLCommandBufferStatusCompleted
)

// submit launches the sequence n times in one command buffer and waits for the last.
func (b *bound) submit(n int, options uint) (outcome metalrun.Outcome, err error) {
	err = withPool(func() error {
		outcome, err = b.execute(n, options)
		return err
	})
	var fault *metalrun.Fault
	if errors.As(err, &fault) || errors.Is(err, metalrun.ErrLost) {
		b.lost.CompareAndSwap(nil, &err)
	}
	return outcome, err
}

func (b *bound) execute(n int, options uint) (metalrun.Outcome, error) {
	descriptor, err := newObject("MTLCommandBufferDescriptor")
	if err != nil {
		return metalrun.Outcome{}, err
	}
	defer release(descriptor)
	mtlCommandBufferDescriptor.SetErrorOptions(descriptor, options)
	commands := mtlCommandQueue.CommandBufferWithDescriptor(b.queue, descriptor)
	if commands == 0 {
		return metalrun.Outcome{}, errors.New("device refused a command buffer")
	}
	encoder := mtlCommandBuffer.ComputeCommandEncoder(commands)
	if encoder == 0 {
		return metalrun.Outcome{}, errors.New("device refused a command encoder")
	}
	b.encode(encoder, n)
	begin := time.Now()
	mtlCommandBuffer.Commit(commands)
	mtlCommandBuffer.WaitUntilCompleted(commands)
	wall := time.Since(begin)
	runtime.KeepAlive(b.sequence)
	if status := mtlCommandBuffer.Status(commands); status != statusCompleted {
		return metalrun.Outcome{}, b.failure(status, mtlCommandBuffer.Error(commands))
	}
	return timed(mtlCommandBuffer.GPUStartTime(commands), mtlCommandBuffer.GPUEndTime(commands), wall), nil
}

// encode launches the sequence n times. The arguments of a single dispatch stay set.
func (b *bound) encode(encoder id, n int) {
	mtlComputeCommandEncoder.SetComputePipelineState(encoder, b.pipeline)
	for r := range n {
		for i, d := range b.sequence {
			if r == 0 || len(b.sequence) > 1 {
				b.setArguments(encoder, i)
			}
			launch(encoder, d)
		}
	}
	mtlComputeCommandEncoder.EndEncoding(encoder)
}

func launch(encoder id, d metalrun.Dispatch) {
	if d.Threads != (metalrun.Size{}) {
		mtlComputeCommandEncoder.DispatchThreads(encoder, toMTLSize(d.Threads), toMTLSize(d.ThreadsPerThreadgroup))
	} else {
		mtlComputeCommandEncoder.DispatchThreadgroups(encoder, toMTLSize(d.Threadgroups),
			toMTLSize(d.ThreadsPerThreadgroup))
	}
}

// setArguments sets those of one dispatch of the sequence.
func (b *bound) setArguments(encoder id, dispatch int) {
	d, at := b.sequence[dispatch], b.at[dispatch]
	for i, binding := range d.Bindings {
		index := uint(binding.Index)
		switch {
		case binding.Inline:
			mtlComputeCommandEncoder.SetBytes(encoder, unsafe.Pointer(&binding.Data[binding.Offset]),
				uint(binding.Length), index)
		case binding.Offset == len(binding.Data): // an empty window; Metal wants the offset inside
			mtlComputeCommandEncoder.SetBuffer(encoder, b.buffers[at[i]], 0, index)
		default:
			mtlComputeCommandEncoder.SetBuffer(encoder, b.buffers[at[i]], uint(binding.Offset), index)
		}
	}
	for i, length := range d.ThreadgroupMemory {
		if length > 0 {
			mtlComputeCommandEncoder.SetThreadgroupMemoryLength(encoder, uint(mtlThreadgroupLength(length)), uint(i))
		}
	}
}

// failure is why a command buffer did not complete.
func (b *bound) failure(status uint, e id) error {
	if e == 0 {
		return fmt.Errorf("%w: running %s: command buffer ended in status %d without an error", metalrun.ErrLost,
			b.info.Name, status)
	}
	return reason(e).commandError(b.info.Name, b.info.Position)
}
