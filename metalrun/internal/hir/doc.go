// Package hir is the typed tree of a translation unit: the high-level intermediate representation
// between the checker, which makes it, and lowering, which turns it into instructions.
//
// # Theory
//
// The tree is what is left of a program when every rule of the language has been applied. Names are
// resolved, overloads and templates are decided, constants are folded, and every conversion and every
// load is an expression of its own. A [Func] is one instance of a template, so no type depends on a
// parameter. A reader of the tree needs no rule of the language, and no syntax except positions.
//
// # Data structures
//
//   - [Type] is the representation of types, with their layout in memory. [Identical] compares types.
//   - [Program], [Func], [Kernel] and [Var] are the objects of a program.
//   - [Expr] and [Stmt] are the nodes. An expression has a position and a type; it is a value or an
//     lvalue ([IsLvalue]). [Walk] visits the expressions of a statement, and [Print] writes a tree.
//   - [FastMathFlags] say what a compiler may do with a floating-point operation; a [Mode] is a set
//     of them that has a name.
//   - The bits of a [Const] are a scalar in its own format, extended to 64 bits ([BitsOf], [BytesOf]).
//
// # Invariants
//
//   - The two operands of a [Binary] have one type, except those of shifts and of products with
//     matrices. The value that is stored by an [Assign] has the type of the object.
//   - The value of an lvalue is taken by a [Load]. Arguments for references are lvalues.
//   - A tree is complete: types have a size, called functions have a body, and the [Targets] of a
//     call through a pointer are all functions of that type whose address is taken.
//   - Nothing changes a tree after the checker has returned it. Several goroutines may read it.
//
// The tests of package types verify the first three on every program that they check.
//
// # The rule of the layer
//
// hir is below the checker and below lowering: syntax ← hir ← consteval ← types, and hir ← ir. A
// checker that returns a tree has to import the tree, and its types are part of it, so hir cannot be
// above types. It knows the layout of types and the meaning of each node. It knows nothing of
// declarations, scopes, overloads and templates, and nothing of execution.
package hir
