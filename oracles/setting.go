package oracles

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Setting is what a contract says of one thing, as declarations spell it:
// functions = "fast", or sums = { square = "sequential" }.
type Setting struct {
	Key   string `json:"key"`            // sums, forms or another
	Name  string `json:"name,omitempty"` // of the sum or the operation
	Value string `json:"value"`
}

// String is the setting as a line of a declaration.
func (s Setting) String() string {
	if s.Name != "" {
		return fmt.Sprintf("%s = { %s = %q }", s.Key, s.Name, s.Value)
	}
	return fmt.Sprintf("%s = %q", s.Key, s.Value)
}

// sumsKey is the key of settings that order a sum.
const sumsKey = "sums"

// clause is what a contract says of one thing in addition to its sums.
type clause struct {
	key, name string
	words     []word // each allows a kernel what the one before it does, and more
	at        func(*Contract) *uint8
}

// word is what a clause may say.
type word struct {
	text  string
	value uint8
}

var clauses = append(clausesOfForms(),
	clause{key: "functions", words: []word{{"precise", uint8(Precise)}, {"fast", uint8(Fast)}},
		at: func(c *Contract) *uint8 { return (*uint8)(&c.Functions) }},
	clause{key: "accumulators", words: formatWords, at: func(c *Contract) *uint8 { return (*uint8)(&c.Accumulators) }},
	clause{key: "intermediates", words: formatWords,
		at: func(c *Contract) *uint8 { return (*uint8)(&c.Intermediates) }},
	clause{key: "subnormals", words: []word{{"kept", uint8(Kept)}, {"flushed", uint8(MayFlush)}},
		at: func(c *Contract) *uint8 { return (*uint8)(&c.Subnormals) }},
)

// formatWords are the formats by their unit roundoff.
var formatWords = []word{{"f32", uint8(F32)}, {"f16", uint8(F16)}, {"bf16", uint8(BF16)}}

// clausesOfForms are those about operations. The usual form is the value that a
// contract has which says nothing.
func clausesOfForms() []clause {
	var list []clause
	for o, f := range forms {
		words := []word{{f.definition, uint8(Definition)}, {f.other, uint8(Either)}}
		words[f.usual-Definition].value = uint8(Usual)
		list = append(list, clause{"forms", f.name, words, func(c *Contract) *uint8 { return (*uint8)(&c.Forms[o]) }})
	}
	return list
}

// setting is the clause with one of its words.
func (k clause) setting(w word) Setting { return Setting{k.key, k.name, w.text} }

// in is the number of the word that a clause has in a contract.
func (k clause) in(c Contract) int {
	return slices.IndexFunc(k.words, func(w word) bool { return w.value == *k.at(&c) })
}

// With is the contract with a setting instead of its own. It can order the sums that
// the contract names, and no others: an oracle would not ask for them.
func (c Contract) With(s Setting) (Contract, error) {
	if s.Key == sumsKey {
		return c.withSum(s.Name, s.Value)
	}
	i := slices.IndexFunc(clauses, func(k clause) bool { return k.key == s.Key && k.name == s.Name })
	if i < 0 {
		return c, s.unknown()
	}
	var all []string
	for _, w := range clauses[i].words {
		if w.text == s.Value {
			*clauses[i].at(&c) = w.value
			return c, nil
		}
		all = append(all, w.text)
	}
	if s.Name != "" {
		return c, fmt.Errorf("forms of %s are %s, not %q", s.Name, strings.Join(all, " or "), s.Value)
	}
	return c, fmt.Errorf("%s are %s, not %q", s.Key, strings.Join(all, " or "), s.Value)
}

// unknown says that no contract has a clause for the setting.
func (s Setting) unknown() error {
	if s.Name == "" {
		return fmt.Errorf("a contract has no %q", s.Key)
	}
	var names []string
	for _, k := range clauses {
		if k.key == s.Key {
			names = append(names, k.name)
		}
	}
	return fmt.Errorf("no operation is called %q: there is %s", s.Name, strings.Join(names, ", "))
}

// withSum is the contract with another order of the sum called name.
func (c Contract) withSum(name, order string) (Contract, error) {
	if _, ok := c.Sums[name]; !ok {
		has := "the catalogue declares none"
		if len(c.Sums) > 0 {
			has = "it has " + strings.Join(slices.Sorted(maps.Keys(c.Sums)), ", ")
		}
		return c, fmt.Errorf("no sum %q whose order can be declared: %s", name, has)
	}
	s, err := ParseSchedule(order)
	if err != nil {
		return c, err
	}
	c.Sums = maps.Clone(c.Sums)
	c.Sums[name] = s
	return c, nil
}

// Unlike are the settings that make c of another contract with the same sums.
func (c Contract) Unlike(other Contract) []Setting {
	var list []Setting
	for _, name := range slices.Sorted(maps.Keys(c.Sums)) {
		if s := c.Sums[name]; s != other.Sums[name] {
			list = append(list, Setting{sumsKey, name, s.String()})
		}
	}
	for _, k := range clauses {
		if i := k.in(c); i != k.in(other) {
			list = append(list, k.setting(k.words[i]))
		}
	}
	return list
}

// Wider are the settings that each allow a kernel more than c does: any order of one
// sum, or a later word of a clause.
func (c Contract) Wider() []Setting {
	var list []Setting
	for _, name := range slices.Sorted(maps.Keys(c.Sums)) {
		if any := AnyOrder(); c.Sums[name] != any {
			list = append(list, Setting{sumsKey, name, any.String()})
		}
	}
	for _, k := range clauses {
		for _, w := range k.words[k.in(c)+1:] {
			list = append(list, k.setting(w))
		}
	}
	return list
}
