// Package witness has other people's compiler say what a program means: it translates
// Metal to C++ for clang and runs it.
//
// The translation is of the syntax tree, and of little: address spaces and attributes go,
// threadgroup variables become static, function constants have the host's values, and swizzles
// and as_type become calls of a header that has vectors, bfloat, matrices and the library, with simdgroups over
// fibres. What a name means, which overload is
// chosen, how types convert and what a template becomes is for clang to say, so that
// agreement with the simulator is evidence of both.
//
// What C++ cannot express is refused: functions and classes that address spaces alone tell apart, unless they
// are the same text, and program-scope variables in threadgroup memory. The rest is for clang to refuse, declaration by
// declaration, so that one which it does not take costs the kernels that use it and no others.
//
// The rule of the layer: nothing of types, of the intermediate representation or of the
// executor takes part. It is for tests.
package witness
