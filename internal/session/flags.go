package session

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"metalconform/suite"
)

// Choice is a flag that takes one of a few words.
type Choice struct {
	Value string
	Words []string
}

func (c *Choice) String() string { return c.Value }

func (c *Choice) Type() string { return "word" }

func (c *Choice) Set(s string) error {
	if !slices.Contains(c.Words, s) {
		last := len(c.Words) - 1
		return fmt.Errorf("want %s or %s", strings.Join(c.Words[:last], ", "), c.Words[last])
	}
	c.Value = s
	return nil
}

// SweepFlag is the choice of a set of cases.
func SweepFlag() Choice { return Choice{"quick", []string{"quick", "full"}} }

// SetOf is the set of cases that the flag names.
func SetOf(sweep Choice) suite.Set {
	if sweep.Value == "full" {
		return suite.Full
	}
	return suite.Quick
}

// Pattern is a flag that holds a regular expression, nil if not given.
type Pattern struct{ *regexp.Regexp }

func (p *Pattern) String() string {
	if p.Regexp == nil {
		return ""
	}
	return p.Regexp.String()
}

func (p *Pattern) Type() string { return "regexp" }

func (p *Pattern) Set(s string) error {
	compiled, err := suite.CompilePattern(s)
	p.Regexp = compiled.Regexp
	return err
}

// caseIn is the case that the pattern names in full, if cases have none of that name: at a size that their sweep has
// not, as the line that repeats a case may say.
func (p Pattern) caseIn(cases []suite.Case) (c suite.Case, found bool) {
	name := p.exactly()
	if name == "" || slices.ContainsFunc(cases, func(c suite.Case) bool { return c.Name == name }) {
		return c, false
	}
	return suite.CaseAt(cases, name)
}

// exactly is the one text that the pattern matches; "" if there are others.
func (p Pattern) exactly() string {
	if p.Regexp == nil {
		return ""
	}
	re, err := syntax.Parse(p.Regexp.String(), syntax.Perl)
	if err != nil || re.Op != syntax.OpConcat || len(re.Sub) != 3 || re.Sub[0].Op != syntax.OpBeginText ||
		re.Sub[1].Op != syntax.OpLiteral || re.Sub[1].Flags&syntax.FoldCase != 0 || re.Sub[2].Op != syntax.OpEndText {
		return ""
	}
	return string(re.Sub[1].Rune)
}

// Seed is a flag that holds the seed of all inputs.
type Seed uint64

func (s *Seed) String() string { return strconv.FormatUint(uint64(*s), 10) }

func (s *Seed) Type() string { return "seed" }

func (s *Seed) Set(text string) error {
	if text == "random" {
		var b [8]byte
		if _, err := rand.Read(b[:]); err != nil {
			return err
		}
		*s = Seed(binary.LittleEndian.Uint64(b[:]))
		return nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return errors.New("want a number from 0 to 2^64-1, or random")
	}
	*s = Seed(n)
	return nil
}
