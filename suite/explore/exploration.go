package explore

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"metalconform/metalrun"
	"metalconform/suite"
	"metalconform/suite/adhoc"
)

// exploration launches one kernel of a file in every way that it needs, and collects what is found.
type exploration struct {
	*Explorer
	file  string
	at    family
	known map[findingKey][]string // what to state so that findings of others are none; nil: nothing helps
	cured map[findingKey][]string // likewise, of its own
	stays map[findingKey]bool     // what no other guess cures in threadgroups of another size
	store *adhoc.Store            // of its launches
	shown *observation            // by launches in every way; nil: there were none

	met    []metalrun.Choice  // by the last launch
	tried  map[choiceKey]bool // where launches have tried other values
	like   *observation       // of others, that whole grids have shown
	part   bool               // a part was launched before
	inPart *observation       // that this has shown, if it is not known; nil: there is none

	alike   bool // the kernel shows what others of its place do, and takes over what that came to
	answers answers

	full   bool          // the kernel is launched in every way if others are not like it
	unlike []observation // what it has shown that others have not, where that has to wait

	reported []report

	launches, cases int
	effort
}

// effort is what launches have taken, and may take.
type effort struct {
	work   int64           // of the launches so far
	hung   int64           // what those that do not end count more, for the file
	budget int64           // of the file
	raise  string          // the flag that raises it
	trials int64           // that trials of very many unspecified values may still take
	late   *metalrun.Fault // of the first launch that ran out of time; nil: none did
}

// report is what an exploration has to report: a launch that it has made, or findings.
type report struct {
	launch *Provenance
	list   []Finding
}

func (q *exploration) tell(list []Finding) { q.reported = append(q.reported, report{list: list}) }

// explore launches the kernel.
func (q *exploration) explore(ctx context.Context, u Unit, info metalrun.KernelInfo) error {
	library, err := q.Checked().Compile(u.Program)
	if err != nil {
		return err
	}
	defer library.Release()
	kernel, err := library.Kernel(info.Name)
	if err != nil {
		q.tell([]Finding{q.failed(info, err)})
		return nil
	}
	defer q.forget()
	defer q.keepMostSevere()
	switch err := q.kernel(ctx, metered{kernel, &q.work, &q.hung, &q.late}, info, u); {
	case errors.Is(err, errSpent):
		q.tell([]Finding{q.spent(info)})
	case err != nil:
		return err
	}
	q.unknown(info)
	return nil
}

// forget lets go of the launches behind findings, and of their buffers.
func (q *exploration) forget() {
	for _, x := range q.reported {
		for i := range x.list {
			x.list[i].shown = nil
		}
	}
}

// kernel launches one entry point in every way and tells what is found.
func (q *exploration) kernel(ctx context.Context, kernel metalrun.Kernel, info metalrun.KernelInfo, u Unit) error {
	few, err := q.statedCases(info)
	if err != nil {
		return err
	}
	ofFile := few != nil
	if !ofFile {
		few, err = q.catalogueCases(info)
	}
	if err != nil {
		note := metalrun.Finding{Check: "arguments", Kernel: info.Name, Party: declared(info),
			Grade: metalrun.GradeNote,
			Message: fmt.Sprintf("%s does not have the arguments of the catalogue's kernel of that name, and gets "+
				"generated inputs (%v)", info.Name, err)}
		q.tell([]Finding{{Source: q.file, Finding: note}})
	}
	if k, ok := u.Generated[info.Name]; ok {
		if why := k.Unfilled(); why != "" {
			note := metalrun.Finding{Check: "arguments", Kernel: info.Name, Party: declared(info),
				Grade: metalrun.GradeNote, Message: info.Name + " is not launched: " + why}
			q.tell([]Finding{{Source: q.file, Finding: note}})
			return nil
		}
		for range q.at.fewer { // as others of the place had to
			if smaller, _, ok := k.Smaller(); ok {
				k = smaller
			}
		}
		return q.generated(ctx, kernel, k.Using(q.store), u)
	}
	for _, c := range few {
		if !ofFile {
			q.cases++
		}
		list, err := q.launch(ctx, info, Provenance{Case: c.Name},
			func() ([]metalrun.Finding, error) { return suite.Observe(kernel, c, q.Seed) })
		if err != nil {
			return err
		}
		q.tell(list)
	}
	return nil
}

