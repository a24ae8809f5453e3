package reports

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"metalconform/internal/printable"
	"metalconform/suite"
)

// Merge joins the files of one run, which may be the shards of it, in any order:
// the result is the same to the last bit. What is missing is among its flaws, and
// so are the flaws of the files. Of a shard that was judged again one file counts: the
// first that ended. Files that disagree about the run or a result are an error. There
// is at least one file.
func Merge(files []Run) (Run, error) {
	files = slices.Clone(files)
	slices.SortStableFunc(files, earlier)
	if err := consistent(files); err != nil {
		return Run{}, err
	}
	files, err := single(files)
	if err != nil {
		return Run{}, err
	}
	run := Run{Header: files[0].Header, Ending: &Ending{}}
	run.Shard = nil
	var cpus []string
	cases := 0
	for _, f := range files {
		cases += len(f.Results)
	}
	run.Results, run.indices = make([]suite.Result, 0, cases), make([]int, 0, cases)
	for _, f := range files {
		run.Results = append(run.Results, f.Results...)
		run.indices = append(run.indices, f.indices...)
		run.Flaws = append(run.Flaws, f.Flaws...)
		cpus = append(cpus, f.Host.CPUs...)
		if f.Started.Before(run.Started) {
			run.Started = f.Started
		}
		run.join(f)
	}
	slices.Sort(cpus)
	run.Host.CPUs = slices.Compact(cpus)
	run.sort()
	run.missing(files)
	return run, nil
}

// join adds the ending of a file: together they have one if each has.
func (r *Run) join(file Run) {
	switch {
	case file.Ending == nil:
		r.Ending = nil
	case r.Ending != nil:
		r.Ending.Ended += file.Ending.Ended
		r.Ending.ElapsedNS += file.Ending.ElapsedNS
		for _, s := range file.Ending.Stale {
			if !slices.Contains(r.Ending.Stale, s) {
				r.Ending.Stale = append(r.Ending.Stale, s)
			}
		}
	}
}

// missing notes the shards that no file has and those that did not end.
func (r *Run) missing(files []Run) {
	there := map[int]bool{}
	for _, f := range files {
		s := f.shard()
		there[s.Index] = true
		if f.Ending == nil {
			what := "the run"
			if f.Shard != nil {
				what = fmt.Sprintf("shard %d of %d", s.Index, s.Of)
			}
			r.Flaws = append(r.Flaws, Flaw{Message: fmt.Sprintf("%s did not end: it has %d of %s", what, len(f.Results),
				printable.Count(s.Cases, "case")), Open: true})
		}
	}
	of := files[0].shard().Of
	var lost []string
	for i := 1; i <= of && len(lost) <= mostNamed; i++ {
		if !there[i] {
			lost = append(lost, fmt.Sprint(i))
		}
	}
	if n := of - len(there); n > 0 {
		if n > mostNamed {
			lost[mostNamed] = "…"
		}
		r.Ending = nil
		r.Flaws = append(r.Flaws,
			Flaw{Message: fmt.Sprintf("%d of %s missing: %s", n, printable.Count(of, "shard"),
				strings.Join(lost, ", "))})
	}
}

// Of a list mostNamed are named in a message, and values are shown if both
// together have no more than mostShown bytes.
const (
	mostNamed = 16
	mostShown = 200
)

// consistent fails if files are not of one run.
func consistent(files []Run) error {
	first := files[0].Header.common()
	for _, f := range files[1:] {
		if list := differences(first, f.Header.common()); len(list) > 0 {
			return fmt.Errorf("shards of different runs: %s", strings.Join(list, "; "))
		}
	}
	return nil
}

// Same fails if two headers are not of the same part of the same run.
func Same(a, b Header) error {
	x, y := a.common(), b.common()
	x.Shard, y.Shard = a.Shard, b.Shard
	x.Schema, x.Version = y.Schema, y.Version // a log's, which one of them may not have been in
	if list := differences(x, y); len(list) > 0 {
		return errors.New(strings.Join(list, "; "))
	}
	return nil
}

