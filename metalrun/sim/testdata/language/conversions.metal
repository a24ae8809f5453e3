// Conversions of the language: promotion, the usual arithmetic conversions, narrowing, bool, enumerations.
#include <metal_stdlib>
using namespace metal;

template <typename T> int which(T) { return 0; }
int kind(bool) { return 1; }
int kind(char) { return 2; }
int kind(uchar) { return 3; }
int kind(short) { return 4; }
int kind(ushort) { return 5; }
int kind(int) { return 6; }
int kind(uint) { return 7; }
int kind(long) { return 8; }
int kind(ulong) { return 9; }
int kind(half) { return 10; }
int kind(float) { return 11; }

// want int 6 6 6 6
kernel void small_integers_promote(device int *out [[buffer(0)]]) { char c = 1; uchar u = 2; short s = 3; ushort t = 4; out[0] = kind(c + c); out[1] = kind(u + u); out[2] = kind(s * t); out[3] = kind(-t); }
// want int 7 8 9 9
kernel void wider_wins(device int *out [[buffer(0)]]) { int i = 1; uint u = 2; long l = 3; ulong m = 4; out[0] = kind(i + u); out[1] = kind(u + l); out[2] = kind(l + m); out[3] = kind(i + m); }
// want int 11 10 10 11
kernel void floats_win(device int *out [[buffer(0)]]) { half h = 1.0h; float f = 2; long l = 3; out[0] = kind(h + f); out[1] = kind(h + h); out[2] = kind(h + l); out[3] = kind(l * f); }
// want int 6 1 6 1
kernel void of_bool(device int *out [[buffer(0)]]) { bool b = true; out[0] = kind(b + b); out[1] = kind(b && b); out[2] = kind(~b); out[3] = kind(!3); }
// want int 6 7 8 9 6
kernel void of_literals(device int *out [[buffer(0)]]) { out[0] = kind(1); out[1] = kind(1u); out[2] = kind(1L); out[3] = kind(1ul); out[4] = kind(0x7fffffff); }
// want int 7 8 9 2
kernel void of_large_literals(device int *out [[buffer(0)]]) { out[0] = kind(0x80000000); out[1] = kind(2147483648); out[2] = kind(0x8000000000000000); out[3] = kind('a'); }
// want int 2 3 4 6
kernel void compound_assignment_keeps_the_type(device int *out [[buffer(0)]]) { char c = 1; uchar u = 1; short s = 1; out[0] = kind(c += 1); out[1] = kind(u <<= 1); out[2] = kind(++s); out[3] = kind(s << 1L); }
// want int 4 6 7 8
kernel void of_choices(device int *out [[buffer(0)]]) { short s = 1; int i = 2; uint u = 3; long l = 4; bool b = i > 1; out[0] = kind(b ? s : s); out[1] = kind(b ? s : i); out[2] = kind(b ? i : u); out[3] = kind(b ? u : l); }
// want int -1 255 -1 65535
kernel void narrowing_wraps(device int *out [[buffer(0)]]) { int i = -1; out[0] = char(i); out[1] = uchar(i); out[2] = short(i); out[3] = ushort(i); }
// want int 44 -56 -25536 40000
kernel void narrowing_drops_bits(device int *out [[buffer(0)]]) { int i = 300, j = 200, k = 40000; out[0] = char(i); out[1] = char(j); out[2] = short(k); out[3] = ushort(k); }
// want long 4294967295 -1 4294967295 -2
kernel void widening_keeps_the_sign(device long *out [[buffer(0)]]) { uint u = 0xffffffffu; int i = -1; out[0] = u; out[1] = i; out[2] = uint(i); out[3] = char(-2); }
// want int 1 1 0 1
kernel void to_bool(device int *out [[buffer(0)]]) { float f = 0.25f; int i = 256; float z = -0.0f; out[0] = bool(f); out[1] = bool(i); out[2] = bool(z); out[3] = bool(uchar(255)); }
// want int 3 -3 0 -1
kernel void floats_truncate(device int *out [[buffer(0)]]) { float a = 3.99f, b = -3.99f, c = -0.5f, d = -1.0f; out[0] = int(a); out[1] = int(b); out[2] = int(c); out[3] = int(d); }
// want float 16777216 16777216 16777220 -1
kernel void integers_round_to_even(device float *out [[buffer(0)]]) { int a = 16777216, b = 16777217, c = 16777219; long d = -1; out[0] = a; out[1] = b; out[2] = c; out[3] = d; }
// want float 2048 2048 2052 65504
kernel void to_half_rounds(device float *out [[buffer(0)]]) { float a = 2048, b = 2049, c = 2051, d = 65504; out[0] = half(a); out[1] = half(b); out[2] = half(c); out[3] = half(d); }
// want int 1 0 1 0
kernel void mixed_signs_compare_unsigned(device int *out [[buffer(0)]]) { int i = -1; uint u = 1; long l = -1; char c = -1; uchar d = 255; out[0] = uint(i) > u; out[1] = i < int(u) && uint(i) < u; out[2] = l < u; out[3] = c == d; }
// want int 65 66 1 2
kernel void characters(device int *out [[buffer(0)]]) { char a = 'A'; out[0] = a; out[1] = 'A' + 1; out[2] = 'b' - 'a'; out[3] = '2' - '0'; }

