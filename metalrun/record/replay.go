package record

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync/atomic"

	"metalconform/internal/printable"
	"metalconform/internal/regular"
	"metalconform/metalrun"
)

// Replay is a device that has computed already.
type Replay struct {
	dir     string
	device  metalrun.Device
	answers atomic.Int64
}

// mostText is how long a text of a device may be, in bytes.
const mostText = 1 << 10

// Open reads a recording. What it says of the device is shown where lines are our own.
func Open(dir string) (*Replay, error) {
	text, err := regular.Read(filepath.Join(dir, deviceFor), regular.Text)
	if err != nil {
		return nil, err
	}
	r := &Replay{dir: dir}
	if err := regular.JSON(text, &r.device); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, deviceFor), err)
	}
	facts := r.device.Facts
	for _, text := range append([]string{r.device.Backend, r.device.Name, r.device.Detail, facts.System,
		facts.Architecture}, facts.Families...) {
		if len(text) > mostText || strings.ContainsFunc(text, func(c rune) bool { return !printable.Harmless(c) }) {
			return nil, fmt.Errorf("%s: a text %.100q of the device: want at most %d bytes, and what can be printed",
				filepath.Join(dir, deviceFor), text, mostText)
		}
	}
	if r.device.Backend == "" || r.device.Clock != metalrun.GPUClock && r.device.Clock != metalrun.HostClock {
		return nil, fmt.Errorf("%s: not a device", filepath.Join(dir, deviceFor))
	}
	r.device.Observes = false // findings are not recorded
	return r, nil
}

// Answers is the number of launches that the recording had.
func (r *Replay) Answers() int { return int(r.answers.Load()) }

// Device is the device of the recording.
func (r *Replay) Device() metalrun.Device { return r.device }

// Close does nothing: the files of a recording are open only while they are read.
func (r *Replay) Close() error { return nil }

// Compile compiles nothing: the launches of p are answered by the recording.
func (r *Replay) Compile(p *metalrun.Program) (metalrun.Library, error) {
	return replayLibrary{r, p}, nil
}

type replayLibrary struct {
	*Replay
	program *metalrun.Program
}

func (replayLibrary) Release() {}

func (l replayLibrary) Kernel(name string) (metalrun.Kernel, error) {
	info, err := infoOf(l.program, name)
	return replayKernel{l, info}, err
}

type replayKernel struct {
	replayLibrary
	info metalrun.KernelInfo
}

const mostThreads = 1024 // of a threadgroup; what the device took is in the recording

func (k replayKernel) MaxThreads() int { return mostThreads }

// Run answers with what was recorded. A launch that was not is not supported.
func (k replayKernel) Run(d metalrun.Dispatch) (metalrun.Outcome, error) {
	name := filepath.Join(k.dir, key(k.program, k.info.Name, d)+ending)
	file, err := read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return metalrun.Outcome{},
			fmt.Errorf("%w: %s has no such launch of %s: it has no room for all, or was made from other sources "+
				"or inputs",
				metalrun.ErrUnsupported, k.dir, k.info.Name)
	}
	var o metalrun.Outcome
	var failed error
	if err == nil {
		o, failed, err = answer(k.info, d, file)
	}
	if err != nil {
		return o, fmt.Errorf("%s is damaged: %w", name, err)
	}
	k.answers.Add(1)
	return o, failed
}
