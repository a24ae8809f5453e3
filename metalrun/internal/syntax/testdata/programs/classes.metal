// Class templates, specialisation, operators: they parse, whatever the checker makes of them.
#include <metal_stdlib>
using namespace metal;

namespace tiles {
namespace traits {
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
template <typename T> struct both : integral<int, 1>::type, integral<T, T(2)>::type {};
}  // namespace traits
}  // namespace tiles
namespace tiles::traits::detail {
constant int depth = 3;
namespace {
int hidden() { return depth; }
}
}
namespace short_name = tiles::traits;
using namespace tiles::traits;

struct complex_t {
    float real;
    float imag;
    constexpr complex_t(float r, float i) : real(r), imag{i} {}
    constexpr complex_t() : real(0), imag(0) {};
    constexpr complex_t() threadgroup : real(0), imag(0) {}
    template <typename T, typename = typename enable_if<!is_same_v<T, complex_t>>::type>
    constexpr complex_t(T x) thread : real(x), imag(0) {}
    complex_t(const thread complex_t &) = default;
    complex_t(half) = delete;
    explicit operator bool() const { return real != 0; }
    template <typename T> constexpr operator T() const device { return static_cast<T>(real); }
    operator device float *() const;
    thread complex_t &operator+=(complex_t o) thread { real += o.real; imag += o.imag; return *this; }
    complex_t operator-() const { return {-real, -imag}; }
    float operator[](int i) const thread { return i ? this->imag : later(i); }
    bool operator()() const volatile { return true; }
    float later(int i) const { return i * helper::factor; }
    struct helper {
        static constant constexpr int factor = 2;
        enum { A, B };
        typedef float scalar;
        scalar s;
    };
    static complex_t make(float x);
    friend bool operator!(complex_t a) { return a.real == 0; }
};
constexpr complex_t operator+(complex_t a, complex_t b) { return {a.real + b.real, a.imag + b.imag}; }
bool operator<(complex_t a, complex_t b) { return a.real < b.real; }
bool operator>>(complex_t a, int b) { return a.real > b; }
bool operator>>=(complex_t a, int b) { return operator>>(a, b); }
complex_t complex_t::make(float x) {
    helper h;
    helper::scalar s = x;
    return complex_t(s, h.s);
}

template <typename T, short ROWS, short COLUMNS, bool along = 1, short align = 1>
struct StripReader {
    static constant constexpr const short reads = (COLUMNS * ROWS) / 32;
    static constant constexpr const short WIDTH = COLUMNS / reads;
    const int stride;
    const short bi;
    threadgroup T *dst;
    const device T *src;
    struct alignas(align * sizeof(T)) Chunk {
        uint8_t v[sizeof(T) * reads];
    };
    METAL_FUNC StripReader(const device T *from, const int ld, threadgroup T *to, ushort lane [[thread_index_in_simdgroup]])
        : stride(ld), bi(lane / WIDTH), dst(to + bi * COLUMNS), src(from + bi * ld) {}
    METAL_FUNC void read_all() const {
        *((threadgroup Chunk *)(&dst[0])) = *((const device Chunk *)(&src[0]));
    }
    template <int n> void step() thread { src += along ? n : n * stride; }
    void next() { step<2>(); this->template step<reads>(); }
};
template <typename T, int M> struct Tile {
    typedef vec<T, 2> piece_t;
    using reader_t = StripReader<T, M, M>;
    piece_t pieces[M];
    METAL_FUNC constexpr thread piece_t &at(const short i) { return pieces[i]; }
    METAL_FUNC constexpr const thread piece_t &at(const short i) const { return pieces[i]; }
    template <typename U> METAL_FUNC void store(device U *dst, const int ld) const;
    typename reader_t::Chunk vector;
};
template <typename T, int M> METAL_FUNC constexpr thread vec<T, 2> &first(thread Tile<T, M> &tile) { return tile.at(0); }
template <typename T> struct Accumulator;
template <> struct Accumulator<half> { using type = float; };
template <typename T, typename Tile_t = Tile<T, 8>> struct Mma {
    using piece_t = typename Tile_t::piece_t;
    piece_t piece;
    typedef typename Accumulator<T>::type acc_t;
    static void run(thread piece_t &d, acc_t a) { d = piece_t(a); typename Tile_t::piece_t e = d; auto x = typename Tile_t::piece_t(1); }
    void method();
};
template <typename T, typename Tile_t> void Mma<T, Tile_t>::method() { piece_t copy = piece; copy.x = 1; }
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
    using reader_t = StripReader<half, 8, 8>;
    thread reader_t reader((const device half *)out, 8, shared, lane);
    reader.read_all();
    reader.step<3>();
    Tile<float, 4> tile;
    tile.at(1) = Tile<float, 4>::piece_t(1, 2);
    Tile<float, 4>::piece_t piece = tile.at(0);
    first(tile).x = tiles::traits::is_int<int>::value ? 1 : 0;
    integral<int, 3> three;
    out[0] = three() + three + integral<int, 4>::value + tiles::traits::detail::depth + reader_t::reads;
    complex_t z = complex_t(1, 2) + complex_t{3, 4} + complex_t::make(1);
    out[1] = z.operator-().real + bool(z) + Kind::first + int(Scoped::one);
}
class Guarded : private Visible, protected Empty {
    mutable int count;
    friend class Later;
    friend Empty;
    template <typename T> friend class Many;
    friend int of(thread const Guarded &g);
};
