// Functions of clang that no function of the library is.

constexpr ushort __builtin_bswap16(ushort x) { return ushort(x << 8 | x >> 8); }
constexpr uint __builtin_bswap32(uint x) { return x << 24 | (x << 8 & 0xff0000) | (x >> 8 & 0xff00) | x >> 24; }
constexpr ulong __builtin_bswap64(ulong x) { return ulong(__builtin_bswap32(uint(x))) << 32 | __builtin_bswap32(uint(x >> 32)); }
constexpr int __builtin_parity(uint x) { return int(popcount(x) & 1); }
constexpr int __builtin_parityl(ulong x) { return int(popcount(x) & 1); }
constexpr int __builtin_parityll(ulong x) { return int(popcount(x) & 1); }
constexpr int __builtin_ffs(int x) { return x == 0 ? 0 : int(ctz(uint(x))) + 1; }
constexpr int __builtin_ffsl(long x) { return x == 0 ? 0 : int(ctz(ulong(x))) + 1; }
constexpr int __builtin_ffsll(long x) { return x == 0 ? 0 : int(ctz(ulong(x))) + 1; }
constexpr int __builtin_clrsb(int x) { return int(clz(uint(x < 0 ? ~x : x))) - 1; }

#define BITS(T, WIDTH) \
    constexpr T __builtin_rotateleft##WIDTH(T x, T n) { return rotate(x, n); } \
    constexpr T __builtin_rotateright##WIDTH(T x, T n) { return rotate(x, T(-n & WIDTH - 1)); } \
    constexpr T __builtin_bitreverse##WIDTH(T x) { return reverse_bits(x); }
BITS(uchar, 8)
BITS(ushort, 16)
BITS(uint, 32)
BITS(ulong, 64)

template <typename T, int N, typename... I> vec<T, sizeof...(I)> __shufflevector(vec<T, N> a, vec<T, N> b, I... i)
{
    return vec<T, sizeof...(I)>((i < 0 ? T(0) : int(i) < N ? a[int(i) & N - 1 + (N == 3)] : b[int(i) - N & N - 1 + (N == 3)])...);
}

// What *r cannot hold of a sum, difference or product is lost, and the answer is true.
#define OVERFLOW(SPACE) \
    template <typename A, typename B, typename R> bool __builtin_add_overflow(A a, B b, SPACE R* r) \
    { \
        if constexpr (sizeof(A) < 8 && sizeof(B) < 8) { \
            const long x = long(a) + long(b); \
            *r = R(x); \
            return sizeof(R) < 8 || is_unsigned<R>::value && x < 0 ? long(R(x)) != x || is_unsigned<R>::value && x < 0 : false; \
        } else { \
            static_assert(is_same<A, R>::value && is_same<B, R>::value, "numbers of 64 bits have to be of one type"); \
            const R x = R(ulong(a) + ulong(b)); \
            *r = x; \
            return is_unsigned<R>::value ? x < a : ((a ^ x) & (b ^ x)) < 0; \
        } \
    } \
    template <typename A, typename B, typename R> bool __builtin_sub_overflow(A a, B b, SPACE R* r) \
    { \
        if constexpr (sizeof(A) < 8 && sizeof(B) < 8) { \
            const long x = long(a) - long(b); \
            *r = R(x); \
            return sizeof(R) < 8 || is_unsigned<R>::value && x < 0 ? long(R(x)) != x || is_unsigned<R>::value && x < 0 : false; \
        } else { \
            static_assert(is_same<A, R>::value && is_same<B, R>::value, "numbers of 64 bits have to be of one type"); \
            const R x = R(ulong(a) - ulong(b)); \
            *r = x; \
            return is_unsigned<R>::value ? a < b : ((a ^ b) & (a ^ x)) < 0; \
        } \
    } \
    template <typename A, typename B, typename R> bool __builtin_mul_overflow(A a, B b, SPACE R* r) \
    { \
        if constexpr (sizeof(A) < 8 && sizeof(B) < 8 && !(is_unsigned<A>::value && is_unsigned<B>::value && sizeof(A) + sizeof(B) == 8)) { \
            const long x = long(a) * long(b); \
            *r = R(x); \
            return long(R(x)) != x || is_unsigned<R>::value && x < 0; \
        } else if constexpr (sizeof(A) < 8 && sizeof(B) < 8) { \
            const ulong x = ulong(a) * ulong(b); \
            *r = R(x); \
            return ulong(R(x)) != x || !is_unsigned<R>::value && R(x) < 0; \
        } else { \
            static_assert(is_same<A, R>::value && is_same<B, R>::value, "numbers of 64 bits have to be of one type"); \
            const R x = R(ulong(a) * ulong(b)); \
            *r = x; \
            return is_unsigned<R>::value ? mulhi(a, b) != 0 : mulhi(a, b) != x >> 63; \
        } \
    }
OVERFLOW(thread)
OVERFLOW(device)
OVERFLOW(threadgroup)