// asOthers makes the first and the last launch of a kernel in each size in which others of its place show the same.
// Where it shows something else than they, that is unlike.
func (q *exploration) asOthers(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel,
	sizes []metalrun.Size) (like bool, unlike []observation, err error) {
	if q.Accurate != nil {
		return false, nil, nil
	}
	for _, size := range q.at.sizes() {
		if !slices.Contains(sizes, size) {
			continue
		}
		like, hangs := false, false
		if q.at.common(size) {
			q.part = true
			like, hangs, _, err = q.asOther(ctx, kernel, s, sizes, size, true)
		}
		if !like && !hangs && err == nil {
			var shown observation
			like, hangs, shown, err = q.asOther(ctx, kernel, s, sizes, size, false)
			unlike = append(unlike, shown)
		}
		if like || hangs || err != nil {
			return like, nil, err
		}
	}
	return false, unlike, nil
}

// asOther does so in one size, in part if others have shown the same there often enough: then the last launch is made
// alone, of the first threadgroup, its neighbours and the last, and has to meet no unspecified values but those that
// were tried in others.
func (q *exploration) asOther(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, sizes []metalrun.Size,
	size metalrun.Size, part bool) (like, hangs bool, shown observation, err error) {
	first, last, hangs, err := q.firstAndLast(ctx, kernel, s, size, true, part)
	if err != nil || hangs || part && !q.at.tries(q.met, size) {
		return false, hangs, shown, err
	}
	shown = observationOf(size, first, last)
	list, other, hangs, err := q.withSeveralSimdgroups(ctx, kernel, s, sizes, shown, part)
	if err != nil || hangs {
		return false, hangs, shown, err
	}
	here := seen(first, last)
	shown.among = other
	known := q.at.known(shown) || part && q.at.partly(shown)
	if !known && part {
		q.inPart = &shown
	}
	if !known || !q.asked(here) {
		return false, false, shown, nil
	}
	if err := q.miscounted(ctx, kernel, s, sizes, here); err != nil {
		return false, false, shown, err
	}
	q.alike = true
	if !part {
		q.like = &shown
	}
	list = append(list, here...)
	err = q.grade(kernel, list)
	q.tell(list)
	return true, false, shown, err
}

// firstAndLast makes the first and the last launch of a kernel in threadgroups of a size, which may be one, or a part
// of the last alone.
func (q *exploration) firstAndLast(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, size metalrun.Size,
	unspecified, part bool) (first, last []Finding, hangs bool, err error) {
	launches := s.Launches(size)
	if part {
		last, hangs, err = q.enough(ctx, kernel, s, launches[len(launches)-1].Corner(), false)
		return nil, last, hangs, err
	}
	first, hangs, err = q.enough(ctx, kernel, s, launches[0], unspecified)
	if end := len(launches) - 1; end > 0 && !hangs && err == nil {
		last, hangs, err = q.enough(ctx, kernel, s, launches[end], false)
		return first, last, hangs, err
	}
	return first, first, hangs, err
}

// withSeveralSimdgroups looks for what kernels that are like a observation of one simdgroup show in threadgroups of
// several, and is what this one shows there, with its races that are reported of them.
func (q *exploration) withSeveralSimdgroups(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel,
	sizes []metalrun.Size, shown observation, part bool) (list []Finding, here *multiSimdgroup, hangs bool, err error) {
	for _, other := range q.at.companies(shown) {
		if other == nil || !slices.Contains(sizes, other.size) {
			continue
		}
		first, last, hangs, err := q.firstAndLast(ctx, kernel, s, other.size, false, part)
		if err != nil || hangs {
			return nil, nil, hangs, err
		}
		here = multiSimdgroupOf(other.size, last)
		if !here.same(other) {
			continue
		}
		for _, o := range slices.Concat(first, last) {
			stated, reported := other.reported[o.key()]
			if reported && stated != nil {
				o.dueTo(stated)
			}
			if reported {
				list = append(list, o)
			}
		}
		break
	}
	return list, here, false, nil
}

// asked reports whether all that counts has been asked for with other guesses, and turns into notes what these do not
// show, or what function constants decide.
func (q *exploration) asked(list []Finding) bool {
	for i := range list {
		o := &list[i]
		stated, asked := q.known[o.key()]
		if !asked && o.Grade != metalrun.GradeNote {
			return false
		}
		if stated != nil && o.guessed() {
			o.dueTo(stated)
		}
		if local := o.beyondLocal(); local != "" {
			o.constantsDecide(local)
		}
	}
	return true
}
