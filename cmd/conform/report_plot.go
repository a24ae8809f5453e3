package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"metalconform/internal/budget"
	"metalconform/internal/exit"
	"metalconform/internal/regular"
	"metalconform/internal/session"
	"metalconform/reports"
	"metalconform/reports/plot"
	"metalconform/suite"
	"metalconform/suite/kernels"

	"github.com/spf13/pflag"
)

// plotFlags say what is plotted, and from what beside the results.
type plotFlags struct {
	dir   string
	width int // of PNG in pixels; 0 for SVG
	bench []string
	roof  plot.Roof
	most  int            // kernels shown one by one; 0 for the usual number
	rows  *budget.Budget // that the files of times take from
}

func (f *plotFlags) add(flags *pflag.FlagSet) {
	f.rows = budget.New(budget.Own)
	session.AddBudget(flags, f.rows)
	flags.StringVar(&f.dir, "plots", "", "also write plots into `DIR`, each named after what it shows")
	flags.IntVar(&f.width, "png", 0, "write them as PNG, `PIXELS` wide, instead of SVG")
	flags.StringArrayVar(&f.bench, "bench", nil,
		"plot the times in `FILE`, from conform bench, instead of those of the run; repeatable")
	flags.IntVar(&f.most, "pages", 0,
		fmt.Sprintf("with html or -plots, show `N` kernels one by one, those that fail first, and ten cases for "+
			"each; %d if not given", plot.MostKernels))
	flags.Float64Var(&f.roof.Bandwidth, "bandwidth", 0,
		"plot rates below the device's bandwidth of `N` bytes per second")
	flags.Float64Var(&f.roof.Arithmetic, "arithmetic", 0,
		"plot rates below the `N` operations per second that the device can do")
}

// check refuses what no flag can refuse by itself.
func (f plotFlags) check() error {
	if f.width > 0 && (f.width < plot.LeastWidth || f.width > plot.MostWidth) {
		return exit.Usagef("-png %d: want a width of %d to %d pixels", f.width, plot.LeastWidth, plot.MostWidth)
	}
	return nil
}

// figures are the plots of a run, and of what has changed since a baseline if that
// is not nil.
func (f plotFlags) figures(run reports.Run, baseline *reports.Run) ([]plot.Figure, error) {
	d := plot.Data{Run: run, Baseline: baseline, Bench: plot.NewBench(), Cost: costs(), Roof: f.roof,
		Scalings: scalings(), Most: f.most}
	for _, name := range f.bench {
		times, err := readBench(name, f.rows)
		if err != nil {
			return nil, exit.Usagef("-bench: %w", err)
		}
		if len(times.Seconds)+len(times.Rates) == 0 {
			return nil, exit.Usagef("-bench: %s has no rows of conform bench", name)
		}
		if err := d.Bench.Append(times); err != nil {
			return nil, exit.Usagef("-bench: %s: %w", name, err)
		}
	}
	return d.Figures(), nil
}

func readBench(name string, rows *budget.Budget) (t reports.Times, err error) {
	file, err := regular.Open(name, regular.Results)
	if err != nil {
		return t, err
	}
	defer file.Close()
	return reports.ReadBench(file, name, rows)
}

// scalings are those of the catalogue, as lines of figures.
func scalings() []plot.Scaling {
	var list []plot.Scaling
	families := kernels.All()
	for _, s := range kernels.Scalings() {
		figure := plot.Scaling{Name: s.Name, Doc: s.Doc, Parts: s.Parts, Axis: string(s.Lines[0].Axis)}
		for _, l := range s.Lines {
			line := plot.ScalingLine{Name: l.Name}
			for _, v := range s.Values {
				var names []string
				for _, c := range l.Cases(families, v) {
					names = append(names, c.Name)
					if figure.Others == "" {
						figure.Others = others(c, l.Axis)
					}
				}
				if len(names) > 0 {
					line.Values, line.Cases = append(line.Values, v), append(line.Cases, names)
				}
			}
			figure.Lines = append(figure.Lines, line)
		}
		list = append(list, figure)
	}
	return list
}

// others spells the axes of a case but one.
func others(c suite.Case, axis suite.Axis) string {
	var words []string
	for _, a := range c.Kernel.Axes {
		if a != axis {
			words = append(words, fmt.Sprintf("%s=%d", a, c.Shape[a]))
		}
	}
	return strings.Join(words, " ")
}

// costs knows the cases of the catalogue.
func costs() func(name string) (suite.Cost, bool) {
	known := catalogueCosts()
	return func(name string) (suite.Cost, bool) {
		c, ok := known[name]
		return c, ok
	}
}

// catalogueCosts are the costs of the cases of the catalogue.
var catalogueCosts = sync.OnceValue(func() map[string]suite.Cost {
	known := map[string]suite.Cost{}
	for _, c := range suite.Measurable(session.OwnCases()(suite.Full)) {
		known[c.Name] = c.Kernel.Cost(c.Shape)
	}
	for _, s := range kernels.Scalings() {
		for _, c := range slices.Concat(s.Cases(kernels.All())...) {
			known[c.Name] = c.Kernel.Cost(c.Shape)
		}
	}
	return known
})

// write writes every figure into the directory, which it makes.
func (f plotFlags) write(figures []plot.Figure) error {
	if err := os.MkdirAll(f.dir, 0o777); err != nil {
		return err
	}
	for _, figure := range figures {
		if err := f.writeFile(figure); err != nil {
			return fmt.Errorf("%s: %w", figure.Name, err)
		}
	}
	return nil
}

func (f plotFlags) writeFile(figure plot.Figure) error {
	ending, write := ".svg", func(w io.Writer) error { _, err := w.Write(figure.SVG); return err }
	if f.width > 0 {
		ending, write = ".png", func(w io.Writer) error { return figure.PNG(w, f.width) }
	}
	file, err := regular.Create(filepath.Join(f.dir, figure.Name+ending))
	if err != nil {
		return err
	}
	defer file.Close()
	if err := write(file); err != nil {
		return err
	}
	return file.Close()
}
