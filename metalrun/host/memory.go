package host

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// Buffer is memory of the program that kernels may access.
type Buffer struct {
	host     *Host
	label    atomic.Pointer[string]
	bytes    []byte
	options  BufferOptions
	released atomic.Bool
	pending  atomic.Int64 // command buffers that need it and have not completed
	free     atomic.Pointer[func()]
	flight   flight

	regionsMu sync.Mutex
	regions   []region // apart
}

// BufferOptions are how the memory of a buffer is made.
type BufferOptions struct {
	Written   bool // the program has given the contents
	Untracked bool // Metal does not order accesses to it
	Heap      bool // it is part of a heap
}

// Buffer makes a buffer of bytes.
func (h *Host) Buffer(bytes []byte, o BufferOptions) *Buffer {
	b := &Buffer{host: h, bytes: bytes, options: o}
	h.ledger.allocate(b)
	return b
}

// SetLabel names the buffer in findings.
func (b *Buffer) SetLabel(s string) { b.label.Store(&s) }

// Label is the name of the buffer, or "".
func (b *Buffer) Label() string {
	if s := b.label.Load(); s != nil {
		return *s
	}
	return ""
}

// Length is the number of bytes.
func (b *Buffer) Length() int { return len(b.bytes) }

// Seen notes that the program has a pointer to the contents: it may write them at any time.
func (b *Buffer) Seen() { b.host.ledger.written(b.span(0, len(b.bytes))) }

// Modified notes that the program has written a part of the contents.
func (b *Buffer) Modified(offset, length int) { b.host.ledger.written(b.span(offset, length)) }

// Release ends the life of the buffer. free is called when no command needs the memory.
func (b *Buffer) Release(free func()) {
	b.free.Store(&free)
	b.released.Store(true)
	if b.pending.Load() == 0 {
		b.release()
	}
}

// release gives the memory back.
func (b *Buffer) release() {
	if free := b.free.Swap(nil); free != nil {
		b.host.ledger.forget(b.span(0, len(b.bytes)))
		(*free)()
	}
}

// hold keeps the memory for a command buffer, and unhold lets it go.
func (b *Buffer) hold() { b.pending.Add(1) }

func (b *Buffer) unhold() {
	if b.pending.Add(-1) == 0 && b.released.Load() {
		b.release()
	}
}

// base is the address of the first byte.
func (b *Buffer) base() uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b.bytes))) }

// span is a part of the buffer by its addresses.
func (b *Buffer) span(offset, length int) span {
	return span{b.base() + uintptr(offset), b.base() + uintptr(offset+length)}
}

// name is what findings call the buffer.
func (b *Buffer) name() string {
	if s := b.Label(); s != "" {
		return "buffer '" + s + "'"
	}
	return "a buffer"
}
