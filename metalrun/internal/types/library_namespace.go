package types

import "slices"

// openings are namespaces of the standard library.
type openings uint8

const (
	opensMetal openings = 1 << iota
	opensPrecise
	opensFast
)

// holds is the library's namespace that a scope has a program's additions to.
func (s *scope) holds() openings {
	switch s.path {
	case "metal::":
		return opensMetal
	case "metal::precise::":
		return opensPrecise
	case "metal::fast::":
		return opensFast
	}
	return 0
}

// metal reports whether namespace metal is among them.
func (o openings) metal() bool { return o&opensMetal != 0 }

// plainly is the function of namespace metal, and no variant of it.
var plainly = []string{""}

// hasVariant reports whether namespaces precise and fast have a function of that name.
func hasVariant(name string) bool {
	return slices.ContainsFunc(library()[name], func(s *signature) bool { return s.row.prec })
}

// inVariant is a function's name with the namespace in metal that it is of.
func inVariant(variant, name string) string {
	if variant == "" {
		return name
	}
	return variant + "::" + name
}

// opens are the library's namespaces that the qualification names or has opened.
func (q qualification) opens() openings {
	switch {
	case q.precision == "precise":
		return opensPrecise
	case q.precision == "fast":
		return opensFast
	case q.std:
		return q.library | opensMetal
	}
	return q.library
}

// variants are the namespaces in metal with a function of that name, "" for metal itself; nil if the library has none
// there. A namespace that is named has to have it, which the call checks.
func (q qualification) variants(name string) (list []string) {
	if !isBuiltin(name) {
		return nil
	}
	if q.precision != "" {
		return []string{q.precision}
	}
	open := q.opens()
	if open.metal() {
		list = plainly
	}
	if !hasVariant(name) {
		return list
	}
	if open&opensPrecise != 0 {
		list = append(slices.Clip(list), "precise")
	}
	if open&opensFast != 0 {
		list = append(slices.Clip(list), "fast")
	}
	return list
}
