// Resources that a kernel gets besides buffers: textures and samplers of <metal_texture>, and
// tables of functions. A texture is a pointer to what a
// host describes: the sizes, then for each level the texels, four components each. Reads beyond
// the edges give zero and writes there do nothing. Filters weigh in f32; a GPU has few bits
// for the weights.

enum class access { sample, read, write, read_write };
enum class coord { normalized, pixel };
enum class filter { nearest, linear };
enum class mag_filter { nearest, linear };
enum class min_filter { nearest, linear };
enum class mip_filter { none, nearest, linear };
enum class address { clamp_to_edge, clamp_to_zero, repeat, mirrored_repeat, clamp_to_border };
enum class s_address { clamp_to_edge, clamp_to_zero, repeat, mirrored_repeat, clamp_to_border };
enum class t_address { clamp_to_edge, clamp_to_zero, repeat, mirrored_repeat, clamp_to_border };
enum class r_address { clamp_to_edge, clamp_to_zero, repeat, mirrored_repeat, clamp_to_border };
enum class border_color { transparent_black, opaque_black, opaque_white };
enum class compare_func { none, never, less, less_equal, greater, greater_equal, equal, not_equal, always };
enum class reduction { weighted_average, minimum, maximum };
enum class component { x, y, z, w };

struct max_anisotropy { constexpr max_anisotropy(int) {} };
struct lod_clamp {
    float least, most;
    constexpr lod_clamp(float least, float most) : least(least), most(most) {}
};
struct level { float lod; level(float lod) : lod(lod) {} };
struct bias { float value; bias(float value) : value(value) {} };
struct min_lod_clamp { float lod; min_lod_clamp(float lod) : lod(lod) {} };
#define GRADIENT(NAME, V) struct NAME { V dx, dy; NAME(V dx, V dy) : dx(dx), dy(dy) {} };
GRADIENT(gradient2d, float2)
GRADIENT(gradient3d, float3)
GRADIENT(gradientcube, float3)
#undef GRADIENT

// A sampler is eight numbers of a byte each.
struct sampler {
    ulong state;

    template <typename... Options> constexpr sampler(Options... options) : state(0xf0UL << 56) { (set(options), ...); }
    constexpr void field(uint i, uint x) { state = (state & ~(0xffUL << 8 * i)) | ulong(x) << 8 * i; }
    constexpr void fields(uint i, uint x) { field(i, x); field(i + 1, x); field(i + 2, x); }
    constexpr uint field(uint i) const { return uint(state >> 8 * i) & 0xff; }
    constexpr void set(coord x) { field(0, field(0) & ~1u | uint(x)); }
    constexpr void set(filter x) { field(1, uint(x)); }
    constexpr void set(mag_filter x) { field(1, uint(x)); }
    constexpr void set(min_filter) {} // for textures that shrink on a screen
    constexpr void set(mip_filter x) { field(2, uint(x)); }
    constexpr void set(address x) { fields(3, uint(x)); }
    constexpr void set(s_address x) { field(3, uint(x)); }
    constexpr void set(t_address x) { field(4, uint(x)); }
    constexpr void set(r_address x) { field(5, uint(x)); }
    constexpr void set(border_color x) { field(0, field(0) & 1 | uint(x) << 1); }
    constexpr void set(compare_func x) { field(6, uint(x)); }
    constexpr void set(reduction) {}
    constexpr void set(max_anisotropy) {}
    constexpr void set(lod_clamp x) { field(7, uint(metal::clamp(x.least, 0.0f, 15.0f)) | uint(metal::clamp(x.most, 0.0f, 15.0f)) << 4); }

    bool pixels() const { return field(0) & 1; }
    uint border() const { return field(0) >> 1; }
    bool linear() const { return field(1); }
    uint mip() const { return field(2); }
    uint address(uint axis) const { return field(3 + axis); }
    uint compare() const { return field(6); }
    float least() const { return field(7) & 15; }
    float most() const { return field(7) >> 4; }
};

