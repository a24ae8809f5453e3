package abi

import (
	"metalconform/metalrun"
	"metalconform/metalrun/host"
)

type pass = *host.Pass

// size is three arguments.
func (a arguments) size(i int) metalrun.Size {
	return metalrun.Size{X: a.int(i), Y: a.int(i + 1), Z: a.int(i + 2)}
}

func (a arguments) buffer(i int) *host.Buffer { return object[*host.Buffer](a.word(i)) }

// handleList are the buffers of argument i, as many as argument i+1 says.
func (a arguments) buffers(i int) []*host.Buffer {
	var list []*host.Buffer
	for j := range a.int(i + 1) {
		list = append(list, arguments{a.pointer(i)}.buffer(j))
	}
	return list
}

var passFunctions = []Function{
	// kind: 0 serial, 1 concurrent, 2 blit.
	{"pass(uint64_t buffer, uint64_t kind)", func(a arguments) uint64 {
		return handle(object[commands](a.word(0)).Pass(host.PassKind(a.word(1))))
	}},
	{"pass_label(uint64_t pass, const char *label)", of(func(p pass, a arguments) { p.SetLabel(a.text(1)) })},
	{"push_group(uint64_t pass, const char *name)", of(func(p pass, a arguments) { p.PushGroup(a.text(1)) })},
	{"pop_group(uint64_t pass)", of(func(p pass, _ arguments) { p.PopGroup() })},
	{"set_pipeline(uint64_t pass, uint64_t pipeline)", of(func(p pass, a arguments) {
		p.SetPipeline(object[*host.Pipeline](a.word(1)))
	})},
	{"set_buffer(uint64_t pass, uint64_t buffer, uint64_t offset, uint64_t index)", of(func(p pass, a arguments) {
		p.SetBuffer(a.buffer(1), a.int(2), a.int(3))
	})},
	{"set_offset(uint64_t pass, uint64_t offset, uint64_t index)", of(func(p pass, a arguments) {
		p.SetOffset(a.int(1), a.int(2))
	})},
	{"set_bytes(uint64_t pass, const void *bytes, uint64_t length, uint64_t index)", of(func(p pass, a arguments) {
		p.SetBytes(a.bytes(1, 2), a.int(3))
	})},
	{"set_memory(uint64_t pass, uint64_t length, uint64_t index)", of(func(p pass, a arguments) {
		p.SetThreadgroupMemory(a.int(1), a.int(2))
	})},
	{"use(uint64_t pass, uint64_t buffer)", of(func(p pass, a arguments) { p.Use(a.buffer(1)) })},
	{"barrier(uint64_t pass)", of(func(p pass, _ arguments) { p.Barrier() })},
	{"barrier_of(uint64_t pass, const uint64_t *buffers, uint64_t count)", of(func(p pass, a arguments) {
		p.BarrierOf(a.buffers(1))
	})},
	{"dispatch(uint64_t pass, uint64_t x, uint64_t y, uint64_t z, uint64_t tx, uint64_t ty, uint64_t tz)",
		of(func(p pass, a arguments) { p.Dispatch(a.size(1), a.size(4)) })},
	{"dispatch_threads(uint64_t pass, uint64_t x, uint64_t y, uint64_t z, uint64_t tx, uint64_t ty, uint64_t tz)",
		of(func(p pass, a arguments) { p.DispatchThreads(a.size(1), a.size(4)) })},
	{"dispatch_indirect(uint64_t pass, uint64_t buffer, uint64_t offset, uint64_t tx, uint64_t ty, uint64_t tz)",
		of(func(p pass, a arguments) { p.DispatchIndirect(a.buffer(1), a.int(2), a.size(3)) })},
	{"copy(uint64_t pass, uint64_t from, uint64_t offset, uint64_t to, uint64_t at, uint64_t length)",
		of(func(p pass, a arguments) { p.Copy(a.buffer(1), a.int(2), a.buffer(3), a.int(4), a.int(5)) })},
	{"fill(uint64_t pass, uint64_t buffer, uint64_t offset, uint64_t length, uint64_t value)",
		of(func(p pass, a arguments) { p.Fill(a.buffer(1), a.int(2), a.int(3), byte(a.word(4))) })},
	{"end(uint64_t pass)", of(func(p pass, _ arguments) { p.End() })},
}
