package main

import (
	"context"
	"fmt"
	"text/tabwriter"

	"metalconform/internal/exit"
	"metalconform/metalrun"
	"metalconform/metalrun/record"
	"metalconform/metalrun/sim"
	"metalconform/reports"
	"metalconform/suite"
)

// beside is the simulator that a device is compared with, nil if it is to be compared with
// none.
func (f runFlags) beside(device metalrun.Runner) (metalrun.Runner, error) {
	_, recorded := device.(*record.Replay)
	switch {
	case !f.threeWays && !recorded:
		return nil, nil
	case !recorded && device.Device().Clock == metalrun.HostClock:
		return nil,
			exit.Usagef("-three-ways: the device is the simulator itself (-backend metal or -replay runs " +
				"something else)")
	}
	return sim.New(sim.Semantics{Portable: f.Portable}), nil
}

// answered fails for a recording that had none of the launches.
func (s *judging) answered(r metalrun.Runner) error {
	if r, ok := r.(*record.Replay); ok && r.Answers() == 0 {
		return exit.Usagef("-replay %s: no launch of these cases is recorded there: it was made from other sources, "+
			"or with another -seed, -sweep or -run", s.Replay)
	}
	return nil
}

// compared shows the elements, as oracle, simulator and device have them, of the case of
// each kernel and pipeline that came closest to a bound or farthest beyond it.
func (s *judging) compared() error {
	closest := map[string]int{}
	var order []string
	for i, r := range s.results {
		if len(r.ThreeWays) == 0 {
			continue
		}
		if best, seen := closest[r.Kernel]; !seen {
			order = append(order, r.Kernel)
		} else if r.ErrorRatio <= s.results[best].ErrorRatio {
			continue
		}
		closest[r.Kernel] = i
	}
	if s.quiet || s.json || len(order) == 0 {
		return nil
	}
	w := tabwriter.NewWriter(s.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\noutput\toracle\tbound\tsimulator\tdevice\tother bits than the simulator's\tcase\n")
	for _, kernel := range order {
		r := s.results[closest[kernel]]
		for _, e := range r.ThreeWays {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%d of %d\t%s\n", e.Element,
				e.Want.Text(""), reports.Figure(e.Bound), e.Simulator.Text(""), e.Device.Text(""), e.Differ, e.Of,
				r.Case)
		}
	}
	return w.Flush()
}

// settle has a recording decide on a case that is over.
func settle(runner metalrun.Runner, of string) error {
	if recorder, ok := runner.(*record.Recorder); ok {
		return recorder.Settle(of)
	}
	return nil
}

// keepFailures launches the cases that have failed and are not recorded again, so that all
// that they were given and wrote is.
func (s *judging) keepFailures(ctx context.Context, runner metalrun.Runner, opts suite.Options,
	cases []suite.Case) error {
	recorder, ok := runner.(*record.Recorder)
	if !ok {
		return nil
	}
	opts.Adversaries, opts.Simulator, opts.Repeat = nil, nil, 0
	for i, r := range s.results {
		if r.Status != suite.Fail && r.Status != suite.Error {
			continue
		}
		if !recorder.Want(r.Case) {
			continue
		}
		if err := suite.Run(ctx, runner, opts, cases[i:i+1], func(suite.Result) {}); err != nil {
			return err
		}
		if err := recorder.Settle(r.Case); err != nil {
			return err
		}
	}
	return nil
}
