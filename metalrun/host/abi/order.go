package abi

import (
	"math"
	"time"

	"metalconform/metalrun/host"
)

var orderFunctions = []Function{
	{"fence()", func(arguments) uint64 { return handle(process().Fence()) }},
	{"wait_fence(uint64_t pass, uint64_t fence)", of(func(p pass,
		a arguments) {
		p.Wait(object[*host.Fence](a.word(1)))
	})},
	{"update_fence(uint64_t pass, uint64_t fence)", of(func(p pass, a arguments) {
		p.Update(object[*host.Fence](a.word(1)))
	})},
	{"event()", func(arguments) uint64 { return handle(process().Event()) }},
	{"event_value(uint64_t event)", func(a arguments) uint64 { return object[*host.Event](a.word(0)).Value() }},
	{"event_set(uint64_t event, uint64_t value)", of(func(e *host.Event, a arguments) { e.Set(a.word(1)) })},
	// Whether the value has come within so many milliseconds.
	{"event_wait(uint64_t event, uint64_t value, uint64_t milliseconds)", func(a arguments) uint64 {
		patience := time.Duration(math.MaxInt64)
		if n := a.word(2); n < uint64(patience/time.Millisecond) {
			patience = time.Duration(n) * time.Millisecond
		}
		return flag(object[*host.Event](a.word(0)).Wait(a.word(1), patience))
	}},
	{"event_listen(uint64_t event, uint64_t value, conform_function back, void *context)",
		of(func(e *host.Event, a arguments) { e.Listen(a.word(1), a.back(2)) })},
	{"signal(uint64_t buffer, uint64_t event, uint64_t value)", of(func(c commands, a arguments) {
		c.Signal(object[*host.Event](a.word(1)), a.word(2))
	})},
	{"wait(uint64_t buffer, uint64_t event, uint64_t value)", of(func(c commands, a arguments) {
		c.Wait(object[*host.Event](a.word(1)), a.word(2))
	})},
}
