package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"metalconform/internal/config"
	"metalconform/metalrun"
	"metalconform/metalrun/differential"
	"metalconform/metalrun/sim"
	"metalconform/suite/adhoc"
	"metalconform/suite/explore"
)

// project is how a project's sources are compiled, and what the witness is to agree about at least.
type project struct {
	dir     string // of its sources, in its checkout
	dirs    []string
	defines []string
	least   int // kernels
}

// projects are those whose checkouts are in CONFORM_PACKS.
var projects = map[string]project{
	"candle":     {dir: "candle-metal-kernels/src/metal_src", least: 290},
	"mlx-native": {dir: "src", least: 182},
	"mlx":        {dir: "mlx/backend/metal/kernels", dirs: []string{"."}, least: 138},
	"ggml": {dir: "src/ggml-metal", dirs: []string{"src"},
		defines: []string{"GGML_METAL_HAS_BF16", "GGML_METAL_HAS_TENSOR"}, least: 108},
}

// apart says why kernels mean something else in C++, by file and name.
var apart = map[string]string{
	"random.metal rand_normal_f32":  mirrored,
	"random.metal rand_normal_f16":  mirrored,
	"random.metal rand_normal_bf16": mirrored,
}

const mirrored = "threads of a simdgroup write to the same places, and the last one of them is left open"

// Few instances of a template are asked about, unless CONFORM_PACKS_ALL is set.
const instances = 3

// TestWitnessProjects asks clang what the kernels of other projects make of generated inputs. CONFORM_PACKS names the
// directory of their checkouts, CONFORM_PACKS_RUN the files whose names match.
func TestWitnessProjects(t *testing.T) {
	root := os.Getenv("CONFORM_PACKS")
	if root == "" {
		t.Skip("CONFORM_PACKS names no directory of checkouts")
	}
	clang := differential.Clang()
	if clang == "" {
		t.Skip("there is no clang to ask")
	}
	only, err := regexp.Compile(os.Getenv("CONFORM_PACKS_RUN"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(projects)) {
		p, dir := projects[name], filepath.Join(root, name)
		if _, err := os.Stat(dir); err != nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Chdir(dir)
			files, err := config.MetalFiles([]string{p.dir})
			if err != nil {
				t.Fatal(err)
			}
			sum := hearing{reasons: map[string]int{}}
			for _, file := range files {
				if only.MatchString(file) {
					t.Run(filepath.Base(file), func(t *testing.T) { sum.add(hear(t, clang, p, file)) })
				}
			}
			t.Log(sum)
			if sum.agreed < p.least && only.String() == "" {
				t.Errorf("clang agrees about %d kernels, want %d at least", sum.agreed, p.least)
			}
		})
	}
}

// hearing is what the witness says of kernels, each of which is one function or template of a source: it agrees if it
// does about every instance that it is asked about, and there is one.
type hearing struct {
	kernels, agreed  int
	instances, asked int
	agreedInstances  int
	idle             int            // instances that leave everything as it was
	reasons          map[string]int // why others are not asked about
}

func (h *hearing) add(o hearing) {
	h.kernels, h.agreed = h.kernels+o.kernels, h.agreed+o.agreed
	h.instances, h.asked, h.agreedInstances, h.idle = h.instances+o.instances, h.asked+o.asked,
		h.agreedInstances+o.agreedInstances, h.idle+o.idle
	for why, n := range o.reasons {
		h.reasons[why] += n
	}
}

func (h hearing) String() string {
	text := fmt.Sprintf("clang agrees about %d of %d kernels: %d instances, %d asked, %d agree, %d of which do nothing",
		h.agreed, h.kernels, h.instances, h.asked, h.agreedInstances, h.idle)
	whys := slices.SortedFunc(maps.Keys(h.reasons), func(a, b string) int { return h.reasons[b] - h.reasons[a] })
	for _, why := range whys[:min(len(whys), 40)] {
		text += fmt.Sprintf("\n%6d %s", h.reasons[why], why)
	}
	return text
}

// question is a launch that the witness is asked about, and what the executor makes of it.
type question struct {
	differential.Launch
	place metalrun.Position
	after [][]byte
	idle  bool
	why   string // there is none
}

