// Package structure has no code: its tests keep the structure of this module, so that a reader finds the package of
// a thing by its name and can hold that package in mind.
//
// Theory. A program stays changeable as long as its parts can be read one after the other. Three things prevent it:
// imports against the direction of the design, files that all refer to each other, and units that are too large to
// see at once. Each has a rule with a number, and no rule depends on taste.
//
//   - dependencies_test.go has the directions: a table of the packages that each package may import.
//   - rules_test.go has the sizes: files of a package, files of a cycle, fields of a struct, lines of a function,
//     columns of a line. It also asks for comments of packages and of exported names, and for files
//     that links of Markdown lead to.
//   - picture_test.go draws the imports as docs/architecture.svg; rooms_test.go has its boxes.
//   - exceptions_test.go has what may break a rule, with the reason. An exception that nothing needs is an error.
//
// Data structures. A module is parsed once, with its comments (module_test.go). The references between files come
// from go/types, over the files of all platforms (references_test.go); their cycles are the strongly connected
// components of that graph (cycle_test.go).
//
// What is exempt. Directories called testdata hold input, which may have any form; generated files are not read by
// people; tests are long because their tables are, and count only as lines with columns.
//
// Each rule is proved by a module that breaks it, in testdata.
package structure
