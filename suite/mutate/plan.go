package mutate

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"metalconform/suite"
	"slices"
	"strings"
	"sync"

	"metalconform/internal/crash"
	"metalconform/metalrun"
	"metalconform/metalrun/mutation"
)

// Plan is a mutation with its mutants.
type Plan struct {
	*Mutation
	mutants   []*plannedMutant
	names     []string // entry points with cases, in the order of the catalogue
	kernels   map[string]*mutatedKernel
	pipelines []mutatedPipeline

	mu      sync.Mutex
	runners map[runnerKey]metalrun.Runner

	prepared preparedCases

	Sources string   // digest of the printed sources and of the names of the cases
	Absent  []string // kernels that the shaders lack, or that are refused, with the reason
	Crashed error    // of the first of them that this program panicked on
}

// plannedMutant is a mutant on its way to its fate.
type plannedMutant struct {
	Mutant
	source   *mutation.Mutant
	builds   []*mutation.Mutant // the same edit, as hosts compile it for the cases
	affected []string           // entry points to be judged
	shaders  *suite.Shaders     // with the mutant, while it is judged
	resumed  bool               // judged before
}

// mutatedKernel is an entry point with its cases.
type mutatedKernel struct {
	name   string
	family string
	file   string
	cases  []suite.Case

	baselines []baseline // by device
}

// mutatedPipeline is a case of a pipeline.
type mutatedPipeline struct {
	suite.Case
	once   *sync.Once
	passes bool // with the original
}

// enumerate finds the kernels and lists their mutants, file by file.
func (p *Plan) enumerate() error {
	p.gather()
	files := map[string][]string{}
	tables := map[string]bool{} // constants whose numbers are compared one by one, or the program's to choose
	for _, name := range p.names {
		k := p.kernels[name]
		files[k.file] = append(files[k.file], name)
		for _, c := range k.cases {
			for _, t := range c.Tables() {
				tables[t.Name] = true
				if d, ok := p.declared().Table(name, t.Name); ok {
					tables[d.Constant[strings.LastIndex(d.Constant, ":")+1:]] = true
				}
			}
		}
	}
	operators := p.Operators
	if operators == nil {
		operators = mutation.Operators()
	}
	digest := sha256.New()
	for _, file := range slices.Sorted(maps.Keys(files)) {
		for _, group := range p.byMacros(files[file]) {
			builds, err := p.builds(file, group)
			if err != nil {
				return err
			}
			leading := p.leading(group)
			var same [][]*mutation.Mutant // by build
			for _, program := range builds {
				unit := mutation.Open(program)
				if len(same) == 0 {
					fmt.Fprintln(digest, file, unit.Source().Files[file])
				}
				same = append(same, unit.Mutants(leading, operators))
			}
			for i, m := range same[0] {
				if tables[m.Function] || p.Only != nil && !p.Only(m.Key) || p.At != nil && !p.At(m.Kernels, m.Position) {
					continue
				}
				c := p.planned(m)
				for _, list := range same {
					c.builds = append(c.builds, list[i])
				}
				if macros := (suite.Build{Macros: p.macros(group[0])}).Key(); macros != "" {
					c.ID, c.Key = c.ID+" "+macros, c.Key+" "+macros
				}
				p.mutants = append(p.mutants, c)
			}
		}
	}
	for _, name := range p.names {
		for _, c := range p.kernels[name].cases {
			fmt.Fprintln(digest, c.Name)
		}
	}
	for _, c := range p.pipelines {
		fmt.Fprintln(digest, c.Name)
	}
	p.Sources = hex.EncodeToString(digest.Sum(nil)[:8])
	return nil
}

// macros are those of a kernel's first case. A mutant's text has them in it, so only cases with the
// same ones judge.
func (p *Plan) macros(kernel string) map[string]string {
	return p.kernels[kernel].cases[0].Build().Macros
}

// byMacros sorts kernels of a file by their macros, and leaves them the cases that have these.
func (p *Plan) byMacros(names []string) [][]string {
	var groups [][]string
	for _, name := range names {
		own, k := p.macros(name), p.kernels[name]
		k.cases = slices.DeleteFunc(k.cases, func(c suite.Case) bool { return !maps.Equal(c.Build().Macros, own) })
		i := slices.IndexFunc(groups, func(g []string) bool { return maps.Equal(p.macros(g[0]), own) })
		if i < 0 {
			groups = append(groups, nil)
			i = len(groups) - 1
		}
		groups[i] = append(groups[i], name)
	}
	return groups
}

// builds are the programs that hosts make of a file for the cases of kernels with the same macros: one,
// or one for each choice of function constants.
func (p *Plan) builds(file string, group []string) ([]*metalrun.Program, error) {
	var list []*metalrun.Program
	seen := map[string]bool{}
	for _, name := range group {
		for _, c := range p.kernels[name].cases {
			b := c.Build()
			if seen[b.Key()] {
				continue
			}
			seen[b.Key()] = true
			program, err := p.Shaders.Program(file, b, c.Arithmetic())
			if err != nil {
				return nil, err
			}
			list = append(list, program)
		}
	}
	return list, nil
}

