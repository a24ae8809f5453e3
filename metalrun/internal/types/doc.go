// Package types checks a translation unit and gives every expression a meaning.
//
// Its input is the syntax tree, its output the typed tree of package hir
// ([hir.Program]): names resolved to variables, functions and builtins, overloads
// and templates decided, constants folded, and every conversion explicit. The
// typed tree is all that later passes read; they never look at syntax again
// except for positions.
//
// Templates are instantiated lazily, from the entry points: a [hir.Func] is one instance, so the tree holds no
// dependent types. The body of a template that is never used is parsed but not checked.
//
// The standard library comes in two forms: functions are rows of a table
// (stdlib.go), and its templates (type traits, limits, array in prelude.metal;
// textures, samplers and tables of functions in texture.metal) are MSL of their
// own, checked like the program.
//
// The rule of the layer: strict and complete. What Apple's compiler refuses is an error here with a code of its own
// (codes.go); what this front end does not support is an error that says so; nothing is guessed. The package knows what
// programs mean and nothing of how they are executed. It imports the tree that it makes and package consteval; lowering
// imports only the tree, and never this package.
//
// The package is flat, like go/types, and most of its files form one cycle: an
// expression may hold a lambda, whose body holds statements, whose declarations
// name types, whose arguments are expressions. One type, the checker, walks
// through all of them.
package types
