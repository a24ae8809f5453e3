package mutate

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"metalconform/internal/regular"
)

// Annotation is why a mutant survives.
type Annotation struct {
	File string // that says so
	Line int    // of the file
	Key  string // of the mutant
	// Equivalent says that the mutant computes the same by an argument that no
	// rule carries out; otherwise it computes something else, and no case shows it.
	Equivalent bool
	Reason     string
}

// Edit is what the key names: the file, the function and the operator of the edit.
// What is missing in it is empty.
func (e Annotation) Edit() (file, function, operator string) {
	file, rest, _ := strings.Cut(e.Key, " ")
	function, rest, _ = strings.Cut(rest, " ")
	operator, _, _ = strings.Cut(rest, ":")
	return file, function, operator
}

func (e Annotation) position() string { return fmt.Sprintf("%s:%d", e.File, e.Line) }

// ReadAnnotations reads a file of explained survivors, or all files of a directory
// whose names end in .txt. A line at the margin is what the indented lines after
// it have in common, the keys of mutants:
//
//	# comment
//	equivalent: one clause that says why
//		norm.metal threadgroup_sum constant: …
//	undetected: one clause that says why no case shows it
//		norm.metal rms_norm_qk cast: …
//
// No mutant is explained twice. Errors name the file and the line.
func ReadAnnotations(path string) ([]Annotation, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	names := []string{path}
	if info.IsDir() {
		entries, err := os.ReadDir(path)
		if err != nil {
			return nil, err
		}
		names = nil
		for _, e := range entries {
			if filepath.Ext(e.Name()) == ".txt" {
				names = append(names, filepath.Join(path, e.Name()))
			}
		}
		if len(names) == 0 {
			return nil, fmt.Errorf("%s: no file of the directory ends in .txt", path)
		}
	}
	r := annotations{seen: map[string]Annotation{}}
	for _, name := range names {
		file, err := regular.Open(name, regular.Text)
		if err != nil {
			return nil, err
		}
		err = r.read(name, file)
		file.Close()
		if err != nil {
			return nil, err
		}
	}
	return r.list, nil
}

// annotations are those that have been read.
type annotations struct {
	list []Annotation
	seen map[string]Annotation // by key
}

// read adds those of a file.
func (x *annotations) read(name string, r io.Reader) error {
	e := Annotation{File: name}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		e.Line++
		text := strings.TrimSpace(lines.Text())
		indented := strings.HasPrefix(lines.Text(), "\t") || strings.HasPrefix(lines.Text(), " ")
		earlier, again := x.seen[text]
		switch {
		case text == "" || strings.HasPrefix(text, "#"):
		case !indented:
			kind, why, ok := strings.Cut(text, ": ")
			if !ok || !slices.Contains([]string{"equivalent", "undetected"}, kind) {
				return fmt.Errorf("%s: want equivalent: or undetected: and a reason", e.position())
			}
			e.Equivalent, e.Reason = kind == "equivalent", strings.TrimSpace(why)
		case e.Reason == "":
			return fmt.Errorf("%s: a mutant without a reason before it", e.position())
		case again:
			return fmt.Errorf("%s: the mutant is explained at %s already", e.position(), earlier.position())
		default:
			e.Key = text
			x.seen[text] = e
			x.list = append(x.list, e)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// Unannotated are the survivors without an annotation.
func Unannotated(mutants []Mutant, annotations []Annotation) []Mutant {
	annotated := byKey(annotations)
	return slices.DeleteFunc(slices.Clone(mutants), func(m Mutant) bool {
		_, ok := annotated[m.Key]
		return ok || m.Fate != Survived
	})
}

// StaleAnnotations are the annotations of what does not survive, or is no mutant.
func StaleAnnotations(mutants []Mutant, annotations []Annotation) []Annotation {
	survives := map[string]bool{}
	for _, m := range mutants {
		if m.Fate == Survived {
			survives[m.Key] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(annotations), func(e Annotation) bool { return survives[e.Key] })
}

// ApplyAnnotations gives the survivors that are explained as equivalent that fate.
func ApplyAnnotations(mutants []Mutant, annotations []Annotation) []Mutant {
	annotated := byKey(annotations)
	mutants = slices.Clone(mutants)
	for i, m := range mutants {
		if e := annotated[m.Key]; m.Fate == Survived && e.Equivalent {
			mutants[i].Fate, mutants[i].Proof = Equivalent, e.Reason
		}
	}
	return mutants
}

func byKey(annotations []Annotation) map[string]Annotation {
	m := map[string]Annotation{}
	for _, e := range annotations {
		m[e.Key] = e
	}
	return m
}
