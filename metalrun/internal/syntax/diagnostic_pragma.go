package syntax

import (
	"maps"
	"slices"
	"strings"
)

// warnings are what #pragma clang diagnostic has said so far, and where.
type warnings struct {
	muted  map[string]bool
	pushed []map[string]bool
	log    map[string][]suppression // by file, in the order of the text
}

// suppression is which warnings are muted from a place on.
type suppression struct {
	from  Pos
	muted map[string]bool
}

// obey follows the words after "clang diagnostic".
func (w *warnings) obey(at Pos, words []Token) {
	if len(words) == 0 {
		return
	}
	switch words[0].Text {
	case "push":
		w.pushed = append(w.pushed, w.muted)
	case "pop":
		if n := len(w.pushed); n > 0 {
			w.muted, w.pushed = w.pushed[n-1], w.pushed[:n-1]
		}
	case "ignored", "warning", "error", "fatal":
		next := maps.Clone(w.muted)
		if next == nil {
			next = map[string]bool{}
		}
		for _, t := range words[1:] {
			if name := strings.Trim(t.Text, `"`); known(name) {
				next[name] = words[0].Text == "ignored"
			}
		}
		w.muted = next
	}
	if w.log == nil {
		w.log = map[string][]suppression{}
	}
	list := w.log[at.File]
	// said when the file was included before, and not any more
	for len(list) > 0 && !before(list[len(list)-1].from, at) {
		list = list[:len(list)-1]
	}
	w.log[at.File] = append(list, suppression{at, w.muted})
}

// known reports whether a warning that there is has a name, or is in the group of that name. Others
// are not kept: each of very many would be copied with all before it.
func known(name string) bool {
	for warning, groups := range warningGroups {
		if name == warning || slices.Contains(groups, name) {
			return true
		}
	}
	return false
}

// warningGroups are the groups that a warning belongs to, the narrowest first.
var warningGroups = map[string][]string{
	"-Wreturn-type":        {"-Wmost", "-Wall", "-Weverything"},
	"-Wunused-variable":    {"-Wunused", "-Wmost", "-Wall", "-Weverything"},
	"-Wunknown-attributes": {"-Wattributes", "-Weverything"},
}

func mutes(muted map[string]bool, warning string) bool {
	if m, said := muted[warning]; said {
		return m
	}
	for _, group := range warningGroups[warning] {
		if m, said := muted[group]; said {
			return m
		}
	}
	return false
}