struct __texture_sizes { uint width, height, depth, layers, levels, samples, reserved[2]; };

// A table of functions that a host fills: how many there are, then each.
template <typename F> struct visible_function_table {
    using function = F*;
    device ulong* entries;
    uint size() const { return uint(entries[0]); }
    function operator[](uint i) const { return ((device function*)(entries + 1))[i]; }
};

// What textures of all shapes have in common. Layers are those of an array, faces and samples among them.
template <typename T, access A> struct __texture {
    using texel = vec<T, 4>;
    device __texture_sizes* sizes;

    static void readable() { static_assert(A != access::write, "a texture with access::write cannot be read"); }
    static void writable() { static_assert(A == access::write || A == access::read_write, "a texture with access::read or access::sample cannot be written"); }
    static void sampleable() { static_assert(A == access::sample, "only a texture with access::sample can be sampled"); }

    uint3 extent(uint lod) const { return metal::max(uint3(sizes->width, sizes->height, sizes->depth) >> lod, 1u); }
    device texel* at(uint3 p, uint layer, uint lod) const
    {
        const uint3 size = extent(lod);
        if (p.x >= size.x || p.y >= size.y || p.z >= size.z || layer >= sizes->layers || lod >= sizes->levels)
            return nullptr;
        ulong texels = 0;
        for (uint l = 0; l < lod; ++l) {
            const uint3 above = extent(l);
            texels += ulong(above.x) * above.y * above.z * sizes->layers;
        }
        texels += ((ulong(layer) * size.z + p.z) * size.y + p.y) * size.x + p.x;
        return (device texel*)(sizes + 1) + texels;
    }
    texel get(uint3 p, uint layer, uint lod) const
    {
        readable();
        device texel* from = at(p, layer, lod);
        return from ? *from : texel(T(0));
    }
    void put(texel x, uint3 p, uint layer, uint lod) const
    {
        writable();
        device texel* to = at(p, layer, lod);
        if (to)
            *to = x;
    }

    // The place of a coordinate along an axis, -1 for none.
    static int placed(int i, int size, uint mode)
    {
        switch (mode) {
        case 0: return metal::clamp(i, 0, size - 1);
        case 2: i = i % size; return i < 0 ? i + size : i;
        case 3: i = i % (2 * size); i = i < 0 ? i + 2 * size : i; return i < size ? i : 2 * size - 1 - i;
        default: return i < 0 || i >= size ? -1 : i;
        }
    }
    texel fetch(sampler s, int3 p, uint layer, uint lod) const
    {
        const uint3 size = extent(lod);
        const int3 q(placed(p.x, size.x, s.address(0)), placed(p.y, size.y, s.address(1)), placed(p.z, size.z, s.address(2)));
        if (any(q < 0)) {
            if ((q.x < 0 && s.address(0) == 4) || (q.y < 0 && s.address(1) == 4) || (q.z < 0 && s.address(2) == 4))
                return texel(vec<T, 3>(s.border() == 2 ? T(1) : T(0)), s.border() > 0 ? T(1) : T(0));
            return texel(T(0));
        }
        return get(uint3(q), layer, lod);
    }
    // A coordinate in texels of a level.
    float3 scaled(sampler s, float3 c, uint lod) const { return s.pixels() ? c : c * float3(extent(lod)); }
    texel filtered(sampler s, float3 c, uint layer, uint lod, int3 offset, bool3 axes) const
    {
        const float3 p = select(float3(0.5f), scaled(s, c, lod), axes);
        if constexpr (is_floating_point<T>::value) {
            if (s.linear()) {
                const float3 q = select(float3(0.0f), p - 0.5f, axes), low = floor(q);
                const float3 w = q - low;
                float4 sum = 0;
                for (int k = 0; k < (axes.z ? 2 : 1); ++k)
                    for (int j = 0; j < (axes.y ? 2 : 1); ++j)
                        for (int i = 0; i < 2; ++i) {
                            const float weight = (i ? w.x : 1 - w.x) * (axes.y ? (j ? w.y : 1 - w.y) : 1.0f) * (axes.z ? (k ? w.z : 1 - w.z) : 1.0f);
                            sum += weight * float4(fetch(s, int3(low) + int3(i, j, k) + offset, layer, lod));
                        }
                return texel(sum);
            }
        }
        return fetch(s, int3(floor(p)) + offset, layer, lod);
    }
    texel sampled(sampler s, float3 c, uint layer, float lod, int3 offset, bool3 axes) const
    {
        sampleable();
        lod = metal::clamp(lod, s.least(), metal::min(s.most(), float(sizes->levels - 1)));
        if (s.mip() == 2 && lod != floor(lod)) {
            if constexpr (is_floating_point<T>::value) {
                const float4 near(filtered(s, c, layer, uint(lod), offset, axes)), far(filtered(s, c, layer, uint(lod) + 1, offset, axes));
                return texel(metal::mix(near, far, metal::fract(lod)));
            }
        }
        return filtered(s, c, layer, s.mip() ? uint(rint(lod)) : 0u, offset, axes);
    }
    // The four texels around a place, counter-clockwise from the lower left.
    texel gathered(sampler s, float2 c, uint layer, int2 offset, component k) const
    {
        sampleable();
        const int2 low = int2(floor(scaled(s, float3(c, 0), 0).xy - 0.5f)) + offset;
        return texel(fetch(s, int3(low.x, low.y + 1, 0), layer, 0)[int(k)], fetch(s, int3(low.x + 1, low.y + 1, 0), layer, 0)[int(k)],
                     fetch(s, int3(low.x + 1, low.y, 0), layer, 0)[int(k)], fetch(s, int3(low.x, low.y, 0), layer, 0)[int(k)]);
    }
    static bool holds(sampler s, float reference, float x)
    {
        switch (s.compare()) {
        case 2: return reference < x;
        case 3: return reference <= x;
        case 4: return reference > x;
        case 5: return reference >= x;
        case 6: return reference == x;
        case 7: return reference != x;
        case 8: return true;
        default: return false;
        }
    }
    // The share of the texels that a filter takes which pass a comparison.
    float compared(sampler s, float2 c, uint layer, float reference, int2 offset) const
    {
        sampleable();
        const float2 p = scaled(s, float3(c, 0), 0).xy;
        if (!s.linear())
            return holds(s, reference, fetch(s, int3(int2(floor(p)) + offset, 0), layer, 0).x);
        const float2 low = floor(p - 0.5f), w = p - 0.5f - low;
        float sum = 0;
        for (int j = 0; j < 2; ++j)
            for (int i = 0; i < 2; ++i)
                sum += (i ? w.x : 1 - w.x) * (j ? w.y : 1 - w.y) * float(holds(s, reference, fetch(s, int3(int2(low) + int2(i, j) + offset, 0), layer, 0).x));
        return sum;
    }

    static float lod_of(level x) { return x.lod; }
    static float lod_of(bias x) { return x.value; }
    static float lod_of(min_lod_clamp x) { return x.lod; }
    float lod_of(gradient2d x) const
    {
        const float2 size(sizes->width, sizes->height);
        return log2(metal::max(length(x.dx * size), length(x.dy * size)));
    }
    float lod_of(gradient3d x) const
    {
        const float3 size(sizes->width, sizes->height, sizes->depth);
        return log2(metal::max(length(x.dx * size), length(x.dy * size)));
    }
    float lod_of(gradientcube x) const { return log2(metal::max(length(x.dx), length(x.dy)) * sizes->width); }

    uint get_num_mip_levels() const { return sizes->levels; }
    void fence() const {}
};
template <typename T, access A> bool is_null_texture(__texture<T, A> t) { return t.sizes == nullptr; }

