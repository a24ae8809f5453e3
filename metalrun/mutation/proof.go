package mutation

import (
	"slices"
	"strings"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// Proof says why a mutant computes what the original does, on every input on
// which the original stays within its memory. "" is none.
type Proof string

// Proofs. Each allows what those before it allow.
const (
	// Identical: the intermediate code is the same, positions aside, in the same
	// order or with pure computations in another.
	Identical Proof = "identical"
	// Commuted: operands of commutative operations stand the other way round. NaNs
	// may carry the payload of the other operand.
	Commuted Proof = "commuted"
	// Unsigned: an unsigned number is compared with 0 by another operator that
	// says the same: x > 0 and x != 0, x <= 0 and x == 0.
	Unsigned Proof = "unsigned"
	// Roomier: an array of threads or of a threadgroup has more elements, all
	// unused.
	Roomier Proof = "roomier"
)

// Comparison is what is known of a mutant without running it.
type Comparison struct {
	// Refused is why the front end refuses the mutant, nil if it does not.
	Refused error
	// Equal is the weakest proof that holds of all entry points that lead to the
	// edit: then the mutant is equivalent.
	Equal Proof
	// Affected are the entry points that no proof holds of, in the order of
	// Mutant.Kernels.
	Affected []string
	// Digest is the same for two mutants of a unit whose entry points are all
	// equal by proof.
	Digest string
}

// Compare compares what the front end makes of a mutant with what it makes of
// the original.
func (m *Mutant) Compare() (Comparison, error) {
	u := m.unit
	program, err := u.analyse(m.Source(), m.Kernels)
	if err != nil {
		return Comparison{Refused: err}, nil
	}
	var c Comparison
	var digests []string
	for _, name := range m.Kernels {
		original, err := u.form(name)
		if err != nil {
			return c, err
		}
		k, err := program.Lowered(name)
		if err != nil {
			return Comparison{Refused: err}, nil
		}
		f := newForm(k)
		digests = append(digests, f.exact())
		proof, ok := original.equal(f)
		if !ok {
			c.Affected = append(c.Affected, name)
			continue
		}
		if slices.Index(proofs(), proof) > slices.Index(proofs(), c.Equal) {
			c.Equal = proof
		}
	}
	if len(c.Affected) > 0 {
		c.Equal = ""
	}
	c.Digest = short(strings.Join(digests, " "))
	return c, nil
}

func proofs() []Proof { return []Proof{Identical, Commuted, Unsigned, Roomier} }

// form is the form of an original entry point.
func (u *Unit) form(name string) (form, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if f, ok := u.forms[name]; ok {
		return f, nil
	}
	k, err := u.program.Lowered(name)
	if err != nil {
		return form{}, err
	}
	f := newForm(k)
	u.forms[name] = f
	return f, nil
}

// form is what proofs compare of an entry point: a digest of its values for each
// proof, and its arrays.
type form struct {
	digests []string // by proof
	objects []ir.Object
}

func newForm(k *ir.Kernel) form {
	f := form{objects: k.Objects}
	for _, r := range []rules{{}, {commute: true}, {commute: true, unsigned: true},
		{commute: true, unsigned: true, roomier: true}} {
		f.digests = append(f.digests, digest(k, r))
	}
	return f
}

// exact is the digest that duplicates share.
func (f form) exact() string { return f.digests[slices.Index(proofs(), Unsigned)] }

// equal is the first proof that g computes what f does.
func (f form) equal(g form) (Proof, bool) {
	for i, p := range proofs() {
		if f.digests[i] == g.digests[i] && (p != Roomier || roomier(f.objects, g.objects)) {
			return p, true
		}
	}
	return "", false
}

// maxThreadgroup is the threadgroup memory that a kernel may declare, in bytes.
const maxThreadgroup = 32 << 10

// roomier reports whether no object of b is smaller than that of a, and a
// threadgroup still has room for all.
func roomier(a, b []ir.Object) bool {
	total := 0
	for i := range a {
		if b[i].Size < a[i].Size {
			return false
		}
		if b[i].Space == syntax.Threadgroup {
			total = (total+15)&^15 + b[i].Size
		}
	}
	return total <= maxThreadgroup
}
