package suite

import (
	"fmt"
	"strconv"
	"strings"
)

// Position is a line of a file with declarations; as text, file:line.
type Position struct {
	File string
	Line int // from 1; 0 of a text that names none
}

func (p Position) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// MarshalText and UnmarshalText write a position as file:line.
func (p Position) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

func (p *Position) UnmarshalText(text []byte) error {
	*p = Position{File: string(text)}
	if colon := strings.LastIndexByte(p.File, ':'); colon >= 0 {
		if line, err := strconv.Atoi(p.File[colon+1:]); err == nil && line > 0 {
			*p = Position{p.File[:colon], line}
		}
	}
	return nil
}

// Outdated is a declaration that has expired, is not true, or no longer changes anything.
type Outdated struct {
	Position Position `json:"position"` // none if there is no file
	Text     string   `json:"text"` // why
}

func (o Outdated) String() string {
	if o.Position == (Position{}) {
		return o.Text
	}
	return fmt.Sprintf("%s: %s", o.Position, o.Text)
}
