package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"metalconform/metalrun"
)

// Recorder is a device whose launches are kept.
type Recorder struct {
	metalrun.Runner
	dir string

	mu   sync.Mutex
	room *room
}

// New keeps launches of a device in a directory, which it makes, and which must have no
// recording yet.
func New(r metalrun.Runner, dir string) (*Recorder, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	text, err := json.Marshal(r.Device())
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(dir, deviceFor), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if _, err := file.Write(append(text, '\n')); err != nil {
		return nil, err
	}
	return &Recorder{Runner: r, dir: dir, room: newRoom()}, file.Close()
}

// Compile compiles p with the runner that is recorded.
func (r *Recorder) Compile(p *metalrun.Program) (metalrun.Library, error) {
	l, err := r.Runner.Compile(p)
	if err != nil {
		return nil, err
	}
	return &recordedLibrary{Library: l, recorder: r, program: p}, nil
}

type recordedLibrary struct {
	metalrun.Library
	recorder *Recorder
	program  *metalrun.Program
}

func (l *recordedLibrary) Kernel(name string) (metalrun.Kernel, error) {
	k, err := l.Library.Kernel(name)
	if err != nil {
		return nil, err
	}
	info, err := infoOf(l.program, name)
	return &recordedKernel{Kernel: k, recordedLibrary: l, info: info}, err
}

type recordedKernel struct {
	metalrun.Kernel
	*recordedLibrary
	info metalrun.KernelInfo
}

func infoOf(p *metalrun.Program, name string) (metalrun.KernelInfo, error) {
	info, err := p.Kernel(name)
	if err != nil {
		return info, fmt.Errorf("%s: %w", p.Source().Name, err)
	}
	return info, nil
}

// Run launches, and keeps the launch if there is room for it: how it ended, too.
func (k *recordedKernel) Run(d metalrun.Dispatch) (metalrun.Outcome, error) {
	name := key(k.program, k.info.Name, d) + ending
	keep, err := k.recorder.admit(d.For, name, size(d))
	if err != nil {
		return metalrun.Outcome{}, err
	}
	if !keep {
		return k.Kernel.Run(d)
	}
	before := make([][]byte, len(d.Bindings))
	for i, b := range d.Bindings {
		before[i] = bytes.Clone(b.Data)
	}
	o, failed := k.Kernel.Run(d)
	if errors.Is(failed, metalrun.ErrWhole) {
		return o, failed // nothing was launched
	}
	if err := k.recorder.write(name, launch(k.info, d, before, o, failed)); err != nil {
		return o, err
	}
	return o, failed
}

// Settle decides whether a case is kept whose launches are over. It is called for the
// cases in their order, which need not be that of their launches.
func (r *Recorder) Settle(of string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.remove(r.room.settle(of))
}

// Want has the launches of a case kept from now on, whatever the room that is left for
// others, and no other case. It reports false for one that is kept already.
func (r *Recorder) Want(of string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.room.wants(of)
}

// admit reports whether a launch is kept. What is given up with it is removed.
func (r *Recorder) admit(of, name string, n int) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	keep, dropped := r.room.admit(of, name, n)
	return keep, r.remove(dropped)
}

// remove removes launches, which may not have been written yet.
func (r *Recorder) remove(launches []string) error {
	for _, name := range launches {
		if err := os.Remove(filepath.Join(r.dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return unrecorded(err)
		}
	}
	return nil
}

// write puts a launch in place, unless it was given up meanwhile.
func (r *Recorder) write(name string, data []byte) error {
	file, err := compressed(r.dir, name, data)
	if err != nil {
		return unrecorded(err)
	}
	defer os.Remove(file)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.room.users[name] == 0 {
		return nil
	}
	if err := os.Rename(file, filepath.Join(r.dir, name)); err != nil {
		return unrecorded(err)
	}
	return nil
}

// unrecorded ends the run: a recording that lacks something in silence is none.
func unrecorded(err error) error {
	return fmt.Errorf("%w: recording a launch: %w", metalrun.ErrUnusable, err)
}
