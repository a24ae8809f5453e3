package reports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"metalconform/internal/regular"
	"metalconform/suite/mutate"
)

// MutationSchema is the version of the lines of a log of mutants.
const MutationSchema = 2

// MutationHeader is the first line of a log of mutants: what they and their fates
// follow from.
type MutationHeader struct {
	Schema      int      `json:"schema"`
	Sources     string   `json:"sources"` // digest of the kernels and of the names of the cases
	Rule        string   `json:"rule"`
	Typical     bool     `json:"typical,omitempty"` // one case judges a kernel
	Seed        uint64   `json:"seed"`
	Sweep       string   `json:"sweep"`
	Flags       string   `json:"flags,omitempty"` // others that matter
	Kernels     []string `json:"kernels,omitempty"`
	Operators   []string `json:"operators,omitempty"`
	Sample      int      `json:"sample,omitempty"`
	Adversaries int      `json:"adversaries,omitempty"`
	Mutants     int      `json:"mutants"` // that follow in a complete log
}

// MutationLog writes mutants as JSON lines, each handed to the writer whole and
// at once.
type MutationLog struct{ w io.Writer }

// NewMutationLog is a log on w, which should not buffer.
func NewMutationLog(w io.Writer) *MutationLog { return &MutationLog{w} }

// Begin writes the header.
func (l *MutationLog) Begin(h MutationHeader) error { return l.line(h) }

// Write appends a mutant.
func (l *MutationLog) Write(m mutate.Mutant) error { return l.line(m) }

func (l *MutationLog) line(v any) error {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return err
	}
	_, err := l.w.Write(line.Bytes())
	return err
}

// mostMutants is more than ten times what all kernels here have.
const mostMutants = 1 << 17

// ReadMutationLog reads what a MutationLog wrote, and how many bytes of it are
// whole lines. A last line that a killed run left unfinished is dropped.
func ReadMutationLog(r io.Reader) (h MutationHeader, mutants []mutate.Mutant, size int64, err error) {
	lines := bufio.NewReader(r)
	var line []byte
	judged := map[string]bool{}
	for n := 1; ; n++ {
		line, err = readLine(lines, line[:0])
		switch {
		case errors.Is(err, io.EOF) && n > 1:
			return h, mutants, size, nil
		case errors.Is(err, io.EOF):
			return h, nil, 0, errors.New("no header")
		case err != nil:
			return h, mutants, size, err
		}
		if n == 1 {
			if err = regular.JSON(line, &h); err == nil && h.Schema != MutationSchema {
				err = fmt.Errorf("schema %d, want %d: another conform wrote it; judge the mutants again", h.Schema,
					MutationSchema)
			}
		} else {
			var m mutate.Mutant
			if err = regular.JSON(line, &m); err == nil && (m.ID == "" || m.Fate == "") {
				err = errors.New("not a mutant: it has no id or no fate")
			} else if err == nil && judged[m.ID] {
				err = fmt.Errorf("a second verdict on %.100q", m.ID)
			}
			judged[m.ID] = true
			if mutants = append(mutants, m); len(mutants) > mostMutants {
				err = fmt.Errorf("more than %d mutants", mostMutants)
			}
		}
		if err != nil {
			return h, nil, 0, fmt.Errorf("line %d: %w", n, err)
		}
		size += int64(len(line))
	}
}

// Differences says in clauses what two headers differ in.
func (h MutationHeader) Differences(other MutationHeader) []string {
	var list []string
	for _, x := range []struct {
		what      string
		got, want any
	}{
		{"sources", h.Sources, other.Sources}, {"rule", h.Rule, other.Rule}, {"typical", h.Typical, other.Typical},
		{"seed", h.Seed, other.Seed}, {"sweep", h.Sweep, other.Sweep},
		{"flags", h.Flags, other.Flags}, {"kernels", h.Kernels, other.Kernels},
		{"operators", h.Operators, other.Operators},
		{"sample", h.Sample, other.Sample}, {"adversaries", h.Adversaries, other.Adversaries},
		{"mutants", h.Mutants, other.Mutants},
	} {
		if got, want := fmt.Sprint(x.got), fmt.Sprint(x.want); got != want {
			list = append(list, fmt.Sprintf("%s %s and not %s", x.what, got, want))
		}
	}
	return list
}
