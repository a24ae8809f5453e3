package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"metalconform/internal/checkout"
	"metalconform/internal/config"
	"metalconform/internal/exit"
	"metalconform/internal/regular"
)

// At is the selection of the same flags for a commit: every file that they name is read as the commit has it, and the
// kernels are the commit's. What a flag names that was not there says nothing. [Selection.FindProject] is next, where
// it was not called before.
func (s Selection) At(c *checkout.Checkout) (Selection, error) {
	s.Rules, s.Kernels = c, c
	spec := s.Spec
	s.Spec = Specifications{Flag: spec.Flag, Checkout: c, packs: slices.Clone(spec.packs),
		Limits: spec.Limits, Budget: spec.Budget}
	for _, file := range spec.Files {
		if err := setThere(c, file, s.Spec.Set); err != nil {
			return s, err
		}
	}
	accuracies := s.Accuracies.File
	s.Accuracies = config.Accuracies{Checkout: c}
	if err := setThere(c, accuracies, s.Accuracies.Set); err != nil {
		return s, err
	}
	if forecast := s.Forecast.Device; filepath.Ext(forecast) == ".json" {
		s.Forecast = ForecastFlag{Checkout: c}
		if err := setThere(c, forecast, s.Forecast.Set); err != nil {
			return s, err
		}
	}
	declarations := s.Config
	s.Config = "" // without the file, those beside the kernels counted
	err := setThere(c, declarations, func(name string) error {
		s.Config = name
		return nil
	})
	return s, err
}

// setThere sets a flag to the name of a file, if the commit has the file.
func setThere(c *checkout.Checkout, name string, set func(string) error) error {
	there, err := has(c, name)
	if err == nil && there {
		err = set(name)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// has reports whether a commit has a file; none has the file of no name.
func has(c *checkout.Checkout, name string) (bool, error) {
	if name == "" {
		return false, nil
	}
	real, err := c.Path(name)
	if err != nil {
		return false, err
	}
	_, err = os.Stat(real)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// DecidingFiles are the files that decide verdicts beside the kernels themselves: those that concern every kernel, and
// for each kernel those of its specification. They have the names that the command line or a directory gives them.
func (s Selection) DecidingFiles() (all []string, of map[string][]string, err error) {
	name, text, err := config.Read(s.Rules, s.Config, s.Shaders)
	if err != nil {
		return nil, nil, err
	}
	measured, err := config.AccuraciesOf(name, text)
	if err != nil {
		return nil, nil, exit.With(exit.Usage, err)
	}
	for _, file := range append([]string{name, s.Accuracies.File}, measured...) {
		if file != "" {
			all = append(all, file)
		}
	}
	if filepath.Ext(s.Forecast.Device) == ".json" {
		all = append(all, s.Forecast.Device)
	}
	of = map[string][]string{}
	for i, f := range s.Spec.Families {
		if i == len(s.Spec.reads) {
			break // of packs, which this program has
		}
		for _, k := range f.Kernels {
			of[k.Name] = append(of[k.Name], s.Spec.reads[i]...)
		}
		for _, p := range f.Pipelines {
			of[p.Name] = append(of[p.Name], s.Spec.reads[i]...)
		}
	}
	return all, of, nil
}

// ReadRule is what a file of [Selection.DecidingFiles] holds.
func (s Selection) ReadRule(name string) ([]byte, error) {
	real, err := s.Rules.Path(name)
	if err != nil {
		return nil, exit.Usagef("%v", err)
	}
	return regular.Read(real, regular.Results)
}