// hear asks about the kernels of a file.
func hear(t *testing.T, clang string, p project, file string) hearing {
	h := hearing{reasons: map[string]int{}}
	questions, err := p.questions(t, file)
	if err != nil {
		t.Error(err)
		return h
	}
	var launches []differential.Launch
	for _, q := range questions {
		if q.why == "" {
			launches = append(launches, q.Launch)
		}
	}
	var answers []differential.Answer
	if len(launches) > 0 {
		if answers, err = differential.Ask(clang, t.TempDir(), launches); err != nil {
			t.Error(err)
			return h
		}
	}
	h.instances, h.asked = len(questions), len(launches)
	// instances that agree, and whether one does not
	places, differ := map[metalrun.Position]int{}, map[metalrun.Position]bool{}
	name := func(q question) string { return filepath.Base(file) + " " + q.Kernel }
	for _, q := range questions {
		places[q.place] += 0
		var a differential.Answer
		if a.Refused = q.why; q.why == "" {
			a, answers = answers[0], answers[1:]
		}
		if a.Refused != "" {
			h.asked -= b2i(q.why == "")
			h.reasons[a.Refused]++
			t.Logf("%s is not asked about: %s", name(q), a.Refused)
			continue
		}
		why, differs := apart[name(q)], differential.Difference(a.Buffers, q.after)
		switch {
		case differs != "" && why == "":
			t.Errorf("%s: %s", name(q), differs)
			differ[q.place] = true
		case differs == "" && why != "":
			t.Errorf("%s agrees, though %s", name(q), why)
		case differs == "":
			places[q.place]++
			h.agreedInstances++
			h.idle += b2i(q.idle)
		}
	}
	h.kernels = len(places)
	for at, n := range places {
		h.agreed += b2i(n > 0 && !differ[at])
	}
	t.Log(h)
	return h
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// questions are launches of the kernels of a file, or of some instances of each.
func (p project) questions(t *testing.T, file string) ([]question, error) {
	c := checking{CompileFlags: config.NewCompileFlags(), exec: true}
	c.Version, c.Include = 400, p.dirs
	for _, name := range p.defines {
		c.Prologue = append(c.Prologue, "#define "+name+" 1\n")
	}
	units, err := unitsOf(&c.CompileFlags, []string{file})
	if err != nil {
		return nil, err
	}
	var list []question
	for _, u := range units {
		program, err := metalrun.Analyse(u.source, u.options)
		if err != nil {
			return nil, err
		}
		some := sample(program.Signatures())
		if len(some) == 0 {
			continue
		}
		if program, err = metalrun.Analyse(u.source, u.options.For(some...)); err != nil {
			return nil, err
		}
		kernels, program, err := adhoc.Kernels(program, &adhoc.Spec{})
		if err != nil {
			return nil, err
		}
		e := explore.New(explore.Options{Spec: &adhoc.Spec{}, Budget: explore.UsualBudget})
		store := &adhoc.Store{}
		for _, k := range kernels {
			q, err := ask(e, program, k.Using(store))
			if err != nil {
				return nil, err
			}
			list = append(list, q)
		}
	}
	return list, nil
}

// sample are the names of a few instances of each kernel: the first, the last and one between.
func sample(all []metalrun.Signature) (names []string) {
	of := map[metalrun.Position][]string{}
	for _, s := range all {
		of[s.Declared] = append(of[s.Declared], s.Name)
	}
	for _, s := range all {
		list := of[s.Declared]
		n := len(list)
		picked := []string{list[0], list[n/2], list[n-1]}
		if n <= instances || os.Getenv("CONFORM_PACKS_ALL") != "" || slices.Contains(picked, s.Name) {
			names = append(names, s.Name)
		}
	}
	return names
}

// ask looks for a launch of a kernel in which check -exec finds nothing, best one that changes a buffer.
func ask(e *explore.Explorer, program *metalrun.Program, k adhoc.Kernel) (question, error) {
	none := question{Launch: differential.Launch{Kernel: k.Info.Name}, place: k.Info.Declared, why: k.Unfilled()}
	if none.why != "" {
		return none, nil
	}
	observed, err := compiled(program, k.Info.Name, sim.Semantics{Check: true, SameValue: true, Steps: explore.MaxSteps,
		ThreadSteps: explore.MaxThreadSteps, TotalSteps: sim.StepsIn(10 * time.Second)})
	if err != nil {
		none.why = err.Error()
		return none, nil
	}
	plain, err := compiled(program, k.Info.Name, sim.Semantics{})
	if err != nil {
		return none, err
	}
	best := none
	for _, l := range attempts(k, observed.MaxThreads()) {
		found, err := e.Launch(context.Background(), observed, l)
		if err != nil {
			return none, err
		}
		if len(found) > 0 {
			if best.why == "" && !best.idle {
				best.why = "launches show: " + found[0].Check
			}
			continue
		}
		asked := question{Launch: differential.Launch{Source: program.Source(), Options: program.Options(),
			Kernel: k.Info.Name}, place: k.Info.Declared}
		if asked.Dispatch, asked.after, asked.idle, err = ran(plain, l.Again()); err != nil {
			return none, err
		}
		if best = asked; !asked.idle {
			break
		}
	}
	return best, nil
}

// mostAttempts are launches of a kernel that are tried.
const mostAttempts = 40

// attempts are launches, the likeliest first.
func attempts(k adhoc.Kernel, maxThreads int) (list []adhoc.Launch) {
	for _, size := range k.Threadgroups(maxThreads) {
		all := k.Launches(size)
		slices.Reverse(all)
		list = append(list, all...)
	}
	for _, size := range k.Threadgroups(maxThreads) {
		for _, o := range k.Otherwise(size) {
			list = append(list, o.Launches(size)...)
		}
	}
	return list[:min(len(list), mostAttempts)]
}

// compiled is a kernel on a simulator.
func compiled(p *metalrun.Program, name string, s sim.Semantics) (metalrun.Kernel, error) {
	library, err := sim.New(s).Compile(p)
	if err != nil {
		return nil, err
	}
	return library.Kernel(name)
}

// ran is a launch as it begins and what it leaves.
func ran(k metalrun.Kernel, l adhoc.Launch) (begin metalrun.Dispatch, after [][]byte, idle bool, err error) {
	begin = l.Dispatch()
	begin.Bindings = slices.Clone(begin.Bindings)
	end := begin
	end.Bindings = slices.Clone(begin.Bindings)
	for i, b := range begin.Bindings {
		begin.Bindings[i].Data, end.Bindings[i].Data = slices.Clone(b.Data), slices.Clone(b.Data)
	}
	if _, err := k.Run(end); err != nil {
		return begin, nil, false, err
	}
	idle = true
	for i, b := range end.Bindings {
		after = append(after, b.Data)
		idle = idle && bytes.Equal(b.Data, begin.Bindings[i].Data)
	}
	return begin, after, idle, nil
}
