package mutate

import (
	"container/list"
	"metalconform/suite"
	"sync"

	"metalconform/metalrun"
)

// preparedCases are the inputs and exact results of cases, those that were asked for last as long
// as they fit into some memory: devices and groups of mutants ask for the same again.
type preparedCases struct {
	mu     sync.Mutex
	byName map[string]*list.Element
	order  list.List // of *preparedCase, the last one asked for first
	bytes  int64
}

// preparedMemory is what they may take. All cases of a kernel take some 50 MB.
const preparedMemory = 384 << 20

// preparedCase is what a case has on every device. Nobody changes it.
type preparedCase struct {
	name   string
	once   sync.Once
	found  *suite.CaseRun // nil where there is nothing to judge
	result suite.Result   // says why
	bytes  int64          // 0 until it is made

	mu     sync.Mutex
	passed map[int]suite.Contents // of a run that passed, by device
}

// prepare computes inputs and exact results, or finds them. Where there is nothing to judge, it
// returns nil and says why.
func (p *Plan) prepare(c suite.Case, runner metalrun.Runner, device int) (*mutationCase, suite.Result) {
	kept := p.prepared.find(c.Name)
	kept.once.Do(func() {
		t := suite.NewCaseRun(runner, suite.Options{Seed: p.Seed, Declared: p.declared(), Exact: p.Exact}, c)
		kept.result = suite.Guarded(c, func(r *suite.Result) {
			if !t.BindKernel(p.Shaders, r) {
				return
			}
			if err := t.FillBuffers(); err != nil {
				r.Because(suite.Error, "%v", err)
				return
			}
			t.AskOracle()
		})
		if kept.result.Status == suite.Pass {
			kept.found = t
		}
		p.prepared.made(kept)
	})
	if kept.found == nil {
		return nil, kept.result
	}
	m := &mutationCase{CaseRun: kept.found.On(runner), kept: kept, device: device}
	r := suite.Guarded(c, func(r *suite.Result) { m.BindKernel(p.Shaders, r) })
	if r.Status != suite.Pass {
		return nil, r
	}
	return m, r
}

// find is the case called name, which may have to be made.
func (s *preparedCases) find(name string) *preparedCase {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.byName[name]; e != nil {
		s.order.MoveToFront(e)
		return e.Value.(*preparedCase)
	}
	c := &preparedCase{name: name, passed: map[int]suite.Contents{}}
	if s.byName == nil {
		s.byName = map[string]*list.Element{}
	}
	s.byName[name] = s.order.PushFront(c)
	return c
}

// made counts a case that is there now, and lets go of others.
func (s *preparedCases) made(c *preparedCase) {
	if c.found != nil {
		c.bytes = c.found.Size()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes += c.bytes
	for s.bytes > preparedMemory && s.order.Len() > 1 {
		last := s.order.Back()
		old := s.order.Remove(last).(*preparedCase)
		delete(s.byName, old.name)
		s.bytes -= old.bytes
	}
}

// passed is what a run that passed on the device left; nil for none.
func (m *mutationCase) passed() suite.Contents {
	m.kept.mu.Lock()
	defer m.kept.mu.Unlock()
	return m.kept.passed[m.device]
}

// keep keeps what a run that passed on the device left.
func (m *mutationCase) keep(t *suite.CaseRun) {
	m.kept.mu.Lock()
	defer m.kept.mu.Unlock()
	if m.kept.passed[m.device] == nil {
		m.kept.passed[m.device] = t.Contents()
	}
}