// gather sorts the cases by kernel, those that move few bytes first: what a small
// case tells need not be asked of a large one. Shapes that a host refuses tell
// nothing of a kernel.
func (p *Plan) gather() {
	for _, c := range p.Cases {
		if c.Pipeline != nil && !c.Refused() && !p.Typical {
			p.pipelines = append(p.pipelines, mutatedPipeline{Case: c, once: &sync.Once{}})
		}
	}
	for _, c := range p.Cases {
		if !c.Launching() {
			continue
		}
		name := c.Kernel.Name
		if p.kernels[name] == nil {
			file, err := p.Shaders.Covers(c.Kernel)
			if err != nil {
				reason := fmt.Sprintf("%s: %v", name, err)
				if !errors.Is(err, suite.ErrAbsent) && !slices.Contains(p.Absent, reason) {
					p.Absent = append(p.Absent, reason)
				}
				var internal *crash.Crash
				if p.Crashed == nil && errors.As(err, &internal) {
					p.Crashed = fmt.Errorf("%s: %w", name, internal)
				}
				continue
			}
			p.kernels[name] = &mutatedKernel{name: name, family: c.Family, file: file,
				baselines: make([]baseline, len(p.Devices))}
			p.names = append(p.names, name)
		}
		p.kernels[name].cases = append(p.kernels[name].cases, c)
	}
	for _, k := range p.kernels {
		if p.Typical {
			k.cases = []suite.Case{typical(k.cases)}
		}
		slices.SortStableFunc(k.cases, func(a, b suite.Case) int { return cmp.Compare(a.Bytes(), b.Bytes()) })
	}
}

// leading are the entry points of a file whose mutants are wanted, and those that
// may share declarations with them: a mutant of what several lead to is judged by
// all of them.
func (p *Plan) leading(names []string) []string {
	if len(p.Kernels) == 0 || slices.ContainsFunc(names, func(n string) bool { return slices.Contains(p.Kernels, n) }) {
		return names
	}
	return nil
}

func (p *Plan) planned(m *mutation.Mutant) *plannedMutant {
	return &plannedMutant{source: m, Mutant: Mutant{
		ID: m.ID, Key: m.Key, Family: p.kernels[m.Kernels[0]].family, File: m.File, Function: m.Function,
		Kernels:  m.Kernels,
		Operator: m.Operator, Line: m.Position.Line, Col: m.Position.Col, Change: m.Change, Diff: m.Diff,
	}}
}

// draw keeps the mutants of the wanted kernels, and of those a sample: the ones
// whose digests with the seed are the smallest.
func (p *Plan) draw() {
	if len(p.Kernels) > 0 {
		p.mutants = slices.DeleteFunc(p.mutants, func(c *plannedMutant) bool {
			return !slices.ContainsFunc(c.Kernels, func(k string) bool { return slices.Contains(p.Kernels, k) })
		})
	}
	if p.Sample <= 0 || p.Sample >= len(p.mutants) {
		return
	}
	rank := map[*plannedMutant]string{}
	for _, c := range p.mutants {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", p.Seed, c.Key))
		rank[c] = string(sum[:])
	}
	drawn := slices.Clone(p.mutants)
	slices.SortFunc(drawn, func(a, b *plannedMutant) int { return cmp.Compare(rank[a], rank[b]) })
	kept := map[*plannedMutant]bool{}
	for _, c := range drawn[:p.Sample] {
		kept[c] = true
	}
	p.mutants = slices.DeleteFunc(p.mutants, func(c *plannedMutant) bool { return !kept[c] })
}

// Compare decides what needs no run: mutants that do not compile, and those that
// provably compute what the original or an earlier mutant does, have their fates
// afterwards. It looks at those of other parts too, which may be the earlier ones. It
// returns ctx's error if it was cancelled. Judge does so, too.
func (p *Plan) Compare(ctx context.Context) error {
	failed := make([]error, len(p.mutants))
	p.each(ctx, len(p.mutants), func(i int) {
		if !p.mutants[i].resumed {
			failed[i] = p.mutants[i].compare()
		}
	})
	if err := errors.Join(append(failed, ctx.Err())...); err != nil {
		return err
	}
	first := map[string]string{} // by file and digest
	for _, c := range p.mutants {
		if c.Digest == "" || c.Fate == Equivalent || c.Fate == Duplicate {
			continue
		}
		key := c.File + " " + c.Digest
		switch of, seen := first[key]; {
		case !seen:
			first[key] = c.ID
		case !c.resumed:
			c.Fate, c.Of = Duplicate, of
		}
	}
	return nil
}

// compare has what holds in every build.
func (c *plannedMutant) compare() error {
	var refused error
	var proofs, digests []string // by build
	alike := true
	for _, m := range c.builds {
		found, err := m.Compare()
		switch {
		case err != nil:
			return err
		case found.Refused != nil:
			refused, alike = found.Refused, false
			digests = append(digests, "refused")
			continue
		case found.Equal != "":
			proofs = append(proofs, string(found.Equal))
			digests = append(digests, "the original")
			continue
		}
		alike = false
		digests = append(digests, found.Digest)
		for _, name := range found.Affected {
			if !slices.Contains(c.affected, name) {
				c.affected = append(c.affected, name)
			}
		}
	}
	switch {
	case refused != nil && len(c.affected) == 0:
		c.Fate, c.Reason = Invalid, refused.Error()
	case alike:
		c.Fate, c.Proof = Equivalent, proofs[0]
	default:
		c.Digest = strings.Join(digests, " ")
	}
	return nil
}

// groupSize is how many mutants are judged together, so that a case has its
// inputs and its exact results computed once for all.
const groupSize = 48

// groups are the mutants of the part, in order, in groups of one set of entry points.
func (p *Plan) groups() [][]*plannedMutant {
	var groups [][]*plannedMutant
	for _, c := range p.part() {
		last := len(groups) - 1
		if last < 0 || len(groups[last]) == groupSize || !slices.Equal(groups[last][0].Kernels, c.Kernels) {
			groups = append(groups, nil)
			last++
		}
		groups[last] = append(groups[last], c)
	}
	return groups
}
