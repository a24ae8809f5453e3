package reports

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"metalconform/internal/printable"
	"metalconform/suite"
)

// mostAnnotations is how many of a kind GitHub shows of a step; it hides the
// others without a word.
const mostAnnotations = 10

// GitHub writes workflow commands, which GitHub shows beside the lines of the
// shaders: an error for each line that something fails for, the warnings, and a notice with
// the verdict. Where there is a baseline, what is new comes first; otherwise the worst does.
func GitHub(w io.Writer, v View) error {
	var b strings.Builder
	t := v.Table()
	var errors annotations
	for _, p := range t.failing() {
		if p.Kind == ProblemFile {
			v.annotateFile(&errors, p.Name)
			continue
		}
		errors.add(at(p.At.File, p.At.Line, p.At.Col), p.Name, strings.TrimPrefix(p.Whole(), p.Name+": "))
	}
	for _, text := range v.lacks() {
		errors.add("", "conform", text)
	}
	for _, f := range v.byAge(t.Failures) {
		text := f.Text()
		if f.Also > 0 {
			text += fmt.Sprintf("\nand in %s of %s", printable.Count(f.Also, "more case"), f.Kernel)
		}
		if v.Against != nil {
			text += "\n" + map[bool]string{true: "new since ", false: "as in "}[v.Against.fresh[f.Case]] +
				v.Against.name()
		}
		errors.add(v.position(f.Result), f.Case, text+"\nrepeat: "+f.Replay)
	}
	var warnings []string
	for _, text := range t.known() {
		warnings = append(warnings, command("warning", "", "known", text))
	}
	for _, n := range t.Warnings {
		warnings = append(warnings, command("warning", v.position(suite.Result{Kernel: n.Kernel}), n.Kernel,
			fmt.Sprintf("%s (%s)", n.Text, n.Extent())))
	}
	writeMost(&b, "error", errors.commands("error"))
	writeMost(&b, "warning", warnings)
	text := scope(t, v.shard().Cases, v.Elapsed())
	if v.Against != nil {
		text += "\nagainst " + v.Against.against()
		for _, g := range v.Against.groups() {
			text += fmt.Sprintf("; %s: %d", g.title, g.count)
		}
	}
	b.WriteString(command("notice", "", t.Verdict().String(), text))
	_, err := io.WriteString(w, b.String())
	return err
}

// annotations are what there is to say, by place.
type annotations struct {
	places []string // properties, "" for none, in order
	of     map[string][]annotation
}

// annotation is one thing that is said of a place.
type annotation struct{ title, text string }

// add adds one; what has been said of the place is not said again.
func (a *annotations) add(at, title, text string) {
	if a.of == nil {
		a.of = map[string][]annotation{}
	}
	if a.of[at] == nil {
		a.places = append(a.places, at)
	}
	if one := (annotation{title, text}); !slices.Contains(a.of[at], one) {
		a.of[at] = append(a.of[at], one)
	}
}

// mostHere is how many of the other failures at a place are named.
const mostHere = 4

// commands has one for each place: the first that was said of it, and below it the first
// lines of others. What has no place stands by itself.
func (a *annotations) commands(kind string) []string {
	var list []string
	for _, at := range a.places {
		said := a.of[at]
		if at == "" {
			for _, one := range said {
				list = append(list, command(kind, at, one.title, one.text))
			}
			continue
		}
		text := said[0].text
		for i, other := range said[1:] {
			if i == mostHere {
				text += fmt.Sprintf("\nand %d more at this line", len(said)-1-mostHere)
				break
			}
			first, _, _ := strings.Cut(other.text, "\n")
			text += fmt.Sprintf("\nalso %s: %s", other.title, first)
		}
		list = append(list, command(kind, at, said[0].title, text))
	}
	return list
}

// annotateFile says of each line why a file does not compile.
func (v View) annotateFile(errors *annotations, name string) {
	quote := v.quoter()
	for _, d := range v.Shaders[name].Diagnostics {
		place := ""
		if d.Line > 0 {
			place = at(v.path(d.File), d.Line, d.Col)
		}
		errors.add(place, name, "does not compile: "+d.Message+quote(d.Position))
	}
}

// writeMost writes as many commands of a kind as GitHub shows. The last counts the
// others.
func writeMost(b *strings.Builder, kind string, commands []string) {
	if n := len(commands); n > mostAnnotations {
		rest := n - mostAnnotations + 1
		commands = append(commands[:n-rest:n-rest], command(kind, "", "conform", fmt.Sprintf("and %d more", rest)))
	}
	b.WriteString(strings.Join(commands, ""))
}

// position are the properties that say where a failure is: at the line that the case fails
// for, or at what was found in a launch, or else at the line that the kernel is to blame
// for, or at the kernel.
func (v View) position(r suite.Result) string {
	if to, ok := v.Blame[r.Case]; ok {
		return at(v.path(to.File), to.Line, to.Col)
	}
	k := v.Kernel(r.Kernel)
	file, line, col := k.File, k.Line, 0
	if at, ok := v.Blame[r.Kernel]; ok {
		file, line = at.File, at.Line
	}
	for _, f := range r.Failures {
		if f.At != nil {
			file, line, col = f.At.File, f.At.Line, f.At.Col
			break
		}
	}
	if file == "" {
		return ""
	}
	return at(v.path(file), line, col)
}

// at are the properties that say where; none of nowhere.
func at(file string, line, col int) string {
	if file == "" {
		return ""
	}
	text := fmt.Sprintf("file=%s,", property(file))
	if line > 0 {
		text += fmt.Sprintf("line=%d,", line)
	}
	if col > 0 {
		text += fmt.Sprintf("col=%d,", col)
	}
	return text
}

// byAge are failures with those first that the baseline did not have.
func (v View) byAge(failures []Failure) []Failure {
	if v.Against == nil {
		return failures
	}
	failures = slices.Clone(failures)
	slices.SortStableFunc(failures, func(a, b Failure) int {
		age := map[bool]int{true: 0, false: 1}
		return age[v.Against.fresh[a.Case]] - age[v.Against.fresh[b.Case]]
	})
	return failures
}

// path is a file of the shaders from where the run was started.
func (v View) path(file string) string { return path.Join(v.Root, file) }

// command is one workflow command.
func command(kind, at, title, message string) string {
	return fmt.Sprintf("::%s %stitle=%s::%s\n", kind, at, property(title), data(message))
}

// data escapes the text of a workflow command.
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(printable.Text(s))
}

// property escapes a property of one.
func property(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(printable.Text(s))
}
