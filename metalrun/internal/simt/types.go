package simt

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/adjoint"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/exact"
	"metalconform/metalrun/internal/simt/guard"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/simt/profile"
	"metalconform/metalrun/internal/simt/sanitize"
)

// What a program and a launch are made of.
type (
	Options   = machine.Options
	Adversary = machine.Adversary
	SumOrder  = machine.SumOrder
	Passes    = machine.Passes
	PassInfo  = machine.PassInfo
	Size      = machine.Size
	Buffer    = machine.Buffer
	Choice    = machine.Choice
	Object    = machine.Object
	Fault     = machine.Fault
)

// What launches tell, by the package that finds it out.
type (
	Finding            = sanitize.Finding
	Party              = sanitize.Party
	Arm                = sanitize.Arm
	Note               = exact.Note
	Notes              = exact.Notes
	Sensitivity        = adjoint.Sensitivity
	Work               = profile.Work
	Run                = profile.Run
	Counted            = profile.Counted
	Executed           = profile.Executed
	Traffic            = profile.Traffic
	GuardReport        = guard.Report
	AccessSite         = profile.AccessSite
	Sampled            = profile.Sampled
	ContendedAddresses = profile.ContendedAddresses
)

// Limits and sizes.
const (
	Simdgroup            = machine.Simdgroup
	MaxThreads           = machine.MaxThreads
	MaxThreadgroupMemory = machine.MaxThreadgroupMemory
	CacheLine            = profile.CacheLine
	LiteralPatterns      = exact.LiteralPatterns
	Undefined            = sanitize.Undefined
)

// ErrNotStored says that a launch does not store an element as a float.
var ErrNotStored = adjoint.ErrNotStored

// Choices are the sites of a kernel where a device has a choice.
func Choices(k *ir.Kernel) []Choice { return codegen.Choices(k) }

// PassList describes the passes, in the order in which they are made.
func PassList() []PassInfo { return machine.PassList() }

// ParsePasses reads names with commas between them.
func ParsePasses(list string) (Passes, error) { return machine.ParsePasses(list) }