// earlier orders files by their shards, and those of one shard by what there is of
// them: sound and ended before the rest, then the longer, then the older.
func earlier(a, b Run) int {
	whole := func(r Run) int {
		if r.Ending != nil && len(r.Flaws) == 0 {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(a.shard().Index, b.shard().Index), cmp.Compare(whole(a), whole(b)),
		-cmp.Compare(len(a.Results), len(b.Results)), a.Started.Compare(b.Started))
}

// single keeps one file of each shard, and fails if another has a result that differs,
// or if two shards have a case.
func single(files []Run) ([]Run, error) {
	var kept []Run
	holders := map[int]*suite.Result{}
	shards := map[int]int{}
	for _, f := range files {
		index := f.shard().Index
		again := len(kept) > 0 && kept[len(kept)-1].shard().Index == index
		for i := range f.Results {
			r, at := &f.Results[i], f.indices[i]
			switch first := holders[at]; {
			case first == nil && !again:
				holders[at], shards[at] = r, index
			case first == nil:
			case shards[at] != index:
				return nil, fmt.Errorf("shards %d and %d both have %s", shards[at], index, r.Case)
			case !alike(*first, *r):
				return nil, fmt.Errorf("shard %d of %d was judged twice, and %s differs", index, f.shard().Of, r.Case)
			}
		}
		if !again {
			kept = append(kept, f)
		}
	}
	return kept, nil
}

// alike reports whether two results say the same but for times.
func alike(a, b suite.Result) bool {
	a.NS, a.CostNS, b.NS, b.CostNS = 0, 0, 0, 0
	x, errA := json.Marshal(a)
	y, errB := json.Marshal(b)
	return errA == nil && errB == nil && bytes.Equal(x, y)
}

// common is the header without what may differ between the files of a run, and
// with the digests of shaders for their texts.
func (h Header) common() Header {
	shard := Shard{Of: 1}
	if h.Shard != nil {
		shard = Shard{Of: h.Shard.Of, Costs: h.Shard.Costs}
	}
	h.Started, h.Host.CPUs, h.Shard = Header{}.Started, nil, &shard
	shaders := map[string]Shader{}
	for name, s := range h.Shaders {
		shaders[name] = Shader{SHA256: s.SHA256}
	}
	h.Shaders = shaders
	return h
}

// differences says in clauses what two headers differ in, by the names of members.
func differences(a, b Header) []string {
	x, y := members(a), members(b)
	names := slices.Sorted(maps.Keys(x))
	for name := range y {
		if _, ok := x[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var list []string
	for _, name := range names {
		switch {
		case x[name] == y[name]:
		case len(x[name])+len(y[name]) > mostShown:
			list = append(list, name+" differs")
		default:
			list = append(list,
				fmt.Sprintf("%s is %s and %s", name, cmp.Or(x[name], "nothing"), cmp.Or(y[name], "nothing")))
		}
	}
	if n := len(list) - mostNamed; n > 0 {
		list = append(list[:mostNamed], fmt.Sprintf("and %d more", n))
	}
	return list
}

// members are all members of a header as JSON, those of members with a dot
// between the names.
func members(h Header) map[string]string {
	text, err := json.Marshal(h)
	if err != nil {
		panic(err) // a header is data alone
	}
	list := map[string]string{}
	flatten(list, "", text)
	return list
}

// flatten enters a JSON value in the list: the members of an object, or whatever
// else it is as a whole.
func flatten(list map[string]string, name string, value json.RawMessage) {
	object := map[string]json.RawMessage{}
	if !bytes.HasPrefix(value, []byte("{")) || json.Unmarshal(value, &object) != nil {
		list[name] = string(value)
		return
	}
	for member, v := range object {
		if name != "" {
			member = name + "." + member
		}
		flatten(list, member, v)
	}
}

// sort brings the results into the order of the sweep.
func (r *Run) sort() {
	if len(r.indices) > 0 && slices.IsSorted(r.indices) { // as those of one process are: nothing is copied
		return
	}
	order := make([]int, len(r.indices))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(r.indices[i], r.indices[j]) })
	results, indices := make([]suite.Result, len(order)), make([]int, len(order))
	for i, from := range order {
		results[i], indices[i] = r.Results[from], r.indices[from]
	}
	r.Results, r.indices = results, indices
}
