package reports

import (
	"strings"
	"time"

	"metalconform/metalrun"
	"metalconform/metalrun/probe"
	"metalconform/suite"
)

// Schema and Version name the lines of results.jsonl. A change that makes a line
// mean something else, or that readers of this version would misread, raises the
// version; members that they may ignore do not.
const (
	Schema  = "conform.results"
	Version = 2
)

// Header is the first line of results.jsonl: what the verdicts follow from, and
// what a reader of them wants to know of the kernels.
//
// Two runs of the same thing have the same lines but for the times of a clock,
// which are Started here, NS and CostNS in each result and ElapsedNS in the ending. CPUs are
// for the record, too.
type Header struct {
	Schema  string        `json:"schema"`
	Version int           `json:"version"`
	Conform string        `json:"conform"` // version of the program
	Started time.Time     `json:"started"`
	Commit  string        `json:"commit,omitempty"` // of the kernels; empty if unknown
	Device  Device        `json:"device"`
	Probe   *probe.Report `json:"probe,omitempty"` // of a GPU
	Host    Host          `json:"host"`
	Options Options       `json:"options"`
	Planned int           `json:"planned"`         // cases of all shards
	Shard   *Shard        `json:"shard,omitempty"` // nil if there is one only

	// Root is the directory of the shaders, as it was named on the command line.
	Root    string            `json:"root"`
	Shaders map[string]Shader `json:"shaders"` // by name, relative to Root
	Kernels []Kernel          `json:"kernels"` // and pipelines that are judged, in the order of the catalogue

	Required []Requirement `json:"required,omitempty"` // that have to be judged
	Absent   []Absence     `json:"absent,omitempty"`   // declarations in force

	// MostUndecided is the share of a kernel's elements that may stay undecided; nil: any.
	MostUndecided *float64 `json:"most_undecided,omitempty"`

	// Rules is a digest of the declarations, specifications and accuracies that decided; empty if
	// there were none.
	Rules string `json:"rules,omitempty"`
}

// Device is what the kernels ran on: a [metalrun.Device].
type Device struct {
	Backend  string         `json:"backend"` // metal or simulator
	Name     string         `json:"name"`
	Detail   string         `json:"detail,omitempty"`
	Clock    metalrun.Clock `json:"clock"`    // what times are measured by: gpu or host
	Observes bool           `json:"observes"` // findings show what Metal leaves undefined
}

// NewDevice is a device as the header has it: what it can do is told apart.
func NewDevice(d metalrun.Device) Device {
	return Device{Backend: d.Backend, Name: d.Name, Detail: d.Detail, Clock: d.Clock, Observes: d.Observes}
}

// complete derives what a header does not say that was written before devices
// said it.
func (d *Device) complete(o Options) {
	if d.Clock != "" {
		return
	}
	d.Clock = metalrun.GPUClock
	if d.Backend == "simulator" {
		d.Clock, d.Observes = metalrun.HostClock, o.Checks
	}
}

// Host is the machine.
type Host struct {
	OS   string   `json:"os"`
	Arch string   `json:"arch"`
	CPUs []string `json:"cpus,omitempty"` // those of all shards, in alphabetical order
}

func (h Host) String() string {
	text := h.OS + "/" + h.Arch
	if len(h.CPUs) > 0 {
		text += ", " + strings.Join(h.CPUs, " and ")
	}
	return text
}

// Options are the choices of a run.
type Options struct {
	Run       string `json:"run,omitempty"` // regular expression that selects cases
	Sweep     string `json:"sweep"`
	Seed      uint64 `json:"seed"`
	Semantics string `json:"semantics"` // of the simulator
	// Adversaries are the devices that judged beside it.
	Adversaries int    `json:"adversaries,omitempty"`
	Math        string `json:"math"`
	Checks      bool   `json:"checks"`           // that launches are watched
	Flags       string `json:"flags,omitempty"`  // that repeat it beside -run, -sweep, -seed and -repeat
	Repeat      int    `json:"repeat,omitempty"` // launches of each case; 0 for one
	Exact       bool   `json:"exact,omitempty"`  // formula and rounding were judged too
	// Accuracies is the device that the accuracies of f32 functions were measured on which
	// bounds rest on beside the specification.
	Accuracies string `json:"accuracies,omitempty"`
}

// Shard is the part of a run that one process judged.
type Shard struct {
	Index int `json:"index"` // from 1 on
	Of    int `json:"of"`
	Cases int `json:"cases"` // to be judged
	// Costs is a digest of the costs by which cases were dealt out; empty if they were
	// dealt out in turn.
	Costs string `json:"costs,omitempty"`
}

// Has reports whether the case of that index in the run can be one of the shard's.
// Without costs cases are dealt out in turn, because neighbours take the same time.
func (s Shard) Has(index int) bool { return s.Costs != "" || index%s.Of == s.Index-1 }

// Shader is a file of the shaders that was compiled.
type Shader struct {
	SHA256 string `json:"sha256"`
	Text   string `json:"text"` // empty if no kernel that was judged is made of it, or results are to have none
	// Diagnostics say why it does not compile; line 0 is for what has no position.
	Diagnostics metalrun.Diagnostics `json:"diagnostics,omitempty"`
	// Panicked says that this program is to blame for that: whether it compiles is not known.
	Panicked bool `json:"panicked,omitempty"`
}

// Kernel is what is known of a kernel or pipeline beside its results.
type Kernel struct {
	Name     string    `json:"name"`
	Family   string    `json:"family"`
	Doc      string    `json:"doc"`                // one sentence
	Pipeline []string  `json:"pipeline,omitempty"` // kernels that it launches; nil for a kernel
	Axes     []string  `json:"axes,omitempty"`
	Bindings []Binding `json:"bindings"`           // of a pipeline, its buffers
	Contract string    `json:"contract,omitempty"` // empty for a pipeline, and for a kernel that has a definition alone
	File     string    `json:"file,omitempty"`     // of the entry point; empty if there is none, and for a pipeline
	Line     int       `json:"line,omitempty"`
	// Lack is why nothing can be judged by that name, as far as the sources show.
	Lack *suite.Lack `json:"lack,omitempty"`
}

// Binding is an argument of a kernel. Its index is its position.
type Binding struct {
	Name    string   `json:"name"`
	Role    string   `json:"role"`              // in, out, inout, constant or struct
	Type    string   `json:"type,omitempty"`    // of elements; empty for a struct
	Extents []string `json:"extents,omitempty"` // an axis, a number, or … for what is computed from axes
	Fields  []string `json:"fields,omitempty"`  // of a struct, each with its type
}
