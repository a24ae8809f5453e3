package lanes

// lengthened is the table for processors with AVX-512: that for AVX2 with other loops, where longer registers do more
// at once.
func lengthened() *Table {
	t := *avx2
	t.Name = "avx512"

	t.AddF = Binary{avx512AddFVV, avx512AddFVS, avx512AddFSV}
	t.SubF = Binary{avx512SubFVV, avx512SubFVS, avx512SubFSV}
	t.MulF = Binary{avx512MulFVV, avx512MulFVS, avx512MulFSV}
	t.MinF = Binary{avx512MinFVV, avx512MinFVS, avx512MinFSV}
	t.MaxF = Binary{avx512MaxFVV, avx512MaxFVS, avx512MaxFSV}
	t.EqF = Binary{avx512EqFVV, avx512EqFVS, avx512EqFSV}
	t.NeF = Binary{avx512NeFVV, avx512NeFVS, avx512NeFSV}
	t.LtF = Binary{avx512LtFVV, avx512LtFVS, avx512LtFSV}
	t.LeF = Binary{avx512LeFVV, avx512LeFVS, avx512LeFSV}
	t.NegF = avx512NegF
	t.AbsF = avx512AbsF
	t.QuietNaN = avx512QuietNaN
	t.Exp, t.Exp2 = decided(avx512Exp, Portable.Exp), decided(avx512Exp2, Portable.Exp2)
	t.MulAdd = Ternary{avx512MulAddVVV, avx512MulAddVSV}
	t.FMA = Ternary{avx512FMAVVV, avx512FMAVSV}
	t.MulMul = Ternary{avx512MulMulVVV, avx512MulMulVSV}
	t.MulScalars = avx512MulScalars
	t.Affine = avx512Affine
	t.AddI = Binary{avx512AddIVV, avx512AddIVS, avx512AddISV}
	t.SubI = Binary{avx512SubIVV, avx512SubIVS, avx512SubISV}
	t.MulI = Binary{avx512MulIVV, avx512MulIVS, avx512MulISV}
	t.MinS = Binary{avx512MinSVV, avx512MinSVS, avx512MinSSV}
	t.MaxS = Binary{avx512MaxSVV, avx512MaxSVS, avx512MaxSSV}
	t.MinU = Binary{avx512MinUVV, avx512MinUVS, avx512MinUSV}
	t.MaxU = Binary{avx512MaxUVV, avx512MaxUVS, avx512MaxUSV}
	t.And = Binary{avx512AndVV, avx512AndVS, avx512AndSV}
	t.Or = Binary{avx512OrVV, avx512OrVS, avx512OrSV}
	t.Xor = Binary{avx512XorVV, avx512XorVS, avx512XorSV}
	t.Shl = Binary{avx512ShlVV, avx512ShlVS, avx512ShlSV}
	t.LShr = Binary{avx512LShrVV, avx512LShrVS, avx512LShrSV}
	t.AShr = Binary{avx512AShrVV, avx512AShrVS, avx512AShrSV}
	t.AddIndex = avx512AddIndex
	t.Field = avx512Field
	t.FieldF = avx512FieldF
	t.Not = avx512Not
	t.NegI = avx512NegI
	t.Fill = avx512Fill
	t.Select = avx512Select
	t.CopyMasked = avx512CopyMasked
	t.RoundBfloat = avx512RoundBfloat
	t.BfloatBits = avx512BfloatBits
	t.FromI32 = avx512FromI32
	t.Widen16 = avx512Widen16
	t.Widen8 = avx512Widen8
	t.WidenHalf = avx512WidenHalf
	t.WidenBfloat = avx512WidenBfloat
	t.DotRows = avx512DotRows
	t.ScaleRows = avx512ScaleRows
	t.UpdateRows = avx512UpdateRows
	t.DotRuns = avx512DotRuns
	t.DotGathered = avx512DotGathered
	t.Spread = avx512Spread
	t.AddRuns = avx512AddRuns
	return &t
}
