package abi

import (
	"math"
	"time"

	"metalconform/metalrun/host"
)

type commands = *host.CommandBuffer

var queueFunctions = []Function{
	{"queue()", func(arguments) uint64 { return handle(process().Queue()) }},
	{"command_buffer(uint64_t queue, uint64_t unretained)", func(a arguments) uint64 {
		return handle(object[*host.Queue](a.word(0)).CommandBuffer(a.word(1) != 0))
	}},
	{"command_buffer_label(uint64_t buffer, const char *label)", of(func(c commands,
		a arguments) {
		c.Label = a.text(1)
	})},
	{"enqueue(uint64_t buffer)", of(func(c commands, _ arguments) { c.Enqueue() })},
	{"commit(uint64_t buffer)", of(func(c commands, _ arguments) { c.Commit() })},
	{"wait_scheduled(uint64_t buffer)", of(func(c commands, _ arguments) { c.WaitUntilScheduled() })},
	{"wait_completed(uint64_t buffer)", of(func(c commands, _ arguments) { c.WaitUntilCompleted() })},
	{"status(uint64_t buffer)", func(a arguments) uint64 { return uint64(object[commands](a.word(0)).Status()) }},
	// The length of the text of an error, or 0.
	{"command_buffer_error(uint64_t buffer, char *out, uint64_t room)", func(a arguments) uint64 {
		if err := object[commands](a.word(0)).Err(); err != nil {
			return a.put(1, err.Error())
		}
		return 0
	}},
	// The bits of a double: seconds of the beginning, or of the end.
	{"time(uint64_t buffer, uint64_t end)", func(a arguments) uint64 {
		begin, end := object[commands](a.word(0)).Times()
		if a.word(1) != 0 {
			begin = end
		}
		if begin.IsZero() {
			return 0
		}
		return math.Float64bits(begin.Sub(started).Seconds())
	}},
	{"completed(uint64_t buffer, conform_function back, void *context)", of(func(c commands, a arguments) {
		back := a.back(1)
		c.OnCompletion(func() { back(0) })
	})},
	{"at_end(uint64_t buffer, conform_function back, void *context)", of(func(c commands, a arguments) {
		back := a.back(1)
		c.AtEnd(func() { back(0) })
	})},
	{"scheduled(uint64_t buffer, conform_function back, void *context)", of(func(c commands, a arguments) {
		back := a.back(1)
		c.OnSchedule(func() { back(0) })
	})},
}

// started is the zero of the clock.
var started = time.Now().Add(-time.Second)
