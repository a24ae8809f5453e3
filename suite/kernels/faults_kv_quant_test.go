package kernels

import (
	"fmt"
	"slices"

	"metalconform/suite"
)

// Faults of the kernels of a quantised cache. Those of the functions that the
// kernels share are tried in each of them.

// cacheFaults are the faults that every kernel can have.
func cacheFaults(kernel, last string) []fault {
	return []fault{
		swap("scale wrong for one head dimension", suite.CheckBound, "rsqrt(float(head_dim))",
			"rsqrt(float(head_dim == 128 ? 256 : head_dim))").only("/head_dim=128/"),
		swap("divided by the dimension", suite.CheckBound, "rsqrt(float(head_dim))", "(1.0f / float(head_dim))"),
		swap("not divided", suite.CheckBound, " * rsqrt(float(head_dim))", ""),
		swap("short formula for long vectors", suite.CheckBound, "head_dim <= NORM_BLOCK",
			"head_dim <= 2 * NORM_BLOCK"),
		swap("long formula at 256", suite.CheckBound, "head_dim <= NORM_BLOCK", "head_dim < NORM_BLOCK"),
		swap("norm of the first block", suite.CheckBound, "norms[min(d / NORM_BLOCK, norms_per_pos - 1)]", "norms[0]"),
		swap("block of 512", suite.CheckBound, "min(d / NORM_BLOCK, norms_per_pos - 1)",
			"min(d / (2 * NORM_BLOCK), norms_per_pos - 1)"),
		swap("norms interleaved", suite.CheckBound, "min(d / NORM_BLOCK, norms_per_pos - 1)", "(d % norms_per_pos)"),
		swap("block not clamped", suite.CheckFault, "min(d / NORM_BLOCK, norms_per_pos - 1)", "(d / NORM_BLOCK)"),
		swap("clamped one block early", suite.CheckBound, "norms_per_pos - 1)", "max(norms_per_pos, 2u) - 2)"),
		swapAfter("multiplied by the scale", suite.CheckBound, "return level * norms[min(", "/ scale_factor_d512",
			"* scale_factor_d512"),
		swapAfter("scale dropped", suite.CheckBound, "return level * norms[min(", " / scale_factor_d512", ""),
		swap("f16 product", suite.CheckBound, "level * norms[0] *", "float(half(level * norms[0])) *"),
		swapAfter("one coordinate a thread", suite.CheckUnwritten, kernel, "d += ",
			"d += 4096 + ").only("/head_dim=2048/"),
		swapAfter("last coordinate missed", suite.CheckUnwritten, kernel, "d < params.head_dim",
			"d + 1 < params.head_dim"),
		swapAfter("rows of another capacity", suite.CheckBound, kernel, "ulong(head) * params.cache_capacity",
			"ulong(head) * "+last),
		swapAfter("head dropped", suite.CheckBound, kernel, "ulong(head) * params.cache_capacity + ", ""),
		swapAfter("norms without a stride", suite.CheckBound, kernel, "norms + row * params.norms_per_pos",
			"norms + row").only("norms_per_pos=2"),
		swapAfter("norms of the first position", suite.CheckBound, kernel, "norms + row * params.norms_per_pos",
			"norms"),
	}
}

// codebookFaults are slips in the table of so many bits: under the catalogue's name,
// where its numbers are compared, and under another, where values alone show them.
func codebookFaults(bits int) []fault {
	table := map[int]struct{ first, second, third, digit string }{
		4: {"-2.73258948f", "-2.06901717f", "-1.6180464f", "-2.73258928f"},
		5: {"-3.26073241f", "-2.69111967f", "-2.31773949f", "-3.26073271f"},
		6: {"-3.74410129f", "-3.24043703f", "-2.9174068f", "-3.74410159f"},
		8: {"-4.60353565f", "-4.18659544f", "-3.92563772f", "-4.60353505f"},
	}[bits]
	name := codebookName(bits)
	var faults []fault
	for _, slip := range []struct{ name, old, new string }{
		{"wrong level", table.second, table.third},
		{"lost sign", table.second, table.second[1:]},
		{"swapped levels", table.first + ", " + table.second, table.second + ", " + table.first},
		{"digit typed wrong", table.first, table.digit},
		{"level left out", table.second + ", ", ""},
	} {
		edits := []edit{{old: slip.old, new: slip.new}}
		f := fault{name: fmt.Sprintf("%s, %d bits", slip.name, bits), check: suite.CheckTables, edits: edits}
		if bits > 4 {
			f.in = fmt.Sprintf("/codebook_bits=%d/", bits)
		}
		faults = append(faults, f)
		f.name += ", renamed"
		f.check = suite.CheckBound
		if slip.name == "digit typed wrong" {
			f.check, f.in = suite.CheckExact, f.in+"spare=1/input=counting"
		}
		f.edits = append(edits, edit{old: "constant float " + name, new: "constant float LEVELS"},
			edit{old: name + "[index", new: "LEVELS[index"})
		faults = append(faults, f)
	}
	return faults
}

