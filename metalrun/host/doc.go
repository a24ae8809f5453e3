// Package host is the compute part of Metal's interface, in Go, on the simulator. A program that uses Metal runs on
// Linux through three layers:
//
//   - This package has everything that can be decided without Objective-C: devices, libraries, pipelines, buffers,
//     heaps, queues, command buffers, encoders, fences, events, their validation, and the checks across dispatches. Its
//     tests are programs in Go.
//   - Package host/library exports it to C, as a shared library that needs cgo.
//   - The directory objc has the classes of Metal, the parts of libdispatch and of the Objective-C runtime that Debian
//     lacks, and the headers. Its objects hold a handle of the layer below and decide nothing.
//
// Data structures: a [Host] is one process with one [Device]. A [Queue] has a goroutine that executes its
// [CommandBuffer]s in the order in which they were enqueued. A command buffer is a list of steps: a [Pass], which is
// what one encoder has recorded, a signal, or a wait. Memory is known by its address: buffers of a heap that alias
// share bytes. The ledger has, for each executed command, the spans of bytes that it really read and wrote.
//
// Invariants: one command executes at a time, so a result depends on the order of the queues alone. Commands are
// executed where the buffers of the program lie, and nothing is copied. A mistake of the program becomes a [Finding],
// and what a GPU would most likely do happens: the program goes on.
//
// The rule of the layer: host knows programs and launches. It knows no oracle and judges no value.
package host
