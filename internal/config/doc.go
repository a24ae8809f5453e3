// Package config reads what decides how kernels are built and judged, beside the kernels themselves: the file
// conform.toml of a directory of shaders, and the flags of a compiler and of a policy that say the same for one run.
//
// A file passes through three steps. [Read] finds it and bounds its size; what a directory names must lie in that
// directory. The decoder of TOML fills the entry types, whose fields are the keys that a file may have; unknown keys
// are mistakes. The reader then turns entries into [suite.Declarations]: it checks each against the catalogue, so that
// an entry about nothing is a mistake, and gives each the line that later messages name.
//
// Invariants: every exception has a reason and a day on which it expires, at most a year ahead. Every mistake has a
// line. What a file may ask is bounded (lines, mistakes told, choices of regular expressions), since strangers write
// it.
//
// The package decides nothing about results and opens no device.
package config
