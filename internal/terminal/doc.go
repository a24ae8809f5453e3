// Package terminal is where text leaves the program for a terminal or for the log of a CI system: a [Sanitizer] that no
// source, file name or result can send commands through, lines of progress, and whether there are colours.
package terminal
