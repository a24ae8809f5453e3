package differential

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os/exec"
	"path/filepath"

	"metalconform/metalrun"
)

// run executes all launches that are not refused.
func (b *batch) run() error {
	var in bytes.Buffer
	var asked []int
	for i, l := range b.launches {
		if b.answers[i].Refused == "" {
			asked = append(asked, i)
			writeLaunch(&in, b.entry[i].number, l.Dispatch)
		}
	}
	cmd := exec.Command(filepath.Join(b.dir, "programs"))
	cmd.Stdin = &in
	out, err := cmd.Output()
	if err != nil {
		return err
	}
	for _, i := range asked {
		if len(out) < 4 {
			return fmt.Errorf("the witness ended early")
		}
		ok := binary.LittleEndian.Uint32(out)
		out = out[4:]
		for _, x := range b.launches[i].Dispatch.Bindings {
			b.answers[i].Buffers = append(b.answers[i].Buffers, out[:x.Length])
			out = out[x.Length:]
		}
		if ok == 0 {
			b.answers[i].Refused = "the run ended early: a fault, or threads that wait for each other"
		}
	}
	return nil
}

// writeLaunch writes a launch as the driver reads it.
func writeLaunch(in *bytes.Buffer, entry int, d metalrun.Dispatch) {
	word := func(n int) { in.Write(binary.LittleEndian.AppendUint32(nil, uint32(n))) }
	grid, threads, per := d.Grid(), d.Threads, d.ThreadsPerThreadgroup
	if threads == (metalrun.Size{}) {
		threads = metalrun.Size{X: grid.X * per.X, Y: grid.Y * per.Y, Z: grid.Z * per.Z}
	}
	word(entry)
	for _, s := range []metalrun.Size{grid, threads, per} {
		word(s.X)
		word(s.Y)
		word(s.Z)
	}
	word(len(d.Bindings))
	for _, x := range d.Bindings {
		word(x.Index)
		word(x.Length)
		in.Write(x.Data[x.Offset : x.Offset+x.Length])
	}
	word(len(d.ThreadgroupMemory))
	for _, n := range d.ThreadgroupMemory {
		word(n)
	}
}
