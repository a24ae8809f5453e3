package syntax

import "slices"

// provenance tells where the tokens of a translation unit come from: the includes and macros that an error message
// names.
type provenance struct {
	included map[string]Pos   // by file: the first #include that led to it
	expanded map[Pos][]*macro // by the position of a use: the macros whose bodies have it
}

func newProvenance() *provenance {
	return &provenance{included: map[string]Pos{}, expanded: map[Pos][]*macro{}}
}

// expansion records that the tokens of m's body have the position of a use.
func (p *provenance) expansion(use Pos, m *macro) {
	if m.pos.IsValid() && !slices.Contains(p.expanded[use], m) {
		p.expanded[use] = append(p.expanded[use], m)
	}
}

// mostShown is the most includes that an error message names.
const mostShown = 64

// explain adds to errors the includes that led to their files and the macros whose expansion they are in.
func (p *provenance) explain(errs ErrorList) {
	for _, e := range errs {
		if e.Included != nil {
			continue
		}
		for at, ok := p.included[e.Pos.File]; ok && len(e.Included) < mostShown; at, ok = p.included[at.File] {
			e.Included = append(e.Included, at)
		}
		for i, m := range p.expanded[e.Pos] {
			at := slices.IndexFunc(m.body, func(b bodyToken) bool { return e.Name != "" && b.Text == e.Name })
			switch {
			case at >= 0:
				e.Note(m.body[at].Pos, "expanded from macro '%s'", m.name)
			case i == 0:
				e.Note(m.pos, "expanded from macro '%s'", m.name)
			}
		}
	}
}
