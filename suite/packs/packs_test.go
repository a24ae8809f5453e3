package packs

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/suite"

	"github.com/google/go-cmp/cmp"
)

// Every pack can be read, names the version that it holds for, and names no kernel twice.
func TestRead(t *testing.T) {
	for i, name := range Names() {
		if testing.Short() && i > 0 {
			break
		}
		p, err := read(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !regexp.MustCompile(`^[\w-]+/[\w-]+ [0-9a-f]{40}$`).MatchString(p.Version) {
			t.Errorf("%s holds for %q", name, p.Version)
		}
		kernels := slices.Clone(p.Kernels)
		slices.Sort(kernels)
		if len(kernels) == 0 || len(slices.Compact(slices.Clone(kernels))) != len(kernels) {
			t.Errorf("%s has %d kernels, or one of them twice", name, len(kernels))
		}
		for _, o := range p.Left {
			if i := slices.IndexFunc(kernels, o.has); i >= 0 {
				t.Errorf("%s leaves out %s, and specifies it", name, kernels[i])
			}
		}
	}
	if _, err := Read("none", nil); err == nil || !strings.Contains(err.Error(), "candle") {
		t.Errorf("a pack that there is not: %v", err)
	}
}

// read reads each pack once.
var read = func() func(string) (Pack, error) {
	packs := map[string]func() (Pack, error){}
	for _, name := range Names() {
		packs[name] = sync.OnceValues(func() (Pack, error) { return Read(name, nil) })
	}
	return func(name string) (Pack, error) { return packs[name]() }
}()

// own are kernels of ours that have names and arguments of others, by the pack that says what they mean.
var own = []struct{ pack, kernel, text, fault, wrong string }{
	{"candle", "badd_f16_rss",
		`kernel void badd_f16_rss(constant ulong& count [[buffer(0)]], constant ulong& axes [[buffer(1)]],
			constant ulong* lengths [[buffer(2)]],
    constant ulong* l [[buffer(3)]], constant ulong* r [[buffer(4)]], device const half* x [[buffer(5)]], device const half* y [[buffer(6)]], device half* z [[buffer(7)]],
    uint first [[thread_position_in_grid]], uint all [[threads_per_grid]])
{
    for (uint i = first; i < count; i += all) {
        z[i] = x[0] + y[i / lengths[1] * r[0] + i % lengths[1] * r[1]];
    }
}`, "lengths[1] * r[0]", "lengths[0] * r[0]"},
	{"candle", "where_u8_f32", `constant bool dense_ids [[function_constant(0)]];
constant bool dense_x [[function_constant(1)]];
constant bool dense_y [[function_constant(2)]];
kernel void where_u8_f32(constant ulong& count [[buffer(0)]], constant ulong& axes [[buffer(1)]], constant ulong* lengths [[buffer(2)]],
    constant ulong* s [[buffer(3)]], constant ulong* sx [[buffer(4)]], constant ulong* sy [[buffer(5)]],
    device const uchar* ids [[buffer(6)]], device const float* x [[buffer(7)]], device const float* y [[buffer(8)]], device float* z [[buffer(9)]],
    uint first [[thread_position_in_grid]], uint all [[threads_per_grid]])
{
    for (uint i = first; i < count; i += all) {
        ulong row = i / lengths[1], column = i % lengths[1];
        bool pick = ids[dense_ids ? i : row * s[0] + column * s[1]];
        z[i] = pick ? x[dense_x ? i : row * sx[0] + column * sx[1]] : y[dense_y ? i : row * sy[0] + column * sy[1]];
    }
}`, "dense_y ? i", "dense_x ? i"},
	{"candle", "cast_f32_u8",
		`kernel void cast_f32_u8(constant ulong& count [[buffer(0)]], device const float* x [[buffer(1)]],
			device uchar* y [[buffer(2)]],
    uint first [[thread_position_in_grid]], uint all [[threads_per_grid]])
{
    for (uint i = first; i < count; i += all) {
        y[i] = uchar(x[i]);
    }
}`, "uchar(x[i])", "uchar(rint(x[i]))"},
	{"ggml", "kernel_get_rows_q4_1",
		`struct Args { int units, n; ulong row, plane, space; int rows; ulong index[3], to[3]; };
kernel void kernel_get_rows_q4_1(constant Args& args [[buffer(0)]], device const uchar* table [[buffer(1)]], device const int* rows [[buffer(2)]], device float* y [[buffer(3)]],
    uint at [[threadgroup_position_in_grid]], uint unit [[thread_index_in_threadgroup]])
{
    for (int i = 16 * unit; i < 16 * int(unit) + 16; i++) {
        device const uchar* block = table + rows[at] * args.row + i / 32 * 20;
        half d = as_type<half>(ushort(block[0] | block[1] << 8)), m = as_type<half>(ushort(block[2] | block[3] << 8));
        y[at * args.n + i] = (block[4 + i % 16] >> (i % 32 < 16 ? 0 : 4) & 15) * float(d) + float(m);
    }
}`, "i % 32 < 16", "i % 2 < 1"},
	{"ggml", "kernel_mul_mv_q6_K_f32",
		`struct Args { int n, rows, planes; ulong block, row, plane, space; int n1, vectors, planes1;
			ulong nb10, vector, nb12, nb13; int ne0, ne1, nr0; short r2, r3; };
constant short groups [[function_constant(600)]], each [[function_constant(601)]], batch [[function_constant(602)]], r2 [[function_constant(603)]], r3 [[function_constant(604)]];
kernel void kernel_mul_mv_q6_K_f32(constant Args& args [[buffer(0)]], device const uchar* w [[buffer(1)]], device const float* x [[buffer(2)]], device float* y [[buffer(3)]],
    threadgroup uchar* unused [[threadgroup(0)]], uint2 at [[threadgroup_position_in_grid]], uint2 own [[thread_position_in_threadgroup]])
{
    uint row = (at.x * groups + own.y) * 2 + own.x;
    if (own.x >= 2 || row >= uint(args.rows)) {
        return;
    }
    float sum = 0;
    for (int i = 0; i < args.n; i++) {
        device const uchar* block = w + row * args.row + i / 256 * 210;
        int j = i % 128, side = i % 256 / 128, quarter = j / 32;
        int low = block[64 * side + 32 * (quarter % 2) + j % 32] >> (quarter < 2 ? 0 : 4) & 15;
        int high = block[128 + 32 * side + j % 32] >> (2 * quarter) & 3;
        int scale = as_type<char>(block[192 + 8 * side + j / 16]);
        half d = as_type<half>(ushort(block[208] | block[209] << 8));
        sum += float(d) * scale * (low + 16 * high - 32) * x[at.y * args.n + i];
    }
    y[at.y * args.rows + row] = sum;
}`, "16 * high - 32", "16 * high - 31"},
	{"ggml", "kernel_get_rows_q3_K",
		`struct Args { int units, n; ulong row, plane, space; int rows; ulong index[3], to[3]; };
kernel void kernel_get_rows_q3_K(constant Args& args [[buffer(0)]], device const uchar* table [[buffer(1)]], device const int* rows [[buffer(2)]], device float* y [[buffer(3)]],
    uint at [[threadgroup_position_in_grid]], uint unit [[thread_index_in_threadgroup]])
{
    for (int i = 16 * unit; i < 16 * int(unit) + 16; i++) {
        device const uchar* block = table + rows[at] * args.row + i / 256 * 110;
        int side = i % 256 / 128, shift = i % 128 / 32, byte = i % 32, group = i % 256 / 16;
        int low = block[96 + group % 8] >> (group < 8 ? 0 : 4) & 15, high = block[104 + group % 4] >> (group / 4 * 2) & 3;
        int code = (block[32 + 32 * side + byte] >> (2 * shift) & 3) - (block[byte] >> (4 * side + shift) & 1 ? 0 : 4);
        y[at * args.n + i] = float(as_type<half>(ushort(block[108] | block[109] << 8))) * (low + 16 * high - 32) * code;
    }
}`, "group / 4 * 2", "group % 4 * 2"},
	{"ggml", "kernel_swiglu_oai_f16",
		`struct Args { int n0; ulong row; int n1; ulong row1; int n; ulong to; int first, second; float alpha,
			limit; };
kernel void kernel_swiglu_oai_f16(constant Args& args [[buffer(0)]], device const half* x [[buffer(1)]], device const half* g [[buffer(2)]], device half* y [[buffer(3)]],
    uint row [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]], uint all [[threads_per_threadgroup]])
{
    for (int i = t; i < args.n; i += all) {
        float a = min(float(x[row * 2 * args.n + args.first + i]), args.limit), b = clamp(float(g[row * 2 * args.n + args.second + i]), -args.limit, args.limit);
        y[row * args.n + i] = half(a / (1 + exp(-args.alpha * a)) * (1 + b));
    }
}`, "(1 + b)", "b"},
	{"mlx", "affine_qmv_float_gs_64_b_3_batch_0",
		`kernel void affine_qmv_float_gs_64_b_3_batch_0(device const uint* w [[buffer(0)]],
			device const float* scales [[buffer(1)]], device const float* biases [[buffer(2)]],
    device const float* x [[buffer(3)]], device float* y [[buffer(4)]], constant int& k [[buffer(5)]], constant int& rows [[buffer(6)]],
    constant int* a [[buffer(7)]], constant int* b [[buffer(8)]], constant long* c [[buffer(9)]], constant int* d [[buffer(10)]], constant int* e [[buffer(11)]],
    constant long* f [[buffer(12)]], constant long* g [[buffer(13)]], constant long* h [[buffer(14)]],
    uint2 at [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]])
{
    int row = 8 * at.y + t;
    if (t >= 8 || row >= rows) {
        return;
    }
    float sum = 0;
    for (int i = 0; i < k; i++) {
        int word = row * (3 * k / 32) + 3 * i / 32, bit = 3 * i % 32;
        ulong both = w[word] | (bit > 29 ? ulong(w[word + 1]) << 32 : 0);
        int group = (row * k + i) / 64;
        sum += ((both >> bit & 7) * scales[group] + biases[group]) * x[at.x * k + i];
    }
    y[at.x * rows + row] = sum;
}`, "bit > 29", "bit > 30"},
	{"mlx", "svn_Dividefloat16",
		`kernel void svn_Dividefloat16(device const half* x [[buffer(0)]], device const half* y [[buffer(1)]],
			device half* z [[buffer(2)]],
    constant uint& n [[buffer(3)]], uint t [[thread_position_in_grid]])
{
    for (uint i = 4 * t; i < min(4 * t + 4, n); i++) {
        z[i] = x[0] / y[i];
    }
}`, "min(4 * t + 4, n)", "min(4 * t + 4, n & ~3u)"},
	{"mlx-native", "rope_bf16",
		`kernel void rope_bf16(device const bfloat* x [[buffer(0)]], device bfloat* y [[buffer(1)]],
			device const float* p [[buffer(2)]],
    device const uint* at [[buffer(3)]], uint2 i [[thread_position_in_grid]])
{
    uint d = uint(p[1]), first = i.y * d + 2 * i.x;
    float angle = at[i.y] * pow(p[0], -2 * float(i.x) / d), a = x[first], b = x[first + 1];
    y[first] = bfloat(a * cos(angle) - b * sin(angle));
    y[first + 1] = bfloat(a * sin(angle) + b * cos(angle));
}`, "a * sin(angle) + b", "a * sin(angle) - b"},
	{"mlx-native", "argmax_f32",
		`kernel void argmax_f32(device const float* x [[buffer(0)]], device uint* index [[buffer(1)]],
			device float* value [[buffer(2)]],
    device const uint* n [[buffer(3)]], threadgroup float* a [[threadgroup(0)]], threadgroup uint* b [[threadgroup(1)]], uint i [[thread_index_in_threadgroup]])
{
    if (i == 0) {
        uint best = 0;
        for (uint j = 1; j < n[0]; j++) {
            best = x[j] > x[best] ? j : best;
        }
        index[0] = best;
        value[0] = x[best];
    }
}`, "uint best = 0", "uint best = n[0] / 2"},
	{"mlx-native", "copy_2d_cols_into_f32",
		`kernel void copy_2d_cols_into_f32(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
			device const uint* p [[buffer(2)]],
    uint2 i [[thread_position_in_grid]])
{
    y[i.y * p[1] + p[2] + i.x] = x[i.y * p[0] + i.x];
}`, "p[2] + i.x", "i.x"},
	{"mlx-native", "moe_gather_topk_weights", `struct Params { uint experts, used; };
kernel void moe_gather_topk_weights(device const float* p [[buffer(0)]], device const uint* order [[buffer(1)]], device const float* scale [[buffer(2)]],
    device uint* ids [[buffer(3)]], device float* weights [[buffer(4)]], constant Params& params [[buffer(5)]], uint t [[thread_position_in_grid]])
{
    float sum = 0;
    for (uint i = 0; i < params.used; i++) {
        ids[i] = order[i];
        sum += p[order[i]];
    }
    for (uint i = 0; i < params.used; i++) {
        weights[i] = p[order[i]] / sum * scale[order[i]];
    }
}`, "scale[order[i]]", "scale[i]"},
	{"mlx-native", "rope_neox_bf16",
		`kernel void rope_neox_bf16(device const bfloat* x [[buffer(0)]], device bfloat* y [[buffer(1)]],
			device const float* p [[buffer(2)]],
    device const uint* at [[buffer(3)]], device const uint* heads [[buffer(4)]], uint2 i [[thread_position_in_grid]])
{
    uint d = uint(p[1]), half_ = d / 2, dims = uint(p[2]), first = i.y * d + i.x;
    float angle = at[i.y / heads[0]] * pow(p[0], -2 * float(i.x) / d), a = x[first], b = x[first + half_];
    y[first] = bfloat(a * cos(angle) - b * sin(angle));
    y[first + half_] = bfloat(a * sin(angle) + b * cos(angle));
    for (uint j = dims / 2 + i.x; j < half_; j += dims / 2) {
        y[i.y * d + j] = x[i.y * d + j];
        y[i.y * d + j + half_] = x[i.y * d + j + half_];
    }
}`, "float(i.x) / d)", "float(i.x) / dims)"},
	{"mlx-native", "kv_cache_copy_seq_f32",
		`kernel void kv_cache_copy_seq_f32(device const float* x [[buffer(0)]],
			device float* cache [[buffer(1)]], constant uint& heads [[buffer(2)]], constant uint& d [[buffer(3)]],
    constant uint& capacity [[buffer(4)]], constant uint& at [[buffer(5)]], constant uint& tokens [[buffer(6)]], constant uint& first [[buffer(7)]], uint3 i [[thread_position_in_grid]])
{
    cache[(i.y * capacity + (at + i.z) % capacity) * d + i.x] = x[((first + i.z) * heads + i.y) * d + i.x];
}`, "(at + i.z) % capacity", "min(at + i.z, capacity - 1)"},
	{"mlx-native", "tri_solve_lower_unit_f32",
		`kernel void tri_solve_lower_unit_f32(device const float* a [[buffer(0)]],
			device const float* b [[buffer(1)]], device float* x [[buffer(2)]], device const uint* p [[buffer(3)]],
    uint2 at [[thread_position_in_grid]])
{
    uint n = p[0], k = p[1];
    for (uint i = 0; i < n; i++) {
        float sum = b[(at.y * n + i) * k + at.x];
        for (uint j = 0; j < i; j++) {
            sum -= a[(at.y * n + i) * n + j] * x[(at.y * n + j) * k + at.x];
        }
        x[(at.y * n + i) * k + at.x] = sum;
    }
}`, "] = sum", "] = sum / a[(at.y * n + i) * n + i]"},
	{"ggml", "kernel_fwht_f32_64", `struct Args { int rows; };
kernel void kernel_fwht_f32_64(constant Args& args [[buffer(0)]], device const float* x [[buffer(1)]], device float* y [[buffer(2)]], uint at [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]])
{
    for (uint row = 2 * at; row < min(2 * at + 2, uint(args.rows)); row++) {
        float sum = 0;
        for (uint i = 0; i < 64; i++) {
            sum += popcount(i & t) % 2 ? -x[row * 64 + i] : x[row * 64 + i];
        }
        y[row * 64 + t] = sum / 8;
    }
}`, "i & t", "i | t"},
	{"candle", "carg_block_sort_uint8_uint32_bn128_tn8",
		`kernel void carg_block_sort_uint8_uint32_bn128_tn8(device const uchar* x [[buffer(0)]],
			device uint* y [[buffer(1)]], constant int& n [[buffer(2)]],
    constant int& a [[buffer(3)]], constant int& b [[buffer(4)]], constant int& from [[buffer(5)]], constant int& to [[buffer(6)]], uint2 at [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]])
{
    if (int(t) < n) {
        int place = 0;
        for (int i = 0; i < n; i++) {
            place += x[at.y * from + i] < x[at.y * from + t];
        }
        y[at.y * to + place] = t;
    }
}`, "place += x[at.y * from + i] < x", "place += x[at.y * from + i] > x"},
}

// What packs say is what names and arguments mean: kernels of ours conform, and with a fault they do not.
func TestKernels(t *testing.T) {
	for i, k := range own {
		if testing.Short() && i%16 != 0 {
			continue
		}
		p, err := read(k.pack)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(k.text, k.fault) {
			t.Fatalf("%s has no %q", k.kernel, k.fault)
		}
		for what, text := range map[string]string{"": k.text, k.wrong: strings.Replace(k.text, k.fault, k.wrong, 1)} {
			if fails, reason := failing(t, p, k.kernel, text); fails != (what != "") {
				t.Errorf("%s with %q: %s", k.kernel, what, reason)
			}
		}
	}
}

// coded are kernels of ours that decode blocks by a codebook of ours, in place of the published one.
var coded = []struct{ format, codebook, text, fault, wrong string }{
	{"iq2_xs", "iq2xs_grid", `        device const uchar* block = table + rows[at] * args.row + i / 256 * 74;
        int group = i % 256 / 8, code = block[2 + 2 * group] | block[3 + 2 * group] << 8, minuses = code >> 9;
        minuses |= popcount(minuses) % 2 << 7;
        float scale = (0.5f + (block[66 + group / 4] >> (group % 4 < 2 ? 0 : 4) & 15)) / 4;
        y[at * args.n + i] = HALF(0) * scale * BYTE(8 * (code & 511) + i % 8) * (minuses >> i % 8 & 1 ? -1 : 1);`,
		"popcount(minuses) % 2", "popcount(minuses) / 9"},
	{"iq3_s", "iq3s_grid", `        device const uchar* block = table + rows[at] * args.row + i / 256 * 110;
        int four = i % 256 / 4, code = block[2 + four] | (block[66 + four / 8] >> four % 8 & 1) << 8;
        int scale = 1 + 2 * (block[106 + four / 16] >> four / 8 % 2 * 4 & 15);
        y[at * args.n + i] = HALF(0) * scale * BYTE(4 * code + i % 4) * (block[74 + four / 2] >> i % 8 & 1 ? -1 : 1);`,
		"four / 8 % 2", "four / 8 % 1"},
	{"iq1_m", "iq1s_grid_gpu", `        device const uchar* block = table + rows[at] * args.row + i / 256 * 56;
        int group = i % 256 / 8, high = block[32 + group / 2] >> group % 2 * 4 & 15, code = block[group] | (high & 7) << 8;
        ushort d = block[49] >> 4 | block[51] >> 4 << 4 | block[53] >> 4 << 8 | block[55] >> 4 << 12;
        int part = group / 2, word = block[48 + part / 4 * 2] | block[49 + part / 4 * 2] << 8, scale = 1 + 2 * (word >> part % 4 * 3 & 7);
        float number = (BYTE(4 * code + i % 4) >> (i % 8 < 4 ? 0 : 4) & 15) - 1 + (high & 8 ? -0.125f : 0.125f);
        y[at * args.n + i] = float(as_type<half>(d)) * scale * number;`, "group % 2 * 4", "group % 1 * 4"},
}

// Formats with codebooks mean what their published layouts say, whatever the codebook holds; without a declaration no
// other will do.
func TestCodebooks(t *testing.T) {
	p, err := read("ggml")
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range coded {
		if testing.Short() && i > 0 {
			break
		}
		numbers := map[string]int{"iq2_xs": 1024, "iq3_s": 512, "iq1_m": 2048}[k.format]
		head := `struct Args { int units, n; ulong row, plane, space; int rows; ulong index[3], to[3]; };
#define BYTE(i) int(POINTS[(i) / 4] >> (i) % 4 * 8 & 255)
#define HALF(i) float(as_type<half>(ushort(block[i] | block[i + 1] << 8)))
constant uint POINTS[] = {`
		for i := range numbers {
			head += fmt.Sprintf("%du,", uint32(i)*2654435761)
		}
		head += `};
kernel void kernel_get_rows_` + k.format +
			`(constant Args& args [[buffer(0)]], device const uchar* table [[buffer(1)]],
				device const int* rows [[buffer(2)]], device float* y [[buffer(3)]],
    uint at [[threadgroup_position_in_grid]], uint unit [[thread_index_in_threadgroup]])
{
    for (int i = 16 * unit; i < 16 * int(unit) + 16; i++) {
`
		declared := &suite.Declarations{Tables: []suite.DeclaredTable{{Name: k.codebook, Constant: "POINTS"}}}
		for _, test := range []struct {
			text     string
			declared *suite.Declarations
			fails    bool
		}{
			{k.text, declared, false}, {strings.Replace(k.text, k.fault, k.wrong, 1), declared, true},
			{k.text, nil, true},
			{k.text, &suite.Declarations{Tables: []suite.DeclaredTable{{Name: k.codebook, Constant: "OTHERS"}}}, true},
		} {
			if fails, reason := failingWith(t, p, "kernel_get_rows_"+k.format, head+test.text+"\n    }\n}",
				test.declared); fails != test.fails {
				t.Errorf("%s: %s\n%s", k.format, reason, test.text)
			}
		}
	}
}

// failing reports whether any case of a kernel fails.
func failing(t *testing.T, p Pack, kernel, text string) (fails bool, reason string) {
	t.Helper()
	return failingWith(t, p, kernel, text, nil)
}

func failingWith(t *testing.T, p Pack, kernel, text string, declared *suite.Declarations) (fails bool, reason string) {
	t.Helper()
	shaders, err := suite.OpenShaders(fstest.MapFS{
		"k.metal": {Data: []byte("#include <metal_stdlib>\nusing namespace metal;\n" + text)},
	}, metalrun.Analyse)
	if err != nil {
		t.Fatal(err)
	}
	exact := suite.NewExact(1, func(a metalrun.Arithmetic) metalrun.Runner {
		return sim.New(sim.Exactly(a))
	})
	var own []suite.Kernel
	for _, f := range p.Families {
		if i := slices.IndexFunc(f.Kernels, func(k suite.Kernel) bool { return k.Name == kernel }); i >= 0 {
			own = append(own, f.Kernels[i])
		}
	}
	cases := slices.DeleteFunc(suite.Cases([]suite.Family{{Kernels: own}}, suite.Quick),
		func(c suite.Case) bool { return elements(c) > 4000 })
	err = suite.Run(context.Background(), sim.New(sim.Semantics{Check: true}),
		suite.Options{Shaders: shaders, Seed: 1, Exact: exact, Declared: declared}, cases, func(r suite.Result) {
			switch {
			case r.Status == suite.Fail:
				fails, reason = true, r.Failures[0].String()
			case r.Status != suite.Pass:
				t.Errorf("%s: %s %s", r.Case, r.Status, r.Reason)
			}
		})
	if err != nil {
		t.Fatal(err)
	}
	return fails, reason
}

// elements are those of the buffers of a case.
func elements(c suite.Case) (n int) {
	for _, a := range c.Kernel.Args {
		if a.Buffer() {
			n += a.Count(c.Shape)
		}
	}
	return n
}

func TestCover(t *testing.T) {
	p := Pack{Kernels: []string{"a", "b"},
		Left: []Omission{{[]string{"none"}, "it is not there"}, {[]string{"d?", "e*"}, "nobody launches them"}}}
	want := Coverage{Covered: []string{"b"}, Uncovered: []string{"c"}, Absent: []string{"a"},
		Left: []Omission{{[]string{"d1", "d2", "e"}, "nobody launches them"}}}
	got := p.Cover([]string{"b", "c", "d1", "d2", "e"})
	if diff := cmp.Diff(want, got); diff != "" || got.All() != 5 {
		t.Errorf("coverage of %d kernels (-want +got):\n%s", got.All(), diff)
	}
}

// TestLimits: a kernel has the limits of its name, and its own before those.
func TestLimits(t *testing.T) {
	k := suite.Kernel{Name: "sort_f32", Axes: []suite.Axis{"rows", "n"}, Limits: suite.Shape{"n": 7}}
	limit(&k, []Omission{{Names: []string{"sort_*", "rows=8", "n=9", "heads=4"}},
		{Names: []string{"scan_*", "rows=2"}}})
	if want := (suite.Shape{"rows": 8, "n": 7}); !maps.Equal(k.Limits, want) {
		t.Errorf("got %v, want %v", k.Limits, want)
	}
}
