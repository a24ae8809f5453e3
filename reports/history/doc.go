// Package history keeps what runs measured in a directory, one file for each run.
//
// A file is compressed JSON lines, which zcat prints. The first line is the header: what identifies the run, and how it
// was measured. Two lines follow for each kernel, in order of the names. The first names the cases, as shapes and the
// inputs of each. It is the same on most nights, so that a reader parses it once. The second has the verdicts of the
// cases that did not pass, and errors and times by shape: see [trend.Kernel].
//
// The name of a file begins with the start of the run, so that names sort by date. The commit and the device follow, for
// readers; a hash of everything that identifies the run ends the name, so that no two runs share one. A file is written
// beside its place and renamed, so that it is there whole or not at all. Files never change unless somebody asks for it.
// Two directories are merged by copying files from one to the other, and git merges two branches without conflicts.
//
// # Size
//
// A night of the full sweep with 57,642 cases takes some 55 kB, so that a year takes 20 MB:
//
//	go test ./reports/history -run '^$' -bench Year -benchtime 1x
//
// prints the bytes of a night, and how long a year of nights takes to read and to search for steps.
//
// # Untrusted input
//
// A directory may come from anybody. Numbers and sizes of files, their contents after decompression, lines, cases and
// everything that is read together are bounded. A file that is damaged, or whose name is not that of its run, is refused,
// and so is one that a later program wrote.
package history
