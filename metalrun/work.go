package metalrun

// Work is what launches did, counted on a device that counts ([Outcome]): the same numbers
// on any machine. They say little about the time that a GPU takes.
//
// The work is that of the code after a compiler. A load of the same address counts once if
// nothing between may have written there. A computation that is the same in all iterations of
// a loop counts once before it. What nothing reads does not count, and nor does a store that
// another overwrites first. Copies, addresses and products that a sum takes in are free. So
// two ways to write the same code count the same.
//
// An operation is an instruction of one thread. An instruction that a simdgroup takes counts
// once, however many of its threads are active.
type Work struct {
	Launches     int64 `json:"launches"`
	Instructions int64 `json:"instructions"` // of simdgroups, operations and accesses to memory

	Floating  int64 `json:"floating,omitempty"`  // operations: sums, products and fused ones, comparisons, conversions
	Integer   int64 `json:"integer,omitempty"`   // the same of integers, bools and addresses
	Functions int64 `json:"functions,omitempty"` // quotients and functions of the standard library
	Products  int64 `json:"products,omitempty"`  // multiply-adds of matrix products
	Simdgroup int64 `json:"simdgroup,omitempty"` // communication in a simdgroup, of each thread
	Atomics   int64 `json:"atomics,omitempty"`   // of each thread
	Barriers  int64 `json:"barriers,omitempty"`  // that simdgroups have waited at
	Device    int64 `json:"device,omitempty"`    // bytes that threads have read and written in device memory
	Shared    int64 `json:"shared,omitempty"`    // the same in threadgroup memory
	Constant  int64 `json:"constant,omitempty"`  // bytes read in constant memory
	Privates  int64 `json:"privates,omitempty"`  // bytes read and written in arrays of a thread
}

// Operations are those of all threads and classes.
func (w Work) Operations() int64 {
	return w.Floating + w.Integer + w.Functions + w.Products + w.Simdgroup
}

// Add takes in other work.
func (w *Work) Add(o Work) {
	w.Launches += o.Launches
	w.Instructions += o.Instructions
	w.Floating += o.Floating
	w.Integer += o.Integer
	w.Functions += o.Functions
	w.Products += o.Products
	w.Simdgroup += o.Simdgroup
	w.Atomics += o.Atomics
	w.Barriers += o.Barriers
	w.Device += o.Device
	w.Shared += o.Shared
	w.Constant += o.Constant
	w.Privates += o.Privates
}
