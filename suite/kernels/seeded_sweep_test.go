package kernels

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"metalconform/suite"
)

var update = flag.Bool("update", false, "record in the archives of faults which case reports each")

// BenchmarkArchives judges all archives of the fixtures by the quick sweep of their
// kernels, on the reference device, observed, and on two adversarial ones: the faults
// until a case fails, the one that is recorded first, and the alternatives in all
// cases. It prints, for each class of faults, how many are caught, and for each form
// of alternatives how many are rejected, and names those. An archive that says the
// contrary is an error. With -update it records in archives of faults that no recorded
// case catches which one does.
func BenchmarkArchives(b *testing.B) {
	for b.Loop() {
		s := &archiveStudy{devices: &seededDevices{}}
		s.faults(b)
		s.alternatives(b)
		s.devices.close()
		if err := s.write(os.Stdout); err != nil {
			b.Fatal(err)
		}
	}
}

// archiveDevices are those that archives are judged on, by their names in archives.
func archiveDevices() []seededArchive {
	return []seededArchive{{}, {device: "adversarial 0"}, {device: "adversarial 1"}}
}

// archiveStudy counts what the quick sweep makes of archives.
type archiveStudy struct {
	devices *seededDevices

	mu                sync.Mutex
	caught, conform   [][2]int // by class of hazards and by form: those that are, and all
	unheard, rejected []string // faults that conform, alternatives that do not
}

// faults judges the faults.
func (s *archiveStudy) faults(b *testing.B) {
	archives := seededArchives(b)
	s.caught = make([][2]int, len(hazardClasses()))
	inParallel(len(archives), func(i int) {
		a := &archives[i]
		var r *suite.Result
		var device string
		if a.note == "" {
			r, device = s.firstFailure(b, a)
		}
		found := a.note != "" || r != nil
		s.mu.Lock()
		defer s.mu.Unlock()
		class := slices.IndexFunc(hazardClasses(), func(c hazardClass) bool { return slices.Contains(c.hazards, a.hazard) })
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
			if err := a.record(*r, device); err != nil {
				b.Errorf("%s: %v", a.name, err)
			}
		}
	})
}

// firstFailure is the first result of the kernel's sweep that fails, and the device.
func (s *archiveStudy) firstFailure(b *testing.B, a *seededArchive) (*suite.Result, string) {
	shaders, _ := a.open(b)
	opts := suite.Options{Shaders: shaders, Parallel: 1}
	for _, on := range append([]seededArchive{{device: a.device, cases: a.cases}}, archiveDevices()...) {
		cases := on.cases
		if cases == nil {
			cases = kernelCases(a.kernel, func(suite.Case) bool { return true })
		}
		semantics, err := on.semantics()
		if err != nil {
			b.Fatal(err)
		}
		for _, c := range cases {
			if r := verdicts(b, s.devices.runner(b, semantics), opts, c)[0]; r.Status != suite.Pass {
				return &r, on.device
			}
		}
	}
	return nil, ""
}

// alternatives judges the alternatives.
func (s *archiveStudy) alternatives(b *testing.B) {
	list := alternatives(b)
	s.conform = make([][2]int, len(forms()))
	inParallel(len(list), func(i int) {
		a := &list[i]
		failures := s.failures(b, a)
		s.mu.Lock()
		defer s.mu.Unlock()
		form := slices.Index(forms(), a.form)
		s.conform[form][1]++
		s.conform[form][0] += count(len(failures) > 0)
		if (len(failures) > 0) != (a.rejected != "") {
			b.Errorf("%s: %d cases reject it, and the archive says %q", a.name, len(failures), a.rejected)
		}
		if len(failures) > 0 {
			s.rejected = append(s.rejected, fmt.Sprintf("%s (%d cases, first %s)", a.name, len(failures), failures[0].Headline()))
		}
	})
}

// failures are the results of the alternative's sweep that fail.
func (s *archiveStudy) failures(b *testing.B, a *alternative) []suite.Result {
	shaders, _ := a.open(b)
	opts := suite.Options{Shaders: shaders, Parallel: 1}
	cases := a.cases(b, func(suite.Case) bool { return true })
	var failed []suite.Result
	for _, on := range archiveDevices() {
		semantics, err := on.semantics()
		if err != nil {
			b.Fatal(err)
		}
		for _, r := range verdicts(b, s.devices.runner(b, semantics), opts, cases...) {
			if r.Status != suite.Pass {
				failed = append(failed, r)
			}
		}
	}
	return failed
}

// write prints both tables, and below each what it should not count.
func (s *archiveStudy) write(w io.Writer) error {
	var rows [][]string
	for i, c := range hazardClasses() {
		rows = append(rows, tally(c.name, s.caught[i]))
	}
	if err := writeCounts(w, []string{"Seeded faults", "caught", "of"}, rows, s.caught, s.unheard); err != nil {
		return err
	}
	rows = nil
	for i, form := range forms() {
		rows = append(rows, tally(form, s.conform[i]))
	}
	return writeCounts(w, []string{"Correct alternatives", "rejected", "of"}, rows, s.conform, s.rejected)
}

// tally is a row of a table of counts.
func tally(name string, n [2]int) []string {
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
	if err := writeTable(w, header, append(rows, tally("all", all))); err != nil {
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
func (a *seededArchive) record(r suite.Result, device string) error {
	if len(r.Failures) == 0 {
		return fmt.Errorf("%s: %s", r.Case, r.Text())
	}
	path := filepath.Join("../../fixtures/faults", a.name+".txtar")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	comment, files, _ := strings.Cut(string(text), "\n-- ")
	var lines []string
	for line := range strings.Lines(comment + "\n") {
		key, _, _ := strings.Cut(line, ": ")
		if !slices.Contains([]string{"case", "device", "check", "at", "other", "missed"}, key) {
			lines = append(lines, line)
		}
	}
	f := r.Failures[0]
	lines = append(lines, "case: "+r.Case+"\n")
	if device != "" {
		lines = append(lines, "device: "+device+"\n")
	}
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
		lines = append(lines, fmt.Sprintf("%s: %s\n", key, strings.TrimSpace(strings.Split(sources[file], "\n")[n-1])))
	}
	return os.WriteFile(path, []byte(strings.Join(lines, "")+"-- "+files), 0o644)
}