// Reads and writes: P is a position, L the type of a number beside it, XYZ the position in three dimensions.
#define PLAIN_ACCESS(P, L, XYZ) \
    texel read(P p, L lod = 0) const { return this->get(XYZ, 0, lod); } \
    void write(texel x, P p, L lod = 0) const { this->put(x, XYZ, 0, lod); }
#define ARRAY_ACCESS(P, L, XYZ) \
    texel read(P p, L layer, L lod = 0) const { return this->get(XYZ, layer, lod); } \
    void write(texel x, P p, L layer, L lod = 0) const { this->put(x, XYZ, layer, lod); }
// Samples: C is a coordinate, O an offset.
#define PLAIN_SAMPLE(C, O, XYZ, OFFSET, AXES) \
    texel sample(sampler s, C c, O o = O(0)) const { return this->sampled(s, XYZ, 0, 0, OFFSET, AXES); } \
    template <typename Option> texel sample(sampler s, C c, Option option, O o = O(0)) const { return this->sampled(s, XYZ, 0, this->lod_of(option), OFFSET, AXES); } \
    template <typename Option> texel sample(sampler s, C c, Option option, min_lod_clamp least, O o = O(0)) const \
    { return this->sampled(s, XYZ, 0, metal::max(this->lod_of(option), least.lod), OFFSET, AXES); }
