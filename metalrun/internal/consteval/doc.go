// Package consteval evaluates constant expressions over the typed tree of package hir.
//
// # Theory
//
// C++ defines a constant expression by its evaluation: an expression is constant if the abstract
// machine can compute it without meeting an operation from a list ([expr.const] in the standard). The
// package is that machine. It runs expressions, statements and calls of constexpr functions, one
// expression at a time. Where an operation is not constant, or has no defined result, the evaluation
// ends with a [Fault] that names the position and the reason.
//
// Arithmetic rounds once. The functions of the standard library are those of package scalar, where a
// row says that Metal leaves no choice of result; any other call is not constant.
//
// # Data structures
//
// A value is its bytes in the layout of memory. An object is an array of bytes that knows which of
// them have been written. A pointer is the number of an object and an offset. Structs, vectors, unions
// and casts between pointers therefore need no representation of their own. An [Evaluator] belongs to
// a compilation; each call of [Evaluator.Eval] has its own objects.
//
// # Invariants
//
//   - An evaluation changes nothing but its own objects, and it ends: every expression costs a step,
//     and steps, depth and calls have limits.
//   - No value that leaves an evaluation holds the address of an object.
//   - Undefined behaviour is never a constant. The one exception is an expression whose operands
//     follow from function constants that count as zero ([Evaluator.Assuming]).
//
// # The rule of the layer
//
// consteval imports the tree and is imported by the checker, which asks for the value of array
// lengths, template arguments and the like while it builds the tree. What the evaluation has to ask
// of the checker in return, such as the body of a function that has not been checked yet, goes through
// the fields of [Evaluator]. So the package can be used and tested with trees made by hand.
package consteval
