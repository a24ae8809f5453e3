package suite

import "fmt"

// Check names what a kernel can fail.
type Check string

// Checks of a run, in the order in which they are reported.
const (
	CheckBound Check = "bound" // an element is further from its exact value than its rigorous bound
	// inputs are random, and an element is further from its exact value than its statistical bound
	CheckStatistical Check = "statistical"
	CheckExact       Check = "exact"     // an element is not the one value that it can be
	CheckNonFinite   Check = "nonfinite" // NaN or Inf where a number has to be, or the reverse
	CheckUnwritten   Check = "unwritten" // an element of an output was never written
	// in exact arithmetic the kernel computes something else than its definition
	CheckFormula Check = "formula"
	// an element is further from what the kernel computes in exact arithmetic than any device may be
	CheckRounding    Check = "rounding"
	CheckDeterminism Check = "determinism" // the same launches from the same inputs gave other bits
	CheckUntouched   Check = "untouched"   // an element that has to stay changed
	CheckReadOnly    Check = "readonly"    // an input changed
	CheckGuard       Check = "guard"       // a write outside a buffer
	CheckFault       Check = "fault"       // the launch ended in a fault of the kernel
	CheckArguments   Check = "arguments"   // the argument table is not the catalogue's
	// a table of the program holds other numbers than the catalogue's, or is not as it is declared
	CheckTables    Check = "tables"
	CheckFunctions Check = "functions" // a function is called that is less accurate than the contract says
	CheckEqual     Check = "equal"     // two buffers that must have the same bits differ
	CheckRefusal   Check = "refusal"   // a shape that the host has to refuse was accepted
	// two threads access memory in no order, one of them to write: see metalrun.Finding for this and the next four
	CheckRace      Check = "race"
	CheckUninitial Check = "uninitialised" // memory that nobody has written reaches an output or a branch
	CheckInactive  Check = "inactive"      // the value of a lane that is not active does
	CheckUndefined Check = "undefined"     // a division by zero or an impossible conversion does
	CheckFastMath  Check = "fastmath"      // what fast math makes of a NaN or an infinity does
	CheckExpected  Check = "expected"      // a case did not fail as it is declared to
)

// Noun is what readers call the check.
func (c Check) Noun() string {
	if c == CheckExact {
		return "the exact-match check"
	}
	return fmt.Sprintf("the %s check", string(c))
}

// Checks are all checks that a case can be expected to fail.
func Checks() []Check {
	return []Check{
		CheckBound, CheckStatistical, CheckExact, CheckNonFinite, CheckUnwritten, CheckFormula, CheckRounding,
		CheckDeterminism, CheckUntouched,
		CheckReadOnly, CheckGuard, CheckFault, CheckArguments, CheckTables, CheckEqual, CheckRefusal,
		CheckRace, CheckUninitial, CheckInactive, CheckUndefined, CheckFastMath,
	}
}

// CheckRunaway is what kills a mutant that takes more than many times the
// steps of the original: most of them would never end.
const CheckRunaway Check = "runaway"

// CheckCosine is what kills by the rules of that name.
const CheckCosine Check = "cosine"
