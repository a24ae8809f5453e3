package html

import "metalconform/suite"

// familyRow is a family with its verdict.
type familyRow struct {
	Name, Page              string
	Verdict                 verdict
	Kernels, Failing, Cases int // Failing are kernels
}

// familyBody is the page of a family.
type familyBody struct {
	familyRow
	Matrix []matrixRow
	Docs   []kernelDoc
	Files  []link
}

// kernelDoc is what a kernel computes, in a sentence.
type kernelDoc struct {
	link
	Doc, Contract string
}

// familyRows are all families.
func (s *site) familyRows() []familyRow {
	var rows []familyRow
	for _, name := range s.families {
		row := familyRow{Name: name, Page: s.names.family[name]}
		worst := suite.Pass
		for _, t := range s.table.Rows {
			if t.Family != name {
				continue
			}
			row.Kernels++
			row.Cases += t.Cases()
			if fails(t.Status()) {
				row.Failing++
			}
			if rank(t.Status()) < rank(worst) {
				worst = t.Status()
			}
		}
		row.Verdict = newVerdict(worst)
		rows = append(rows, row)
	}
	return rows
}

func (s *site) familyPages(w writer) error {
	for _, row := range s.familyRows() {
		if err := s.apart(row.Page, func() error { return s.writeFamily(w, row) }); err != nil {
			return err
		}
	}
	return nil
}

func (s *site) writeFamily(w writer, row familyRow) error {
	b := familyBody{familyRow: row, Matrix: s.matrix(row.Name)}
	seen := map[string]bool{}
	for _, m := range b.Matrix {
		k := s.kernels[m.Kernel]
		b.Docs = append(b.Docs, kernelDoc{link{Text: m.Kernel, To: m.Page}, k.Doc, k.Contract})
		if page := s.names.source[k.File]; page != "" && !seen[k.File] {
			seen[k.File] = true
			b.Files = append(b.Files, link{Text: k.File, To: page})
		}
	}
	return s.render(w, row.Page, "family", row.Name, nil, b)
}
