package kernels

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"metalconform/oracles"
	"metalconform/suite"
)

var (
	update = flag.Bool("update", false,
		"TestCountedWork records what it finds; BenchmarkArchives in archives of faults which case reports each")
	chosen = flag.String("archives", "",
		"regular expression of the archives that TestSeededFaults, TestAlternatives and BenchmarkArchives try; if "+
			"empty, the tests try a sample and the benchmark all; otherwise TestFaults tries all of its own")
)

// BenchmarkArchives judges all archives of the fixtures by the quick sweep of their
// kernels, as conform run does: the faults until a case fails, the one that is recorded
// first, and the alternatives in all cases. It prints, for each class of faults, how many are caught, and for each form
// of alternatives how many are rejected, and names those. An archive that says the
// contrary is an error. With -update it records in archives of faults that no recorded
// case catches which one does, and in alternatives that are rejected the declarations
// that their failures ask for, if these are enough.
func BenchmarkArchives(b *testing.B) {
	for b.Loop() {
		s := &archiveStudy{run: newSeededRun(b), chosen: regexp.MustCompile(*chosen)}
		s.faults(b)
		s.alternatives(b)
		if err := s.write(os.Stdout); err != nil {
			b.Fatal(err)
		}
	}
}

// archiveStudy counts what the quick sweep makes of archives.
type archiveStudy struct {
	run    *seededRun
	chosen *regexp.Regexp // names of archives

	mu                sync.Mutex
	caught, conform   [][2]int // by class of hazards and by form: those that are, and all
	unheard, rejected []string // faults that conform, alternatives that do not
}

// faults judges the faults.
func (s *archiveStudy) faults(b *testing.B) {
	archives := slices.DeleteFunc(seededArchives(b),
		func(a seededArchive) bool { return !s.chosen.MatchString(a.name) })
	s.caught = make([][2]int, len(hazardClasses()))
	inParallel(len(archives), func(i int) {
		a := &archives[i]
		var r *suite.Result
		if a.note == "" {
			r = s.firstFailure(b, a)
		}
		found := a.note != "" || r != nil
		s.mu.Lock()
		defer s.mu.Unlock()
		class := slices.IndexFunc(hazardClasses(),
			func(c hazardClass) bool { return slices.Contains(c.hazards, a.hazard) })
		s.caught[class][1]++
		s.caught[class][0] += count(found)
		if !found {
			s.unheard = append(s.unheard, a.name+": "+a.missed)
		}
		switch {
		case r == nil:
			if a.note == "" && a.missed == "" {
				b.Errorf("%s conforms", a.name)
			}
		case slices.ContainsFunc(a.cases, func(c suite.Case) bool { return c.Name == r.Case }):
		case !*update:
			b.Errorf("%s is reported by %s, and not by what it says: -update records it", a.name, r.Case)
		default:
			if err := a.record(*r); err != nil {
				b.Errorf("%s: %v", a.name, err)
			}
		}
	})
}

// firstFailure is the first result of the kernel's sweep that fails, recorded cases
// first.
func (s *archiveStudy) firstFailure(b *testing.B, a *seededArchive) *suite.Result {
	shaders, _ := a.open(b)
	sweep := suite.WithConstants(kernelCases(a.kernel, func(suite.Case) bool { return true }), shaders, nil)
	for _, c := range slices.Concat(a.made(b, shaders), sweep) {
		r := s.run.results(b, shaders, shaders.InModes([]suite.Case{c}, nil, a.math)...)[0]
		if r.Status == suite.Fail ||
			r.Status == suite.Error {
			r.Case = c.Name
			return &r
		}
	}
	return nil
}

