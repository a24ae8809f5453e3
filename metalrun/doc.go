// Package metalrun runs one compute kernel from Metal Shading Language source.
//
// It is the whole of what the suite knows about execution: compile a [Source],
// take a [Kernel] from the resulting [Library] by name, and run it with a
// [Dispatch] that binds bytes to the argument table. Two runners stand behind
// the one interface: the simulator ([NewSimulator]), which executes the source
// on any machine, and Metal ([NewMetal]), which needs a Mac.
//
// The rule of the layer: metalrun knows no kernel by name, no oracle and no
// tolerance. It reports what happened — bytes, times, diagnostics, faults — and
// never whether it was right.
package metalrun
