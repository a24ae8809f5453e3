package suite

import (
	"fmt"
	"slices"
)

// Check names what a kernel can fail.
type Check string

// Checks of a run, in the order in which they are reported. checks says what each is.
const (
	CheckBound       Check = "bound"
	CheckStatistical Check = "statistical"
	CheckExact       Check = "exact"
	CheckNonFinite   Check = "nonfinite"
	CheckUnwritten   Check = "unwritten"
	CheckFormula     Check = "formula"
	CheckRounding    Check = "rounding"
	CheckDeterminism Check = "determinism"
	CheckUntouched   Check = "untouched"
	CheckReadOnly    Check = "readonly"
	CheckGuard       Check = "guard"
	CheckFault       Check = "fault"
	CheckArguments   Check = "arguments"
	CheckTables      Check = "tables"
	CheckFunctions   Check = "functions"
	CheckEqual       Check = "equal"
	CheckRefusal     Check = "refusal"
	CheckRace        Check = "race"
	CheckUninitial   Check = "uninitialised"
	CheckInactive    Check = "inactive"
	CheckUndefined   Check = "undefined"
	CheckFastMath    Check = "fastmath"
	CheckExpected    Check = "expected"
	CheckWidths      Check = "widths"
	CheckUndecided   Check = "undecided"
	CheckRunaway     Check = "runaway"
	CheckCosine      Check = "cosine"
)

// CheckInfo describes a check. A new check of cases is a constant and a row of checks.
type CheckInfo struct {
	Check   Check
	Means   string // a sentence for a reader who sees the check for the first time
	Subject Subject
	// Observed: the simulator finds it because it observes launches. metalrun.Finding describes such checks.
	Observed bool
	// Derived: no case can be declared to fail it.
	Derived bool
}

// Subject is what a check looks at.
type Subject uint8

// Subjects of checks.
const (
	SubjectValue    Subject = iota // elements of outputs
	SubjectFormula                 // what a kernel computes in exact arithmetic
	SubjectRounding                // how far roundings may take an element
	SubjectConduct                 // what launches do, whatever the values are
)

// checks are the rows of all checks, in the order of their constants.
var checks = []CheckInfo{
	{Check: CheckBound, Means: "an element is further from its exact value than rounding can take it in the " +
		"arithmetic that the kernel promises, or has where it promises none"},
	{Check: CheckStatistical, Means: "inputs are random, and an element is further from its exact value than 8.3 " +
		"standard deviations of independent roundings", Subject: SubjectRounding},
	{Check: CheckExact, Means: "an element is not the one value that it can be"},
	{Check: CheckNonFinite, Means: "NaN or infinity where a number has to be, or the reverse"},
	{Check: CheckUnwritten, Means: "an element of an output was never written"},
	{Check: CheckFormula, Means: "in exact arithmetic the kernel computes something else than its definition",
		Subject: SubjectFormula},
	{Check: CheckRounding, Means: "an element is further from what the kernel computes in exact arithmetic than " +
		"rounding can take it on any device", Subject: SubjectRounding},
	{Check: CheckDeterminism, Means: "the same launches from the same inputs gave other bits"},
	{Check: CheckUntouched, Means: "an element that has to stay as it is has changed"},
	{Check: CheckReadOnly, Means: "an input has changed", Subject: SubjectConduct},
	{Check: CheckGuard, Means: "something was written outside of a buffer", Subject: SubjectConduct},
	{Check: CheckFault, Means: "the launch ended in a fault of the kernel", Subject: SubjectConduct},
	{Check: CheckArguments, Means: "the arguments are not those of the catalogue", Subject: SubjectConduct},
	{Check: CheckTables, Means: "a table holds other numbers than it should"},
	{Check: CheckFunctions, Means: "a function is less accurate than the contract says", Derived: true},
	{Check: CheckEqual, Means: "two buffers that must have the same bits differ"},
	{Check: CheckRefusal, Means: "a shape that the host has to refuse was accepted"},
	{Check: CheckRace, Means: "two threads access the same memory in no order, one of them to write",
		Subject: SubjectConduct, Observed: true},
	{Check: CheckUninitial, Means: "memory that nobody has written reaches an output or a branch",
		Subject: SubjectConduct, Observed: true},
	{Check: CheckInactive, Means: "the value of a lane that is not active reaches an output or a branch",
		Subject: SubjectConduct, Observed: true},
	{Check: CheckUndefined, Means: "a division by zero or an impossible conversion reaches an output or a branch",
		Subject: SubjectConduct, Observed: true},
	{Check: CheckFastMath, Means: "what fast math makes of a NaN or an infinity reaches an output or a branch",
		Subject: SubjectConduct, Observed: true},
	{Check: CheckExpected, Means: "the case did not fail as it is declared to", Derived: true},
	{Check: CheckWidths, Means: "an index has too few bits for a size at which hosts launch the kernel",
		Subject: SubjectConduct},
	{Check: CheckUndecided, Means: "exact execution knows nothing of many elements of a case, and nothing else " +
		"bounds them"},
	{Check: CheckRunaway, Means: "a mutant takes many times the steps of the original: most such never end",
		Derived: true},
	{Check: CheckCosine, Means: "a mutant fails the rule of that name", Derived: true},
}

// AllChecks are the rows of all checks.
func AllChecks() []CheckInfo { return slices.Clone(checks) }

// Info is the row of a check. A name that is none has only that.
func (c Check) Info() CheckInfo {
	for _, info := range checks {
		if info.Check == c {
			return info
		}
	}
	return CheckInfo{Check: c}
}

// Noun is what readers call the check.
func (c Check) Noun() string {
	if c == CheckExact {
		return "the exact-match check"
	}
	return fmt.Sprintf("the %s check", string(c))
}

// Checks are all checks that a case can be expected to fail.
func Checks() (list []Check) {
	for _, info := range AllChecks() {
		if !info.Derived {
			list = append(list, info.Check)
		}
	}
	return list
}