// alternatives judges the alternatives.
func (s *archiveStudy) alternatives(b *testing.B) {
	list := slices.DeleteFunc(alternatives(b), func(a alternative) bool { return !s.chosen.MatchString(a.name) })
	s.conform = make([][2]int, len(forms()))
	inParallel(len(list), func(i int) {
		a := &list[i]
		failures := s.failures(b, a)
		if *update && len(failures) > 0 {
			failures = s.declare(b, a, failures)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		form := slices.Index(forms(), a.form)
		s.conform[form][1]++
		s.conform[form][0] += count(len(failures) > 0)
		if (len(failures) > 0) != (a.rejected != "") {
			b.Errorf("%s: %d cases reject it, and the archive says %q", a.name, len(failures), a.rejected)
		}
		if len(failures) > 0 {
			s.rejected = append(s.rejected,
				fmt.Sprintf("%s (%d cases, first %s)", a.name, len(failures), failures[0].Headline()))
		}
	})
}

// failures are the results of the alternative's sweep that fail.
func (s *archiveStudy) failures(b *testing.B, a *alternative) []suite.Result {
	shaders, _ := a.open(b)
	cases := suite.WithConstants(a.cases(b, func(suite.Case) bool { return true }), shaders, nil)
	results := s.run.results(b, shaders, cases...)
	return slices.DeleteFunc(results, func(r suite.Result) bool { return r.Status == suite.Pass })
}

// declare makes the declarations that failures ask for, and records them if the kernel
// conforms then. It returns what fails all the same.
func (s *archiveStudy) declare(b *testing.B, a *alternative, failures []suite.Result) []suite.Result {
	for range 3 {
		before := len(a.declared)
		for _, r := range failures {
			for _, f := range r.Failures {
				if f.Remedy != nil {
					a.declared = append(a.declared, f.Remedy.Contract...)
				}
			}
		}
		slices.SortFunc(a.declared, func(x, y oracles.Setting) int { return strings.Compare(x.String(), y.String()) })
		a.declared = slices.Compact(a.declared)
		if failures = s.failures(b, a); len(failures) == 0 {
			var lines []string
			for _, setting := range a.declared {
				lines = append(lines, fmt.Sprintf("declare: %s\n", setting))
			}
			if err := a.amend("alternatives", []string{"declare", "rejected"}, lines); err != nil {
				b.Errorf("%s: %v", a.name, err)
			}
			a.rejected = ""
			return nil
		}
		if len(a.declared) == before {
			break
		}
	}
	return failures
}

// write prints both tables, and below each what it should not count.
func (s *archiveStudy) write(w io.Writer) error {
	var rows [][]string
	for i, c := range hazardClasses() {
		rows = append(rows, countsRow(c.name, s.caught[i]))
	}
	if err := writeCounts(w, []string{"Seeded faults", "caught", "of"}, rows, s.caught, s.unheard); err != nil {
		return err
	}
	rows = nil
	for i, form := range forms() {
		rows = append(rows, countsRow(form, s.conform[i]))
	}
	return writeCounts(w, []string{"Correct alternatives", "rejected", "of"}, rows, s.conform, s.rejected)
}

// countsRow is a row of a table of counts.
func countsRow(name string, n [2]int) []string {
	return []string{name, fmt.Sprint(n[0]), fmt.Sprint(n[1])}
}

// writeCounts prints a table with its sum, and names.
func writeCounts(w io.Writer, header []string, rows [][]string, counts [][2]int, names []string) error {
	var all [2]int
	for _, n := range counts {
		all[0] += n[0]
		all[1] += n[1]
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	if err := writeTable(w, header, append(rows, countsRow("all", all))); err != nil {
		return err
	}
	slices.Sort(names)
	for _, name := range names {
		if _, err := fmt.Fprintln(w, "   ", name); err != nil {
			return err
		}
	}
	return nil
}

// record writes into the archive which case reports the fault, by which check and
// where.
func (a *seededArchive) record(r suite.Result) error {
	if len(r.Failures) == 0 {
		return fmt.Errorf("%s: %s", r.Case, r.Text())
	}
	var lines []string
	f := r.Failures[0]
	lines = append(lines, "case: "+r.Case+"\n")
	lines = append(lines, fmt.Sprintf("check: %s\n", f.Check))
	sources, err := a.sources()
	if err != nil {
		return err
	}
	for i, place := range placesOf(f) {
		key := [...]string{"at", "other"}[i]
		file, line, _ := strings.Cut(place, ":")
		n, err := strconv.Atoi(line)
		if err != nil {
			return err
		}
		text := strings.TrimSpace(strings.Split(sources[file], "\n")[n-1])
		if _, err := a.line(sources, text); err == nil {
			lines = append(lines, fmt.Sprintf("%s: %s\n", key, text))
		}
	}
	return a.amend("faults", []string{"case", "check", "at", "other", "missed"}, lines)
}

// amend writes lines into the archive in place of those with some keys.
func (a *archive) amend(dir string, keys, lines []string) error {
	path := filepath.Join("../../fixtures", dir, a.name+".txtar")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	comment, files, _ := strings.Cut(string(text), "\n-- ")
	var kept []string
	for line := range strings.Lines(comment + "\n") {
		if key, _, _ := strings.Cut(line, ": "); !slices.Contains(keys, key) {
			kept = append(kept, line)
		}
	}
	return os.WriteFile(path, []byte(strings.Join(append(kept, lines...), "")+"-- "+files), 0o644)
}
