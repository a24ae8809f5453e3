// Package diagnostics writes what a compiler and a checker say about sources: as text
// with the line in question, for machines, and for the places where changes are
// reviewed.
//
// The rule of the layer: names and messages come from the sources of strangers. What
// reaches a terminal or a log passes [Printable].
package diagnostics
