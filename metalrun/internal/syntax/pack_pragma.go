package syntax

import (
	"slices"
	"strconv"
)

// A packing is what #pragma pack has said so far: how far the members of a class are
// aligned at most.
type packing struct {
	most  int // 0 if there is no bound
	stack []packed
}

// packed is a bound that a push kept, with its label if it has one.
type packed struct {
	label string
	most  int
}

// validPack checks the operands of #pragma pack.
func validPack(rest []Token) bool { return new(packing).obey(rest) }

// obey carries out pack(…), of which toks is what follows the word; false if it means nothing.
func (p *packing) obey(toks []Token) bool {
	n := len(toks)
	if n < 2 || !toks[0].is("(") || !toks[n-1].is(")") {
		return false
	}
	var words []string
	for i, t := range toks[1 : n-1] {
		if i%2 == 1 != t.is(",") {
			return false
		}
		if !t.is(",") {
			words = append(words, t.Text)
		}
	}
	action := ""
	if len(words) > 0 && (words[0] == "push" || words[0] == "pop") {
		action, words = words[0], words[1:]
	}
	label, most := "", -1
	for _, w := range words {
		v, err := strconv.Atoi(w)
		switch {
		case err == nil && slices.Contains([]int{1, 2, 4, 8, 16}, v) && most < 0:
			most = v
		case err != nil && action != "" && label == "" && most < 0:
			label = w
		default:
			return false
		}
	}
	switch action {
	case "push":
		p.stack = append(p.stack, packed{label, p.most})
	case "pop":
		p.pop(label)
	case "":
		p.most = 0
	}
	if most >= 0 {
		p.most = most
	}
	return true
}

// packPrefix begins the one form that later passes see of a pragma that changes the bound.
const packPrefix = "pack("

// text is that pragma.
func (p *packing) text() string {
	if p.most == 0 {
		return packPrefix + ")"
	}
	return packPrefix + strconv.Itoa(p.most) + ")"
}

// pop goes back to what the last push kept, or that of a label.
func (p *packing) pop(label string) {
	k := len(p.stack) - 1
	for k >= 0 && label != "" && p.stack[k].label != label {
		k--
	}
	if k >= 0 {
		p.most, p.stack = p.stack[k].most, p.stack[:k]
	}
}