// byteFaults are the faults of kernels with a byte for each coordinate.
func byteFaults(kernel string) []fault {
	return []fault{
		swap("5 bits not masked", suite.CheckFault, "CODEBOOK_5BIT[index & 31u]",
			"CODEBOOK_5BIT[index]").only("/codebook_bits=5/"),
		swap("6 bits not masked", suite.CheckFault, "CODEBOOK_6BIT[index & 63u]",
			"CODEBOOK_6BIT[index]").only("/codebook_bits=6/"),
		swap("5 bits masked as 4", suite.CheckBound, "CODEBOOK_5BIT[index & 31u]",
			"CODEBOOK_5BIT[index & 15u]").only("/codebook_bits=5/"),
		swap("8 bits masked as 7", suite.CheckBound, "CODEBOOK_8BIT[index & 255u]",
			"CODEBOOK_8BIT[index & 127u]").only("/codebook_bits=8/"),
		swap("no case of 5 bits", suite.CheckBound, "    case 5: return CODEBOOK_5BIT[index & 31u];\n",
			"").only("/codebook_bits=5/"),
		swap("table of 6 bits for 8", suite.CheckBound, "CODEBOOK_8BIT[index & 255u]",
			"CODEBOOK_6BIT[index >> 2]").only("/codebook_bits=8/"),
		swap("signed index", suite.CheckBound, "CODEBOOK_8BIT[index & 255u]",
			"CODEBOOK_8BIT[(index + 128u) & 255u]").only("/codebook_bits=8/"),
		swapAfter("row of two coordinates a byte", suite.CheckBound, kernel, "row * params.head_dim",
			"row * (params.head_dim / 2)"),
	}
}

func cacheNibbleFaults() []fault {
	const kernel = "kernel void tq_dequantize_kv("
	return append(slices.Concat(cacheFaults(kernel, "(params.read_pos + 1)"), codebookFaults(4)),
		swapAfter("high nibble first", suite.CheckBound, kernel, "4 * (d % 2)", "4 * (1 - d % 2)"),
		swapAfter("one nibble", suite.CheckBound, kernel, "4 * (d % 2)", "0"),
		swapAfter("nibble not masked", suite.CheckFault, kernel, ") & 15u", ")"),
		swapAfter("halves of the vector", suite.CheckBound, kernel,
			"(uint(bytes[d / 2]) >> (4 * (d % 2)))",
			"(uint(bytes[d % (params.head_dim / 2)]) >> (4 * (d / (params.head_dim / 2))))"),
		swapAfter("row of a byte a coordinate", suite.CheckFault, kernel, "row * (params.head_dim / 2)",
			"row * params.head_dim"),
		swapAfter("position before", suite.CheckBound, kernel, "params.read_pos;", "max(params.read_pos, 1u) - 1;"),
		swapAfter("head of the output", suite.CheckUnwritten, kernel, "dst[ulong(head) * params.head_dim + d]",
			"dst[d]"),
	)
}

func cacheByteFaults() []fault {
	const kernel = "kernel void tq_dequantize_hb_kv("
	return append(slices.Concat(cacheFaults(kernel, "(params.read_pos + 1)"), byteFaults(kernel), codebookFaults(5),
		codebookFaults(6), codebookFaults(8)),
		swapAfter("position before", suite.CheckBound, kernel, "params.read_pos;", "max(params.read_pos, 1u) - 1;"),
		swapAfter("head of the output", suite.CheckUnwritten, kernel, "dst[ulong(head) * params.head_dim + d]",
			"dst[d]"),
	)
}

func cacheRunFaults() []fault {
	const kernel = "kernel void tq_dequantize_hb_kv_seq("
	return append(slices.Concat(cacheFaults(kernel, "params.n_tokens"), byteFaults(kernel), codebookFaults(8)),
		swapAfter("same position for all", suite.CheckBound, kernel, "params.start_pos + t;", "params.start_pos;"),
		swapAfter("run from the first position", suite.CheckBound, kernel, "params.start_pos + t;", "t;"),
		swapAfter("run transposed", suite.CheckBound, kernel, "(ulong(head) * params.n_tokens + t)",
			"(ulong(t) * params.num_kv_heads + head)"),
		swapAfter("run of the capacity", suite.CheckUnwritten, kernel, "(ulong(head) * params.n_tokens + t)",
			"(ulong(head) * params.cache_capacity + params.start_pos + t)"),
		swapAfter("last position missed", suite.CheckUnwritten, kernel, "t >= params.n_tokens",
			"t + 1 >= params.n_tokens"),
	)
}
