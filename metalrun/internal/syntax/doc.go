// Package syntax turns Metal Shading Language text into syntax trees.
//
// Three steps, each usable on its own: the scanner makes tokens of one file,
// the preprocessor expands includes, macros and conditionals into one token
// stream, and the parser builds the tree of a translation unit ([File]). The
// tree keeps the position of every node and can be printed back as source.
//
// The rule of the layer: syntax knows the grammar and which names denote
// types and templates (C++ cannot be parsed without), and nothing of what a
// program means. It never looks at an expression's type. Whatever it cannot
// parse it refuses with a position; it never skips text.
package syntax
