package reports

import (
	"bytes"
	"fmt"
	"io"
)

// DefaultRoom is the memory that results may take if nobody says otherwise, in MiB: enough for the
// full sweep in four modes.
const DefaultRoom = 2048

// A Room is the memory that results may take together, however many files they come from.
// The nil Room is the default one, for each file anew.
type Room struct {
	mib  int
	left int64 // bytes
}

// NewRoom is a room of so many MiB.
func NewRoom(mib int) *Room { return &Room{mib, int64(mib) << 20} }

// What a line becomes in memory: an object of two bytes is as large as any of its type, and a list
// of numbers takes eight bytes for each.
const (
	objectBytes = 384
	memberBytes = 8
)

// take counts a line, before anything is made of it.
func (r *Room) take(line []byte) error {
	n := int64(len(line) + objectBytes*bytes.Count(line, []byte("{")) + memberBytes*bytes.Count(line, []byte(",")))
	if r.left -= n; r.left < 0 {
		return fmt.Errorf("results of more than %d MiB in memory, which -results-memory can raise", r.mib)
	}
	return nil
}

// Read is [Read] of one of several files.
func (r *Room) Read(from io.Reader, name string) (run Run, ok bool, err error) {
	if r == nil {
		r = NewRoom(DefaultRoom)
	}
	return r.read(from, name)
}
