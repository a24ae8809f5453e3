package suite

import (
	"container/list"
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
	found  *CaseRun // nil where there is nothing to judge
	result Result   // says why
	bytes  int64    // 0 until it is made

	mu     sync.Mutex
	passed map[int]Contents // of a run that passed, by device
}

// prepare computes inputs and exact results, or finds them. Where there is nothing to judge, it
// returns nil and says why.
func (p *MutationPlan) prepare(c Case, runner metalrun.Runner, device int) (*mutationCase, Result) {
	kept := p.prepared.find(c.Name)
	kept.once.Do(func() {
		t := newCaseRun(c, caseOptions{runner: runner, seed: p.Seed, declared: p.declared(), exact: p.Exact})
		kept.result = Guarded(c, func(r *Result) {
			if !t.BindKernel(p.Shaders, r) {
				return
			}
			if err := t.FillBuffers(); err != nil {
				r.Because(Error, "%v", err)
				return
			}
			problem := t.problem()
			t.answers, t.contract = t.Kernel.Oracle(problem), problem.Contract
		})
		if kept.result.Status == Pass {
			kept.found = t
		}
		p.prepared.made(kept)
	})
	if kept.found == nil {
		return nil, kept.result
	}
	m := &mutationCase{CaseRun: *kept.found.under(func(o *caseOptions) { o.runner = runner }), kept: kept, device: device}
	r := Guarded(c, func(r *Result) { m.BindKernel(p.Shaders, r) })
	if r.Status != Pass {
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
	c := &preparedCase{name: name, passed: map[int]Contents{}}
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

// Size is about how many bytes inputs and exact results take, and what runs that passed leave.
func (t *CaseRun) Size() int64 {
	n := 0
	for _, b := range t.buffers {
		if b != nil {
			n += 4 * len(b.data)
		}
	}
	for _, a := range t.answers {
		n += 8*(len(a.Want)*(1+len(a.Budget))+len(a.Scale)+len(a.Sigma)+len(a.Systematic)) + len(a.Any)
	}
	return int64(n)
}

// passed is what a run that passed on the device left; nil for none.
func (m *mutationCase) passed() Contents {
	m.kept.mu.Lock()
	defer m.kept.mu.Unlock()
	return m.kept.passed[m.device]
}

// keep keeps what a run that passed on the device left.
func (m *mutationCase) keep(t *CaseRun) {
	m.kept.mu.Lock()
	defer m.kept.mu.Unlock()
	if m.kept.passed[m.device] == nil {
		m.kept.passed[m.device] = t.Contents()
	}
}
