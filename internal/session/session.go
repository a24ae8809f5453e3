package session

import (
	"context"
	"errors"

	"metalconform/metalrun"
	"metalconform/suite"
)

// Session is what a command works on: the declarations in force, a device, and cases with the shaders that they judge.
// The commands begin in the same way: [Selection.Start] or [Selection.StartCase] where kernels run on the device that
// the flags choose, [Selection.Read] where they do not.
type Session struct {
	Selection
	Declared *suite.Declarations // nil if there are none
	Expired  []suite.Outdated    // declarations that are not in force any more
	Runner   metalrun.Runner     // nil if no device was opened
	Why      string              // how auto came to its choice of a device
	Source   *suite.Shaders      // nil until cases are loaded
	Cases    []suite.Case
	release  func() // of what the shaders hold, before the device is closed; nil if the end of the process frees it
}

// Start finds the declarations in force and opens the device. [Session.LoadCases] is next.
func (s Selection) Start() (*Session, error) {
	w := &Session{Selection: s}
	var err error
	if w.Declared, w.Expired, err = s.Declarations(); err != nil {
		return nil, err
	}
	if w.Runner, w.Why, err = s.Open(); err != nil {
		return nil, err
	}
	w.Accuracies.Adopt(w.Declared, w.Runner.Device())
	return w, nil
}

// Read finds the declarations in force and loads the selected cases, for commands that have devices of their own.
func (s Selection) Read(ctx context.Context) (*Session, error) {
	w := &Session{Selection: s}
	var err error
	if w.Declared, w.Expired, err = s.Declarations(); err != nil {
		return nil, err
	}
	return w, w.LoadCases(ctx)
}

// LoadCases loads the selected cases and the shaders that they judge.
func (w *Session) LoadCases(ctx context.Context) (err error) {
	w.Cases, w.Source, err = w.Load(ctx, w.Declared)
	return err
}

// StartCase opens the device and loads the one case of the name. The options are those of judging it there, without
// adversaries.
func (s Selection) StartCase(ctx context.Context, name string) (*Session, suite.Options, error) {
	w := &Session{Selection: s}
	var err error
	if w.Runner, w.Why, err = s.Open(); err != nil {
		return nil, suite.Options{}, err
	}
	c, opts, err := s.Case(ctx, name, w.Runner.Device())
	if err != nil {
		return nil, opts, errors.Join(err, w.Runner.Close())
	}
	w.Cases, w.Source, w.Declared, w.release = []suite.Case{c}, opts.Shaders, opts.Declared, opts.Shaders.Release
	return w, opts, nil
}

// Close frees what the shaders of one case hold on the device, and the device.
func (w *Session) Close() {
	if w.release != nil {
		w.release()
	}
	if w.Runner != nil {
		w.Runner.Close()
	}
}
