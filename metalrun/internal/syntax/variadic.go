package syntax

// Parts of a macro's body that are there if variable arguments are: __VA_OPT__(tokens),
// which clang takes in every version of the language.

// checkOptional checks that each __VA_OPT__ of a macro has its parentheses and none in them.
func (pp *preprocessor) checkOptional(m *macro) bool {
	for i := range m.body {
		b := &m.body[i]
		if b.Text != "__VA_OPT__" || b.Kind != Ident {
			continue
		}
		m.optional = true
		end := optionalEnd(m.body, i)
		switch {
		case end < 0:
			pp.errorf(b.Pos, codeMacro, `__VA_OPT__ has no tokens in parentheses in macro %q`, m.name)
			return false
		case end > i+2 && (m.body[i+2].is("##") || m.body[end-1].is("##")):
			pp.errorf(b.Pos, codeMacro, `"##" may not stand at either end of __VA_OPT__`)
			return false
		}
		for _, inner := range m.body[i+2 : end] {
			if inner.Kind == Ident && inner.Text == "__VA_OPT__" {
				pp.errorf(inner.Pos, codeMacro, "__VA_OPT__ may not stand within another")
				return false
			}
		}
	}
	return true
}

// optionalEnd is where the parentheses after token i of a body close, -1 if they do not.
func optionalEnd(body []bodyToken, i int) int {
	depth := 0
	for j := i + 1; j < len(body); j++ {
		switch {
		case body[j].is("("):
			depth++
		case body[j].is(")"):
			depth--
		}
		if depth == 0 {
			if j == i+1 {
				return -1
			}
			return j
		}
	}
	return -1
}

// withOptional is the body of m with what stands in __VA_OPT__, or with placemarkers for it.
func (m *macro) withOptional(present bool) []bodyToken {
	var body []bodyToken
	for i := 0; i < len(m.body); i++ {
		b := m.body[i]
		if b.Text != "__VA_OPT__" || b.Kind != Ident {
			body = append(body, b)
			continue
		}
		end := optionalEnd(m.body, i)
		if inner := m.body[i+2 : end]; present && len(inner) > 0 {
			body = append(body, inner...)
		} else {
			body = append(body, bodyToken{Token: Token{Kind: placemarker, Space: b.Space}, param: -1})
		}
		i = end
	}
	return body
}
