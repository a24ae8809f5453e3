package explore

import (
	"fmt"
	"slices"
	"strings"

	"metalconform/metalrun"
	"metalconform/suite"
	"metalconform/suite/adhoc"
)

// A finding may be due to what its launch took for granted. Which guess may be to blame depends on its kind.

// elsewhere turns a finding at one threadgroup size into a note, because another size
// shows none.
func (o *Finding) elsewhere(size, other metalrun.Size) {
	if o.Grade == metalrun.GradeNote {
		return
	}
	o.Grade = metalrun.GradeNote
	o.Message = fmt.Sprintf("%s in threadgroups of %s threads, and nothing is found in those of %s: %s", o.Check,
		shape(size, other), shape(other, size), o.Message)
}

// shape is how many threads a size has, and along which axes if another size has as many.
func shape(size, other metalrun.Size) string {
	if size.Count() != other.Count() {
		return fmt.Sprint(size.Count())
	}
	return fmt.Sprintf("%d × %d × %d", size.X, size.Y, size.Z)
}

// guessed reports whether what launches took for granted may be at fault: who states some of it counts on
// the rest.
func (o Finding) guessed() bool {
	return o.Grade != metalrun.GradeNote && len(o.Launch.Guessed) > 0 && len(o.Launch.Given) == 0
}

// mayBeDueTo reports whether a finding that other guesses do not show may have been the fault of the first.
// Places that fall together part if strides do, or lengths by which indices are multiplied grow. Who makes
// lengths smaller only hides such a finding, or a barrier that some threads do not reach, since any length
// has to do. A grid that is smaller than what divides it makes a divisor of zero.
func (o Finding) mayBeDueTo(other adhoc.Otherwise) bool {
	switch {
	case !o.guessed():
		return false
	case other.Ranged:
		return o.Check == string(suite.CheckFastMath) || o.Check == string(suite.CheckUndefined) && !o.divides()
	case other.Filled:
		return o.Check == string(suite.CheckUndefined)
	case other.Apiece:
		return o.inBuffer() && o.Does == "write" && o.Other.Does == "write"
	case other.Counts:
		return o.Check != string(suite.CheckUndefined)
	case o.ofThread():
		return other.Few
	case other.Least:
		return o.leavesArray() || other.Parts && o.divides()
	case o.Check == string(suite.CheckUndefined):
		return true
	case o.is(metalrun.Divergent):
		return false
	case o.is(metalrun.Misaligned), o.before():
		return other.Apart || other.Wider
	case o.ends():
		return true
	case !o.inBuffer():
		return false
	}
	return other.Apart || other.Wider && o.Threadgroup != o.Other.Threadgroup
}

// ofThread reports whether it is a variable or an array of a thread that holds nothing yet: how many elements there are
// may be a guess.
func (o Finding) ofThread() bool {
	return o.Check == string(suite.CheckUninitial) && o.Object.Table == "thread"
}

// beyondLocal is the flag that states the length of a threadgroup argument beyond whose end it is an access, "" for
// others, and where nobody guessed that length or function constants. What the host has to allocate depends on such
// constants: with other values the memory that a device has may do.
func (o Finding) beyondLocal() string {
	constant := func(flag string) bool { return strings.HasPrefix(flag, "-constant ") }
	if !o.guessed() || !o.is(metalrun.OutOfRange) || o.before() || o.fault.Access.Table != "threadgroup" ||
		!slices.ContainsFunc(o.Launch.Guessed, constant) {
		return ""
	}
	local := fmt.Sprintf("-local %d=", o.fault.Access.Index)
	if !slices.ContainsFunc(o.Launch.Guessed, func(flag string) bool { return strings.HasPrefix(flag, local) }) {
		return ""
	}
	return local + "N"
}

// constantsDecide turns such an access into a note.
func (o *Finding) constantsDecide(local string) {
	o.Grade = metalrun.GradeNote
	o.Message = fmt.Sprintf("fault with guessed function constants, in all the threadgroup memory that there is: "+
		"state them with -constant, and %s: %s", local, o.Message)
}

// verdict says what a finding with another length comes to.
type verdict uint8

const (
	passed    verdict = iota // what a length alone may make: rows that fall together, too many steps
	undecided                // a host may know that there is no such length
	decided
)

// ofLength is the verdict on a finding that only another length shows. Memory of a threadgroup and barriers have
// to be right for each, whatever the threads of a threadgroup; where rows lie is decided if nothing else says so.
func (o Finding) ofLength(other adhoc.Otherwise, threads int) verdict {
	switch {
	case o.Grade == metalrun.GradeNote:
		return passed
	case o.Check == string(suite.CheckRace):
		if o.Object.Table == "threadgroup" || other.Alone {
			return decided
		}
	case o.Check == string(suite.CheckUninitial):
		if other.Only {
			return decided
		}
	case !o.ends():
	case o.is(metalrun.Divergent) && other.Value < float64(threads):
		return undecided // a host may launch no more threads than the length
	case o.is(metalrun.Divergent), o.before():
		return decided
	case o.leavesArray(), o.is(metalrun.Misaligned):
		return undecided
	}
	return passed
}

// heavy turns a fault into a note that a kernel has which ends, after more steps than a launch may take.
func (o *Finding) heavy() {
	if !o.is(metalrun.OutOfSteps) {
		return
	}
	o.Grade = metalrun.GradeNote
	o.Message = "what a whole launch would show is not known, since all loops of the kernel count, to ends that take " +
		"long: state smaller ones, or a launch file: " + o.Message
}

// undecided turns a finding that only some length shows into a note.
func (o *Finding) undecided(stated []string) {
	o.Grade = metalrun.GradeNote
	o.Message = fmt.Sprintf("%s with %s: give that flag if there are such lengths, or state those that there are, as "+
		"flags or in a launch file: %s", o.Check, stated[len(stated)-1], o.Message)
}

// dueTo turns a finding into a note, because it is not found where other values are stated.
func (o *Finding) dueTo(stated []string) {
	o.Grade = metalrun.GradeNote
	const most = 4
	text := strings.Join(stated[:min(most, len(stated))], " ")
	if len(stated) > most {
		text += " …"
	}
	guessed := "integers"
	if strings.HasPrefix(text, "-range ") {
		guessed = "floats"
	}
	o.Message = fmt.Sprintf("%s with guessed %s, and nothing of the kind with %s: state them, or a launch "+
		"file: %s", o.Check, guessed, text, o.Message)
}
