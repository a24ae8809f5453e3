// Class templates, specialisation, operators: they parse, whatever the checker makes of them.
#include <metal_stdlib>
using namespace metal;

namespace mlx {
namespace steel {
template <typename T, T v> struct integral {
    static constexpr constant T value = v;
    using value_type = T;
    using type = integral;
    METAL_FUNC constexpr operator value_type() const { return value; }
    constexpr T operator()() const { return value; }
};
template <bool B> using boolean = integral<bool, B>;
template <typename T> struct is_int : boolean<false> {};
template <> struct is_int<int> : boolean<true> {};
template <typename T, T v> struct is_int<integral<T, v>> : is_int<T> {};
}  // namespace steel
}  // namespace mlx
namespace mlx::steel::detail {
constant int depth = 3;
namespace {
int hidden() { return depth; }
}
}
using namespace mlx::steel;

struct complex64_t {
    float real;
    float imag;
    constexpr complex64_t(float r, float i) : real(r), imag{i} {}
    constexpr complex64_t() : real(0), imag(0) {};
    constexpr complex64_t() threadgroup : real(0), imag(0) {}
    template <typename T, typename = typename enable_if<!is_same_v<T, complex64_t>>::type>
    constexpr complex64_t(T x) thread : real(x), imag(0) {}
    complex64_t(const thread complex64_t &) = default;
    complex64_t(half) = delete;
    explicit operator bool() const { return real != 0; }
    template <typename T> constexpr operator T() const device { return static_cast<T>(real); }
    operator device float *() const;
    thread complex64_t &operator+=(complex64_t o) thread { real += o.real; imag += o.imag; return *this; }
    complex64_t operator-() const { return {-real, -imag}; }
    float operator[](int i) const thread { return i ? this->imag : later(i); }
    bool operator()() const volatile { return true; }
    float later(int i) const { return i * helper::factor; }
    struct helper {
        static constant constexpr int factor = 2;
        enum { A, B };
        typedef float scalar;
        scalar s;
    };
    static complex64_t make(float x);
    friend bool operator!(complex64_t a) { return a.real == 0; }
};
constexpr complex64_t operator+(complex64_t a, complex64_t b) { return {a.real + b.real, a.imag + b.imag}; }
bool operator<(complex64_t a, complex64_t b) { return a.real < b.real; }
bool operator>>(complex64_t a, int b) { return a.real > b; }
bool operator>>=(complex64_t a, int b) { return operator>>(a, b); }
complex64_t complex64_t::make(float x) {
    helper h;
    helper::scalar s = x;
    return complex64_t(s, h.s);
}

template <typename T, short BROWS, short BCOLS, bool reduce_dim = 1, short alignment = 1>
struct BlockLoader {
    static constant constexpr const short n_reads = (BCOLS * BROWS) / 32;
    static constant constexpr const short TCOLS = BCOLS / n_reads;
    const int src_ld;
    const short bi;
    threadgroup T *dst;
    const device T *src;
    struct alignas(alignment * sizeof(T)) ReadVector {
        uint8_t v[sizeof(T) * n_reads];
    };
    METAL_FUNC BlockLoader(const device T *src_, const int ld, threadgroup T *dst_, ushort lane [[thread_index_in_simdgroup]])
        : src_ld(ld), bi(lane / TCOLS), dst(dst_ + bi * BCOLS), src(src_ + bi * ld) {}
    METAL_FUNC void load_unsafe() const {
        *((threadgroup ReadVector *)(&dst[0])) = *((const device ReadVector *)(&src[0]));
    }
    template <int n> void step() thread { src += reduce_dim ? n : n * src_ld; }
    void next() { step<2>(); this->template step<n_reads>(); }
};
template <typename T, int M> struct Tile {
    typedef vec<T, 2> frag_type;
    using loader_t = BlockLoader<T, M, M>;
    frag_type val_frags[M];
    METAL_FUNC constexpr thread frag_type &at(const short i) { return val_frags[i]; }
    METAL_FUNC constexpr const thread frag_type &at(const short i) const { return val_frags[i]; }
    template <typename U> METAL_FUNC void store(device U *dst, const int ld) const;
    typename loader_t::ReadVector vector;
};
template <typename T, int M> METAL_FUNC constexpr thread vec<T, 2> &first(thread Tile<T, M> &tile) { return tile.at(0); }
template <typename T> struct Accumulator;
template <> struct Accumulator<half> { using type = float; };
template <typename T, typename Tile_t = Tile<T, 8>> struct Mma {
    using frag_type = typename Tile_t::frag_type;
    frag_type frag;
    typedef typename Accumulator<T>::type acc_t;
    static void run(thread frag_type &d, acc_t a) { d = frag_type(a); typename Tile_t::frag_type e = d; auto x = typename Tile_t::frag_type(1); }
    void method();
};
template <typename T, typename Tile_t> void Mma<T, Tile_t>::method() { frag_type copy = frag; copy.x = 1; }
Accumulator<half>::type plain = 1.0f;
class Visible {
public:
    Visible() {}
    int get() const { return value; }
private:
    int value;
};
class Derived : public Visible {};
struct Empty {};
struct Bits : Empty, public Visible { uint a : 4; uint : 0; };

enum Kind { first, second };
enum class Scoped { one = 1, two = one + 1 };
[[kernel]] void classes(device float *out [[buffer(0)]], ushort lane [[thread_index_in_simdgroup]]) {
    threadgroup half shared[64];
    using loader_t = BlockLoader<half, 8, 8>;
    thread loader_t loader((const device half *)out, 8, shared, lane);
    loader.load_unsafe();
    loader.step<3>();
    Tile<float, 4> tile;
    tile.at(1) = Tile<float, 4>::frag_type(1, 2);
    Tile<float, 4>::frag_type frag = tile.at(0);
    first(tile).x = mlx::steel::is_int<int>::value ? 1 : 0;
    integral<int, 3> three;
    out[0] = three() + three + integral<int, 4>::value + mlx::steel::detail::depth + loader_t::n_reads;
    complex64_t z = complex64_t(1, 2) + complex64_t{3, 4} + complex64_t::make(1);
    out[1] = z.operator-().real + bool(z) + Kind::first + int(Scoped::one);
}
