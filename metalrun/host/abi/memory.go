package abi

import "metalconform/metalrun/host"

// Flags of a buffer.
const (
	flagWritten = 1 << iota
	flagUntracked
	flagHeap
)

var memoryFunctions = []Function{
	// flags: 1 its contents are given, 2 it is not tracked, 4 it is part of a heap.
	{"buffer(void *bytes, uint64_t length, uint64_t flags)", func(a arguments) uint64 {
		f := a.word(2)
		return handle(process().Buffer(a.bytes(0, 1), host.BufferOptions{Written: f&flagWritten != 0,
			Untracked: f&flagUntracked != 0, Heap: f&flagHeap != 0}))
	}},
	{"buffer_label(uint64_t buffer, const char *label)", of(func(b *host.Buffer,
		a arguments) {
		b.SetLabel(a.text(1))
	})},
	{"buffer_seen(uint64_t buffer)", of(func(b *host.Buffer, _ arguments) { b.Seen() })},
	{"buffer_modified(uint64_t buffer, uint64_t offset, uint64_t length)", of(func(b *host.Buffer, a arguments) {
		b.Modified(a.int(1), a.int(2))
	})},
	{"buffer_region(uint64_t buffer, uint64_t offset, uint64_t length, const char *name)",
		of(func(b *host.Buffer, a arguments) { b.Announce(a.int(1), a.int(2), a.text(3)) })},
	// guard is called with 1 when a command is about to use the buffer, with 0 when none does, and calls buffer_touched
	// for each access of the program since then.
	{"buffer_guard(uint64_t buffer, conform_function guard, void *context)", of(func(b *host.Buffer, a arguments) {
		back := a.back(1)
		b.Guard(func(on bool) { back(flag(on)) })
	})},
	{"buffer_touched(uint64_t buffer, uint64_t offset, uint64_t write)", of(func(b *host.Buffer, a arguments) {
		b.Touched(a.int(1), a.word(2) != 0)
	})},
	// back is called when no command needs the memory.
	{"buffer_release(uint64_t buffer, conform_function back, void *context)", of(func(b *host.Buffer, a arguments) {
		back := a.back(1)
		b.Release(func() { back(0) })
	})},
}
