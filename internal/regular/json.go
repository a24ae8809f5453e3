package regular

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// JSON decodes a text of others that is one value of JSON. An object that has a member twice means one thing to one
// reader and something else to the next: it is refused, and so is one with members that differ in case alone, since
// those of a struct are found whatever their case.
func JSON(text []byte, v any) error {
	if err := json.Unmarshal(text, v); err != nil {
		return err
	}
	return Unambiguous(text)
}

// KnownJSON is JSON without members that the value has no room for.
func KnownJSON(text []byte, v any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(v); err != nil {
		return err
	}
	if rest := bytes.TrimLeft(text[decoder.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return fmt.Errorf("%q behind the value", rest[:min(len(rest), 8)])
	}
	return Unambiguous(text)
}

// Unambiguous is the error of an object in a text that has a member twice, and of bytes that are not UTF-8, in whose
// place every text would have the same character. The text is JSON otherwise.
func Unambiguous(text []byte) error {
	if !utf8.Valid(text) {
		return errors.New("not UTF-8")
	}
	s := memberScan{text: text}
	for s.at < len(text) {
		if err := s.step(); err != nil {
			return err
		}
	}
	return nil
}

// memberScan goes through a text that is JSON.
type memberScan struct {
	text []byte
	at   int
	open []memberList // of the objects and lists around
	free [][][]byte   // of those that are closed
}

// memberList are the names of an object so far, in one case.
type memberList struct {
	object, key bool // key: a name is next
	names       [][]byte
	more        map[string]bool // of many names
}

// fewNames are looked through faster than they are hashed.
const fewNames = 24

// step takes in a token.
func (s *memberScan) step() error {
	switch c := s.text[s.at]; c {
	case '{', '[':
		list := memberList{object: c == '{', key: c == '{'}
		if n := len(s.free); n > 0 {
			list.names, s.free = s.free[n-1], s.free[:n-1]
		}
		s.open = append(s.open, list)
	case '}', ']':
		n := len(s.open) - 1
		s.free = append(s.free, s.open[n].names[:0])
		s.open = s.open[:n]
	case ',':
		n := len(s.open) - 1
		s.open[n].key = s.open[n].object
	case '"':
		return s.quoted()
	}
	s.at++
	return nil
}

// quoted takes in a text, and notes it if it is a name.
func (s *memberScan) quoted() error {
	begin, plain := s.at, true
	for s.at++; s.text[s.at] != '"'; s.at++ {
		switch c := s.text[s.at]; {
		case c == '\\':
			plain = false
			s.at++
		case 'A' <= c && c <= 'Z' || c >= 0x80:
			plain = false
		}
	}
	s.at++
	n := len(s.open) - 1
	if n < 0 || !s.open[n].key {
		return nil
	}
	s.open[n].key = false
	name := s.text[begin+1 : s.at-1]
	if !plain {
		var spelt string
		if err := json.Unmarshal(s.text[begin:s.at], &spelt); err != nil {
			return err
		}
		name = []byte(strings.ToLower(strings.ToUpper(spelt))) // the long s and the sign of Kelvin are letters too
	}
	if !s.open[n].add(name) {
		return fmt.Errorf("an object has the member %s twice, or two that differ in case alone", s.text[begin:s.at])
	}
	return nil
}

// add notes a name, and reports whether it is new.
func (m *memberList) add(name []byte) bool {
	if m.more != nil {
		known := m.more[string(name)]
		m.more[string(name)] = true
		return !known
	}
	if slices.ContainsFunc(m.names, func(other []byte) bool { return bytes.Equal(other, name) }) {
		return false
	}
	if m.names = append(m.names, name); len(m.names) > fewNames {
		m.more = map[string]bool{}
		for _, other := range m.names {
			m.more[string(other)] = true
		}
	}
	return true
}
