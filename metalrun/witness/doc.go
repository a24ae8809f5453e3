// Package witness has other people's compiler say what a program means: it translates
// Metal to C++ for clang and runs it.
//
// The translation is of the syntax tree, and of little: address spaces and attributes go,
// threadgroup variables become static, and constructors and casts become calls of a
// header that has vectors and the library. What a name means, which overload is
// chosen, how types convert and what a template becomes is for clang to say, so that
// agreement with the simulator is evidence of both. Programs that C++ cannot express so
// (overloads by address space, vectors of bool, bfloat and much of the library) are
// refused by clang, not by us.
//
// The rule of the layer: nothing of types, of the intermediate representation or of the
// executor takes part. It is for tests.
package witness
