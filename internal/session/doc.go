// Package session is what the commands have in common before the first case and after the last: which cases of whose
// kernels are judged, on what device, under which declarations, and where results go.
//
// A [Selection] is the flags of all that. It becomes a [Session] in one order: declarations in force, device, shaders,
// cases. Everything that can be wrong is found before the first case runs, and carries the exit status of package exit.
// A selection also knows the flags that repeat a case ([Selection.ReplayFlags]), and a session's header says what a run
// is of, so that results of two runs can be told apart.
//
// Results are a file that has another name until it is whole ([Output]), that one process writes at a time, and that an
// interrupted run goes on with ([Resume]). A [Partition] is the part of a run that one of several processes judges.
//
// The package prints nothing: it returns what commands print.
package session
