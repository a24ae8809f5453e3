// Package differential asks another compiler what a program means: it translates Metal to C++ for clang, runs the
// result, and compares it with the simulator (differential testing).
//
// The translation works on the syntax tree and changes little. Address spaces and attributes are dropped, threadgroup
// variables become static, and function constants have the host's values. Swizzles and as_type become calls of a
// header, which has vectors, bfloat, matrices and the library, with simdgroups over fibres. Clang decides what a name
// means, which overload is chosen, how types convert and what a template becomes. Agreement with the simulator is
// therefore evidence for both.
//
// Programs that C++ cannot express are refused: functions and classes that differ only in address spaces, unless they
// have the same text, and program-scope variables in threadgroup memory. Clang refuses other declarations one by one,
// so that a refused declaration only costs the kernels that use it.
//
// The rule of the layer: the checker, the intermediate representation and the executor take no part in the answer. The
// package is for tests.
package differential