enum Plain { none, some = 5, many };
enum Small : uchar { low = 250, high = 255 };
enum class Scoped : short { minus = -3, zero = 0, plus = 3 };
enum Signed { below = -1, above = 1 };

// want int 0 5 6 11
kernel void enumerators(device int *out [[buffer(0)]]) { Plain p = many; out[0] = none; out[1] = some; out[2] = p; out[3] = some + many; }
// want int 1 255 250 4
kernel void underlying_types(device int *out [[buffer(0)]]) { out[0] = sizeof(Small); out[1] = high; out[2] = Small(250); Small s = high; out[3] = uchar(s + 5); }
// want int -3 3 2 1
kernel void scoped(device int *out [[buffer(0)]]) { Scoped s = Scoped::minus; out[0] = int(s); out[1] = int(Scoped::plus); out[2] = sizeof(Scoped); out[3] = s < Scoped::zero; }
// want int 1 -1 0 1
kernel void signed_enumerations(device int *out [[buffer(0)]]) { Signed s = below; out[0] = s < 0; out[1] = s; out[2] = s + above; out[3] = Signed(1) == above; }
// want int 6 5 1
kernel void enumerations_choose(device int *out [[buffer(0)]]) { Plain p = some; switch (p) { case none: out[0] = 1; break; case some: out[0] = 6; break; default: out[0] = 9; } out[1] = static_cast<int>(p); out[2] = p != none; }

// want int 1 2 2 3
kernel void references_to_const(device int *out [[buffer(0)]]) { int i = 1; const thread int &r = i; out[0] = r; i = 2; out[1] = r; const thread long &t = i; i = 3; out[2] = int(t); out[3] = r; }
// want int 7 0 1
kernel void pointers_to_bool(device int *out [[buffer(0)]]) { int i = 7; thread int *p = &i; thread int *q = nullptr; out[0] = p ? *p : 0; out[1] = bool(q); out[2] = p && !q; }
// want int 3 4 5
kernel void void_pointers(device int *out [[buffer(0)]]) { int a[3] = {3, 4, 5}; thread void *v = a; thread int *p = (thread int *)v; out[0] = p[0]; out[1] = *(p + 1); out[2] = static_cast<thread int *>(v)[2]; }
// want uint 1065353216 3221225472 0
kernel void bits_of_floats(device uint *out [[buffer(0)]]) { out[0] = as_type<uint>(1.0f); out[1] = as_type<uint>(-2.0f); out[2] = as_type<uint>(0.0f); }
// want float 1 -1.5 2
kernel void floats_of_bits(device float *out [[buffer(0)]]) { out[0] = as_type<float>(0x3f800000u); out[1] = as_type<float>(0xbfc00000u); out[2] = as_type<half>(ushort(0x4000)); }
// want int 1 2 3 4
kernel void bytes_of_an_integer(device int *out [[buffer(0)]]) { uint u = 0x04030201; thread uchar *b = (thread uchar *)&u; for (int i = 0; i < 4; i++) out[i] = b[i]; }
// want int 0 0 1 1
kernel void void_casts(device int *out [[buffer(0)]]) { int i = 0; (void)i; out[0] = i; (void)(i = 1), out[1] = i - 1; static_cast<void>(i); out[2] = i; out[3] = (i, 1); }
// want int 2 0 -1 2147483647
kernel void unsigned_division_after_conversion(device int *out [[buffer(0)]]) { int i = -2; uint u = 2; out[0] = int(5 / u); out[1] = int(1u / u); out[2] = i / int(u); out[3] = int(uint(i) / u); }
// want int -1 -4 1073741822 3
kernel void shifts_follow_the_left_operand(device int *out [[buffer(0)]]) { int i = -7; uint u = uint(i) ; char c = -8; out[0] = i >> 3; out[1] = c >> 1; out[2] = int(u >> 2); out[3] = uchar(255) >> 6; }
