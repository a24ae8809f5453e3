// Package kerneltest judges the judge: it holds the oracles of a catalogue to exact
// values.
//
// The rule of the layer: tests only. Nothing that a run needs stands here, and all
// that stands here goes through what package suite offers to everybody.
package kerneltest

import (
	"context"
	"errors"
	"fmt"

	"metalconform/metalrun"
	"metalconform/suite"
)

// Asked is a case whose oracle has answered, and whose kernel has not run.
type Asked struct {
	suite.Case
	Seed    uint64
	Problem *suite.Problem
	Answers suite.Answers
}

// Ask asks the oracle of a kernel's case. It launches nothing; the shaders hold the
// tables that the oracle reads.
func Ask(s *suite.Shaders, c suite.Case, seed uint64) (Asked, error) {
	asked := Asked{Case: c, Seed: seed}
	k := *c.Kernel
	oracle := k.Oracle
	k.Oracle = func(p *suite.Problem) suite.Answers {
		asked.Problem, asked.Answers = p, oracle(p)
		return asked.Answers
	}
	c.Kernel = &k
	var result suite.Result
	err := suite.Run(context.Background(), idle{}, suite.Options{Shaders: s, Seed: seed, Parallel: 1}, []suite.Case{c},
		func(r suite.Result) { result = r })
	if err == nil && asked.Problem == nil {
		err = fmt.Errorf("the oracle was not asked: %s", result.Text())
	}
	return asked, err
}

// idle is a runner, its only library and its only kernel. It executes nothing.
type idle struct{}

func (idle) Device() metalrun.Device { return metalrun.Device{} }
func (idle) Compile(*metalrun.Program) (metalrun.Library, error) {
	return idle{}, nil
}
func (idle) Close() error                           { return nil }
func (idle) Kernel(string) (metalrun.Kernel, error) { return idle{}, nil }
func (idle) Release()                               {}

// MaxThreads is Metal's limit for any kernel.
func (idle) MaxThreads() int { return 1024 }

func (idle) Run(metalrun.Dispatch) (metalrun.Outcome, error) {
	return metalrun.Outcome{}, errors.New("asked, not executed")
}
