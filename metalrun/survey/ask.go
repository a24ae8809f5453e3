package survey

import (
	"cmp"
	"errors"
	"time"

	"metalconform/metalrun"
	"metalconform/metalrun/probe"
)

// Ask fills a report, section by section, and has each kept. A device that no longer answers ends it: what was asked
// before stays, and the error says why.
func (r *Report) Ask(device metalrun.Runner, sources []metalrun.Source, keep func() error) error {
	sections := []func() error{
		func() error { return r.askProbe(device) },
		func() error { return r.askClock(device) },
		func() error { return r.askMethods(device) },
	}
	for _, s := range sources {
		for _, b := range Builds() {
			sections = append(sections, func() error { return r.askFile(device, s, b) })
		}
	}
	for _, ask := range sections {
		err := ask()
		if err != nil {
			r.Stopped = err.Error()
		}
		if kept := keep(); kept != nil {
			return kept
		}
		if err != nil {
			return err
		}
	}
	if err := r.askMethods(device); err != nil { // those that the later sections have called, too
		return err
	}
	r.Done = true
	return keep()
}

func (r *Report) askProbe(device metalrun.Runner) (err error) {
	r.Probe, err = probe.Device(device)
	return err
}

func (r *Report) askMethods(device metalrun.Runner) (err error) {
	if i, ok := device.(metalrun.Inspector); ok {
		r.Methods, err = i.Methods()
	}
	return err
}

// askClock launches once and looks by which clock the time was taken.
func (r *Report) askClock(device metalrun.Runner) error {
	p, err := metalrun.Analyse(metalrun.SourceText("clock.metal",
		"kernel void copy(device uint *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] += 1; }\n"),
		metalrun.CompileOptions{})
	if err != nil {
		return err
	}
	l, err := device.Compile(p)
	if err != nil {
		return onlyUnusable(err)
	}
	defer l.Release()
	k, err := l.Kernel("copy")
	if err != nil {
		return onlyUnusable(err)
	}
	data := make([]byte, 4<<10)
	o, err := k.Run(metalrun.Dispatch{
		Bindings:              []metalrun.Binding{{Index: 0, Data: data, Length: len(data)}},
		Threadgroups:          metalrun.Size{X: len(data) / 4 / 32, Y: 1, Z: 1},
		ThreadsPerThreadgroup: metalrun.Size{X: 32, Y: 1, Z: 1},
	})
	if err != nil {
		return onlyUnusable(err)
	}
	r.Clock = cmp.Or(o.Clock, device.Device().Clock)
	return nil
}

// onlyUnusable is an error that ends the survey; any other is an answer.
func onlyUnusable(err error) error {
	if errors.Is(err, metalrun.ErrUnusable) || errors.Is(err, metalrun.ErrNoDevice) {
		return err
	}
	return nil
}

// askFile compiles a file, and builds all its kernels.
func (r *Report) askFile(device metalrun.Runner, source metalrun.Source, b Build) error {
	p, err := metalrun.Analyse(source, b.Options)
	if err != nil {
		return err
	}
	infos, err := p.Kernels()
	if err != nil {
		return err
	}
	file := File{Name: source.Name, Build: b.Name}
	begin := time.Now()
	l, err := device.Compile(p)
	file.Seconds = time.Since(begin).Seconds()
	if err != nil {
		file.Refused = err.Error()
		r.Files = append(r.Files, file)
		return onlyUnusable(err)
	}
	defer l.Release()
	if w, ok := l.(metalrun.Warner); ok {
		file.Warnings = w.Warnings()
	}
	r.Files = append(r.Files, file)
	for _, info := range infos {
		if err := r.askKernel(l, source.Name, info, b); err != nil {
			return err
		}
	}
	return nil
}

func (r *Report) askKernel(l metalrun.Library, file string, info metalrun.KernelInfo, b Build) error {
	answer := Pipeline{File: file, Kernel: info.Name, Build: b.Name, Declared: info.StaticThreadgroupMemory,
		Own: info.MaxThreads}
	k, err := l.Kernel(info.Name)
	switch {
	case err != nil:
		answer.Refused, answer.Control = err.Error(), onlyUnusable(err) == nil
	default:
		answer.Threads = k.MaxThreads()
		if p, ok := k.(metalrun.Reflector); ok && p.Pipeline().Width > 0 {
			answer.Pipeline = p.Pipeline()
		}
	}
	r.Pipelines = append(r.Pipelines, answer)
	if err != nil {
		return onlyUnusable(err)
	}
	return nil
}
