package survey

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"metalconform/metalrun"
	"metalconform/metalrun/probe"
)

// Format is the version of the file.
const Format = 1

// Report is what a device said.
type Report struct {
	Format  int    `json:"format"`
	Program string `json:"program,omitempty"` // version of Conform
	// SHA-256 of the shader files, since a copy of them has no commit
	Sources   map[string]string `json:"sources"`
	Device    Device            `json:"device"`
	Power     string            `json:"power,omitempty"` // what the system said of its supply
	Clock     metalrun.Clock    `json:"clock,omitempty"` // of a launch
	Probe     *probe.Report     `json:"probe,omitempty"`
	Files     []File            `json:"files,omitempty"`
	Pipelines []Pipeline        `json:"pipelines,omitempty"`
	Methods   []metalrun.Method `json:"methods,omitempty"`
	Stopped   string            `json:"stopped,omitempty"` // why sections are missing
	Done      bool              `json:"done"`
}

// Device names the device.
type Device struct {
	Backend string `json:"backend"`
	Name    string `json:"name"`
	Detail  string `json:"detail"`
}

// File is a shader file as the device's compiler took it in one build.
type File struct {
	Name     string  `json:"name"`
	Build    string  `json:"build"`
	Seconds  float64 `json:"seconds"`
	Warnings string  `json:"warnings,omitempty"`
	Refused  string  `json:"refused,omitempty"`
}

// Pipeline is a kernel as the device built it.
type Pipeline struct {
	File   string `json:"file"`
	Kernel string `json:"kernel"`
	Build  string `json:"build"`
	metalrun.Pipeline
	Declared int    `json:"declared"` // bytes of threadgroup memory that the front end counts in the kernel
	Own      int    `json:"own,omitempty"`
	Refused  string `json:"refused,omitempty"`
	// Control says that the control kernel beside the refusal was built: the device lacks something, and is not broken.
	Control bool `json:"control,omitempty"`
}

// Build is a choice of arithmetic in which kernels are built.
type Build struct {
	Name    string
	Options metalrun.CompileOptions
}

// Builds are those that the sweep uses.
func Builds() []Build {
	return []Build{
		{"safe, precise functions", metalrun.CompileOptions{}},
		{"fast, fast functions", metalrun.CompileOptions{MathMode: metalrun.MathFast, FastFunctions: true}},
	}
}

// New is a report about a device that was asked nothing yet.
func New(d metalrun.Device, program string, shaders fs.FS) (*Report, []metalrun.Source, error) {
	r := &Report{Format: Format, Program: program, Sources: map[string]string{},
		Device: Device{d.Backend, d.Name, d.Detail}}
	names, err := fs.Glob(shaders, "*.metal")
	if err != nil {
		return nil, nil, err
	}
	var sources []metalrun.Source
	for _, name := range names {
		text, err := fs.ReadFile(shaders, name)
		if err != nil {
			return nil, nil, err
		}
		r.Sources[name] = fmt.Sprintf("%x", sha256.Sum256(text))
		sources = append(sources, metalrun.SourceText(name, string(text)))
	}
	return r, sources, nil
}

// MostBytes is more than any report has.
const MostBytes = 64 << 20

// Parse reads a report.
func Parse(text []byte) (*Report, error) {
	var report Report
	if err := json.Unmarshal(text, &report); err != nil {
		return nil, fmt.Errorf("no report of conform device: %w", err)
	}
	switch {
	case report.Format == 0 || report.Device.Name == "":
		return nil, errors.New("no report of conform device: it names no device")
	case report.Format > Format:
		return nil, fmt.Errorf("format %d is of a later version of Conform: this one reads up to %d", report.Format,
			Format)
	}
	return &report, nil
}

// Changed lists the shader files that are others now than those that the report is about.
func (r *Report) Changed(shaders fs.FS) (names []string, err error) {
	now, _, err := New(metalrun.Device{}, "", shaders)
	if err != nil {
		return nil, err
	}
	for name, digest := range r.Sources {
		if now.Sources[name] != digest {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}