#define ARRAY_SAMPLE(C, O, XYZ, OFFSET, AXES) \
    texel sample(sampler s, C c, uint layer, O o = O(0)) const { return this->sampled(s, XYZ, layer, 0, OFFSET, AXES); } \
    template <typename Option> texel sample(sampler s, C c, uint layer, Option option, O o = O(0)) const \
    { return this->sampled(s, XYZ, layer, this->lod_of(option), OFFSET, AXES); }
#define WIDTH uint get_width(uint lod = 0) const { return this->extent(lod).x; }
#define HEIGHT uint get_height(uint lod = 0) const { return this->extent(lod).y; }
#define DEPTH uint get_depth(uint lod = 0) const { return this->extent(lod).z; }
#define LAYERS uint get_array_size() const { return this->sizes->layers; }
// Atomic functions, on the first component.
#define ATOMIC(P, XYZ, NAME) \
    texel atomic_##NAME(P p, texel x) const \
    { \
        this->writable(); \
        device texel* t = this->at(XYZ, 0, 0); \
        return t ? texel(atomic_##NAME##_explicit((device atomic<T>*)t, x.x, memory_order_relaxed), 0, 0, 0) : texel(T(0)); \
    } \
    texel atomic_##NAME(P p, T x) const { return this->atomic_##NAME(p, texel(x, 0, 0, 0)); }
#define ATOMICS(P, XYZ) \
    ATOMIC(P, XYZ, exchange) ATOMIC(P, XYZ, fetch_add) ATOMIC(P, XYZ, fetch_sub) ATOMIC(P, XYZ, fetch_and) ATOMIC(P, XYZ, fetch_or) \
    ATOMIC(P, XYZ, fetch_xor) ATOMIC(P, XYZ, fetch_min) ATOMIC(P, XYZ, fetch_max) \
    texel atomic_load(P p) const { device texel* t = this->at(XYZ, 0, 0); return t ? texel(atomic_load_explicit((device atomic<T>*)t, memory_order_relaxed), 0, 0, 0) : texel(T(0)); } \
    void atomic_store(texel x, P p) const { this->writable(); device texel* t = this->at(XYZ, 0, 0); if (t) atomic_store_explicit((device atomic<T>*)t, x.x, memory_order_relaxed); }

#define X uint3(p, 0, 0)
#define XY uint3(p.x, p.y, 0)
#define ONE bool3(true, false, false)
#define TWO bool3(true, true, false)
#define THREE bool3(true)

template <typename T, access A = access::sample> struct texture1d : __texture<T, A> {
    using texel = vec<T, 4>;
    PLAIN_ACCESS(uint, uint, X) PLAIN_ACCESS(ushort, ushort, X) WIDTH ATOMICS(uint, X)
    texel sample(sampler s, float c) const { return this->sampled(s, float3(c, 0, 0), 0, 0, int3(0), ONE); }
};
template <typename T, access A = access::sample> struct texture1d_array : __texture<T, A> {
    using texel = vec<T, 4>;
    ARRAY_ACCESS(uint, uint, X) ARRAY_ACCESS(ushort, ushort, X) WIDTH LAYERS
    texel sample(sampler s, float c, uint layer) const { return this->sampled(s, float3(c, 0, 0), layer, 0, int3(0), ONE); }
};
template <typename T, access A = access::sample> struct texture2d : __texture<T, A> {
    using texel = vec<T, 4>;
    PLAIN_ACCESS(uint2, uint, XY) PLAIN_ACCESS(ushort2, ushort, XY) WIDTH HEIGHT ATOMICS(uint2, XY)
    PLAIN_SAMPLE(float2, int2, float3(c, 0), int3(o, 0), TWO)
    texel gather(sampler s, float2 c, int2 o = int2(0), component k = component::x) const { return this->gathered(s, c, 0, o, k); }
};
template <typename T, access A = access::sample> struct texture2d_array : __texture<T, A> {
    using texel = vec<T, 4>;
    ARRAY_ACCESS(uint2, uint, XY) ARRAY_ACCESS(ushort2, ushort, XY) WIDTH HEIGHT LAYERS
    ARRAY_SAMPLE(float2, int2, float3(c, 0), int3(o, 0), TWO)
    texel gather(sampler s, float2 c, uint layer, int2 o = int2(0), component k = component::x) const { return this->gathered(s, c, layer, o, k); }
};
template <typename T, access A = access::sample> struct texture3d : __texture<T, A> {
    using texel = vec<T, 4>;
    PLAIN_ACCESS(uint3, uint, p) PLAIN_ACCESS(ushort3, ushort, uint3(p)) WIDTH HEIGHT DEPTH ATOMICS(uint3, p)
    PLAIN_SAMPLE(float3, int3, c, o, THREE)
};
template <typename T, access A = access::read> struct texture2d_ms : __texture<T, A> {
    using texel = vec<T, 4>;
    texel read(uint2 p, uint sample) const { return this->get(XY, sample, 0); }
    texel read(ushort2 p, ushort sample) const { return this->get(XY, sample, 0); }
    uint get_num_samples() const { return this->sizes->samples; }
    uint get_width() const { return this->sizes->width; }
    uint get_height() const { return this->sizes->height; }
};
template <typename T, access A = access::read> struct texture_buffer : __texture<T, A> {
    using texel = vec<T, 4>;
    texel read(uint p) const { return this->get(X, 0, 0); }
    void write(texel x, uint p) const { this->put(x, X, 0, 0); }
    uint get_width() const { return this->sizes->width; }
    ATOMICS(uint, X)
};

// The face that a direction points to, and where on it.
inline uint __face(float3 d, thread float2& c)
{
    const float3 a = abs(d);
    if (a.x >= a.y && a.x >= a.z) {
        c = (float2(d.x > 0 ? -d.z : d.z, -d.y) / a.x + 1) / 2;
        return d.x > 0 ? 0 : 1;
    }
    if (a.y >= a.z) {
        c = (float2(d.x, d.y > 0 ? d.z : -d.z) / a.y + 1) / 2;
        return d.y > 0 ? 2 : 3;
    }
    c = (float2(d.z > 0 ? d.x : -d.x, -d.y) / a.z + 1) / 2;
    return d.z > 0 ? 4 : 5;
}
template <typename T, access A = access::sample> struct texturecube : __texture<T, A> {
    using texel = vec<T, 4>;
    ARRAY_ACCESS(uint2, uint, XY) ARRAY_ACCESS(ushort2, ushort, XY) WIDTH HEIGHT
    texel sample(sampler s, float3 d) const { float2 c; const uint face = __face(d, c); return this->sampled(s, float3(c, 0), face, 0, int3(0), TWO); }
    template <typename Option> texel sample(sampler s, float3 d, Option option) const
    { float2 c; const uint face = __face(d, c); return this->sampled(s, float3(c, 0), face, this->lod_of(option), int3(0), TWO); }
};
template <typename T, access A = access::sample> struct texturecube_array : __texture<T, A> {
    using texel = vec<T, 4>;
    texel read(uint2 p, uint face, uint layer, uint lod = 0) const { return this->get(XY, 6 * layer + face, lod); }
    void write(texel x, uint2 p, uint face, uint layer, uint lod = 0) const { this->put(x, XY, 6 * layer + face, lod); }
    texel sample(sampler s, float3 d, uint layer) const { float2 c; const uint face = __face(d, c); return this->sampled(s, float3(c, 0), 6 * layer + face, 0, int3(0), TWO); }
    WIDTH HEIGHT
    uint get_array_size() const { return this->sizes->layers / 6; }
};
template <typename T, access A = access::sample> struct depth2d : __texture<T, A> {
    T read(uint2 p, uint lod = 0) const { return this->get(XY, 0, lod).x; }
    T read(ushort2 p, ushort lod = 0) const { return this->get(XY, 0, lod).x; }
    T sample(sampler s, float2 c, int2 o = int2(0)) const { return this->sampled(s, float3(c, 0), 0, 0, int3(o, 0), TWO).x; }
    template <typename Option> T sample(sampler s, float2 c, Option option, int2 o = int2(0)) const
    { return this->sampled(s, float3(c, 0), 0, this->lod_of(option), int3(o, 0), TWO).x; }
    T sample_compare(sampler s, float2 c, float reference, int2 o = int2(0)) const { return this->compared(s, c, 0, reference, o); }
    template <typename Option> T sample_compare(sampler s, float2 c, float reference, Option, int2 o = int2(0)) const { return this->compared(s, c, 0, reference, o); }
    vec<T, 4> gather(sampler s, float2 c, int2 o = int2(0)) const { return this->gathered(s, c, 0, o, component::x); }
    WIDTH HEIGHT
};
template <typename T, access A = access::sample> struct depth2d_array : __texture<T, A> {
    T read(uint2 p, uint layer, uint lod = 0) const { return this->get(XY, layer, lod).x; }
    T read(ushort2 p, ushort layer, ushort lod = 0) const { return this->get(XY, layer, lod).x; }
    T sample(sampler s, float2 c, uint layer, int2 o = int2(0)) const { return this->sampled(s, float3(c, 0), layer, 0, int3(o, 0), TWO).x; }
    T sample_compare(sampler s, float2 c, uint layer, float reference, int2 o = int2(0)) const { return this->compared(s, c, layer, reference, o); }
    WIDTH HEIGHT LAYERS
};
template <typename T, access A = access::sample> struct depthcube : __texture<T, A> {
    T sample(sampler s, float3 d) const { float2 c; const uint face = __face(d, c); return this->sampled(s, float3(c, 0), face, 0, int3(0), TWO).x; }
    T sample_compare(sampler s, float3 d, float reference) const { float2 c; const uint face = __face(d, c); return this->compared(s, c, face, reference, int2(0)); }
    WIDTH HEIGHT
};
template <typename T, access A = access::read> struct depth2d_ms : __texture<T, A> {
    T read(uint2 p, uint sample) const { return this->get(XY, sample, 0).x; }
    uint get_num_samples() const { return this->sizes->samples; }
    uint get_width() const { return this->sizes->width; }
    uint get_height() const { return this->sizes->height; }
};
