package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"metalconform/metalrun"
)

// recorder is a device whose launches are kept.
type recorder struct {
	metalrun.Runner
	dir string

	mu   sync.Mutex
	kept map[string]int // bytes by kernel
}

// New keeps launches of a device in a directory, which it makes, and which must have no
// recording yet.
func New(r metalrun.Runner, dir string) (metalrun.Runner, error) {
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
	return &recorder{Runner: r, dir: dir, kept: map[string]int{}}, file.Close()
}

func (r *recorder) Compile(p *metalrun.Program) (metalrun.Library, error) {
	l, err := r.Runner.Compile(p)
	if err != nil {
		return nil, err
	}
	return &recordedLibrary{Library: l, recorder: r, program: p}, nil
}

type recordedLibrary struct {
	metalrun.Library
	recorder *recorder
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
	infos, err := p.Kernels()
	if err != nil {
		return metalrun.KernelInfo{}, err
	}
	for _, info := range infos {
		if info.Name == name {
			return info, nil
		}
	}
	return metalrun.KernelInfo{}, fmt.Errorf("%s has no kernel %q", p.Source().Name, name)
}

// Run launches, and keeps the launch if there is room for it.
func (k *recordedKernel) Run(d metalrun.Dispatch) (metalrun.Outcome, error) {
	if !k.recorder.admit(k.info.Name, size(d)) {
		return k.Kernel.Run(d)
	}
	name := key(k.program, k.info.Name, d) + ending
	before := make([][]byte, len(d.Bindings))
	for i, b := range d.Bindings {
		before[i] = bytes.Clone(b.Data)
	}
	o, err := k.Kernel.Run(d)
	if err != nil {
		return o, err
	}
	if err := write(k.recorder.dir, name, launch(k.info, d, before, o)); err != nil {
		return o, fmt.Errorf("%w: recording a launch: %w", metalrun.ErrUnusable, err)
	}
	return o, nil
}

// admit reports whether there is room for so many bytes of a kernel, and takes it.
func (r *recorder) admit(kernel string, n int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n > mostLaunch || r.kept[kernel]+n > mostKernel {
		return false
	}
	r.kept[kernel] += n
	return true
}
