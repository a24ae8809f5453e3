#ifndef __METAL_TENSOR__
#define __METAL_TENSOR__
#if __METAL_VERSION__ >= 400
#define __HAVE_TENSOR__ 1

// Tensors of <metal_tensor> and the matrix product of <MetalPerformancePrimitives>, as far as
// kernels use them on memory of their own. Index 0 is the innermost dimension: a matrix of M
// rows and K columns has extents (K, M).

namespace metal {

constexpr constant size_t dynamic_extent = size_t(-1);
template <typename T> constexpr constant T dynamic_length_v = T(-1);

template <typename Index, size_t... Lengths>
struct extents {
    using index_type = Index;
    using size_type = make_unsigned_t<Index>;
    using rank_type = size_t;
    Index lengths[sizeof...(Lengths)];

    constexpr extents() : lengths{Index(Lengths)...} {}
    template <typename... Given>
    constexpr extents(Given... given)
    {
        static_assert(sizeof...(Given) == sizeof...(Lengths) || sizeof...(Given) == rank_dynamic(), "one length for each dimension, or for each dynamic one");
        const Index all[] = {Index(given)...};
        const size_t fixed[] = {Lengths...};
        size_t next = 0;
        for (size_t i = 0; i < sizeof...(Lengths); ++i) {
            if (sizeof...(Given) == sizeof...(Lengths))
                lengths[i] = all[i];
            else
                lengths[i] = fixed[i] == dynamic_extent ? all[next++] : Index(fixed[i]);
        }
    }
    static constexpr size_t rank() { return sizeof...(Lengths); }
    static constexpr size_t rank_dynamic() { return (size_t(Lengths == dynamic_extent) + ... + 0); }
    static constexpr size_t static_extent(size_t i)
    {
        const size_t fixed[] = {Lengths...};
        return fixed[i];
    }
    constexpr Index extent(size_t i) const { return lengths[i]; }
};

template <typename Index, typename Sequence> struct __dynamic_extents;
template <typename Index, size_t... I>
struct __dynamic_extents<Index, index_sequence<I...>> { using type = extents<Index, (I, dynamic_extent)...>; };
template <typename Index, size_t Rank>
using dextents = typename __dynamic_extents<Index, make_index_sequence<Rank>>::type;

struct tensor_handle {};
struct tensor_offset {};
struct tensor_inline {};

template <typename T, typename Extents, typename Kind = tensor_handle, typename... Tags>
struct tensor {
    using element_type = T;
    using value_type = remove_const_t<remove_addrspace_t<T>>;
    using extents_type = Extents;
    using index_type = typename Extents::index_type;

    T* data;
    Extents sizes;
    index_type strides[Extents::rank()];

    tensor(T* p, Extents e) : data(p), sizes(e)
    {
        index_type stride = 1;
        for (size_t i = 0; i < Extents::rank(); ++i) {
            strides[i] = stride;
            stride *= e.extent(i);
        }
    }
    template <typename Stride>
    tensor(T* p, Extents e, array<Stride, Extents::rank()> s) : data(p), sizes(e)
    {
        for (size_t i = 0; i < Extents::rank(); ++i)
            strides[i] = index_type(s[i]);
    }
    static constexpr size_t get_rank() { return Extents::rank(); }
    index_type get_extent(size_t i) const { return sizes.extent(i); }
    template <size_t I> index_type get_extent() const { return sizes.extent(I); }
    index_type get_stride(size_t i) const { return strides[i]; }
    T* get_data() const { return data; }
    Extents get_extents() const { return sizes; }

    template <typename Position> T& operator[](array<Position, Extents::rank()> at) const
    {
        index_type offset = 0;
        for (size_t i = 0; i < Extents::rank(); ++i)
            offset += index_type(at[i]) * strides[i];
        return data[offset];
    }
    T& __at(index_type column, index_type row) const { return data[column * strides[0] + row * strides[1]]; }

    // The part that begins at a position and reaches to the end, or as far as the
    // template arguments say.
    template <typename... Offsets> tensor slice(Offsets... offsets) const
    {
        static_assert(sizeof...(Offsets) == Extents::rank(), "one offset for each dimension");
        const index_type from[] = {index_type(offsets)...};
        tensor part = *this;
        for (size_t i = 0; i < Extents::rank(); ++i) {
            part.data += from[i] * strides[i];
            part.sizes.lengths[i] -= from[i];
        }
        return part;
    }
    template <size_t First, size_t... Rest, typename... Offsets> tensor slice(Offsets... offsets) const
    {
        const size_t lengths[] = {First, Rest...};
        tensor part = slice(offsets...);
        for (size_t i = 0; i < sizeof...(Rest) + 1; ++i)
            if (lengths[i] != dynamic_extent)
                part.sizes.lengths[i] = min(part.sizes.lengths[i], index_type(lengths[i]));
        return part;
    }
};
template <typename T, typename Extents> tensor(T*, Extents) -> tensor<T, Extents, tensor_inline>;
template <typename T, typename Extents, typename S, size_t Rank> tensor(T*, Extents, array<S, Rank>) -> tensor<T, Extents, tensor_inline>;

// Threads that execute an operation together.
struct execution_thread { static constexpr int size() { return 1; } };
struct execution_simdgroup { static constexpr int size() { return 32; } };
template <int N> struct execution_simdgroups { static constexpr int size() { return 32 * N; } };

}

namespace mpp {
namespace tensor_ops {

using namespace metal;

struct matmul2d_descriptor {
    enum class mode { multiply, multiply_accumulate };
    int m, n, k;
    bool transpose_left, transpose_right, relaxed_precision;
    mode matmul_mode;

    constexpr matmul2d_descriptor(int m, int n, int k = dynamic_length_v<int>, bool transpose_left = false, bool transpose_right = false,
                                  bool relaxed_precision = false, mode matmul_mode = mode::multiply)
        : m(m), n(n), k(k), transpose_left(transpose_left), transpose_right(transpose_right),
          relaxed_precision(relaxed_precision), matmul_mode(matmul_mode) {}
};

// Which element of a matrix a thread has. The specification leaves it to the device; this is
// the layout that MLX relies on, for fragments of 16 rows and 16 columns: a lane has four
// neighbours in one row and the four eight rows below.
template <int Rows, int Columns, int Threads>
struct __layout {
    static constexpr constant int groups = Threads / 32;
    static constexpr constant int across = (Columns + 15) / 16;
    static constexpr constant int fragments = across * ((Rows + 15) / 16);
    static constexpr constant int capacity = 8 * ((fragments + groups - 1) / groups);

    static int tile(int i)
    {
        const int group = groups > 1 ? int(__metal_get_simdgroup_index_in_threadgroup(ushort())) % groups : 0;
        return i / 8 * groups + group;
    }
    static int row(int i)
    {
        const int lane = __metal_get_thread_index_in_simdgroup(ushort());
        return tile(i) / across * 16 + (lane >> 2 & 4 | lane >> 1 & 3) + (i / 4 & 1) * 8;
    }
    static int column(int i)
    {
        const int lane = __metal_get_thread_index_in_simdgroup(ushort());
        return tile(i) % across * 16 + (lane >> 2 & 2 | lane & 1) * 4 + i % 4;
    }
    static ushort lane(int row, int column) { return (row & 4) << 2 | (column & 8) | (row & 3) << 1 | column >> 2 & 1; }
    static int element(int row, int column) { return (row / 16 * across + column / 16) * 8 + (row >> 3 & 1) * 4 + (column & 3); }
};
template <int Rows, int Columns>
struct __layout<Rows, Columns, 1> {
    static constexpr constant int capacity = Rows * Columns;
    static int row(int i) { return i / Columns; }
    static int column(int i) { return i % Columns; }
};

template <typename T, int Rows, int Columns, int Threads>
struct cooperative_tensor {
    using element_type = T;
    using value_type = T;
    using layout = __layout<Rows, Columns, Threads>;

    T elements[layout::capacity];

    static constexpr ushort get_capacity() { return layout::capacity; }
    static constexpr size_t get_rank() { return 2; }
    thread T& operator[](ushort i) { return elements[i]; }
    T operator[](ushort i) const { return elements[i]; }
    thread T* begin() { return elements; }
    thread T* end() { return elements + layout::capacity; }
    bool is_valid_element(ushort i) const { return layout::row(i) < Rows && layout::column(i) < Columns; }
    bool get_mask(ushort i) const { return is_valid_element(i); }
    array<int, 2> get_multidimensional_index(ushort i) const { return {{layout::column(i), layout::row(i)}}; }

    template <typename Tensor> bool __inside(Tensor t, ushort i) const
    {
        return is_valid_element(i) && layout::column(i) < int(t.get_extent(0)) && layout::row(i) < int(t.get_extent(1));
    }
    template <typename Tensor> void load(Tensor t)
    {
        for (ushort i = 0; i < layout::capacity; ++i)
            if (__inside(t, i))
                elements[i] = T(t.__at(layout::column(i), layout::row(i)));
    }
    template <typename Tensor> void store(Tensor t) const
    {
        for (ushort i = 0; i < layout::capacity; ++i)
            if (__inside(t, i))
                t.__at(layout::column(i), layout::row(i)) = typename Tensor::value_type(elements[i]);
    }
};

template <typename T> struct __is_cooperative : false_type {};
template <typename T, int Rows, int Columns, int Threads> struct __is_cooperative<cooperative_tensor<T, Rows, Columns, Threads>> : true_type {};

// A factor of a product. What lies in memory is read where it is needed; beyond the extents
// there is nothing, and nothing is added.
template <typename Tensor>
struct __factor {
    Tensor t;
    __factor(Tensor x) : t(x) {}
    template <typename A> A at(int row, int column) const
    {
        if (row >= int(t.get_extent(1)) || column >= int(t.get_extent(0)))
            return A(0);
        return A(t.__at(column, row));
    }
    int length(bool transposed) const { return t.get_extent(transposed ? 1 : 0); }
};
// What is spread over the lanes of a simdgroup is gathered first.
template <typename T, int Rows, int Columns, int Threads>
struct __factor<cooperative_tensor<T, Rows, Columns, Threads>> {
    static_assert(Threads == 32, "cooperative factors belong to one simdgroup");
    T all[Rows * Columns];
    __factor(const thread cooperative_tensor<T, Rows, Columns, Threads>& x)
    {
        for (int r = 0; r < Rows; ++r)
            for (int c = 0; c < Columns; ++c)
                all[r * Columns + c] = simd_shuffle(x.elements[__layout<Rows, Columns, 32>::element(r, c)], __layout<Rows, Columns, 32>::lane(r, c));
    }
    template <typename A> A at(int row, int column) const { return A(all[row * Columns + column]); }
    int length(bool transposed) const { return transposed ? Rows : Columns; }
};

// A factor that is spread over the lanes of a simdgroup, as a product needs it that is spread over them in the same way: of element i
// of the product, the element of its row, or its column, at k. Lanes that have it hold it at the same place, or if it lies across
// at one of several, of which each lane takes its own.
template <bool OfRow, bool Transposed, int Across, typename T, int Rows, int Columns>
struct __spread {
    using layout = __layout<Rows, Columns, 32>;
    static T at(const thread cooperative_tensor<T, Rows, Columns, 32>& x, int i, int k)
    {
        const int lane = __metal_get_thread_index_in_simdgroup(ushort());
        const int place = OfRow ? lane >> 2 & 4 | lane >> 1 & 3 : (lane >> 2 & 2 | lane & 1) * 4;
        const int base = OfRow ? i / 8 / Across * 16 + (i / 4 & 1) * 8 : i / 8 % Across * 16 + i % 4;
        if constexpr (!Transposed) {
            const int row = OfRow ? base : k, column = OfRow ? k : base;
            return simd_shuffle(x.elements[layout::element(row, column)], OfRow ? layout::lane(base + place, k) : layout::lane(k, base + place));
        }
        const ushort from = OfRow ? layout::lane(k, base + place) : layout::lane(base + place, k);
        T mine = T(0);
        for (int n = 0; n < (OfRow ? 4 : 2); ++n) {
            const T other = simd_shuffle(x.elements[OfRow ? layout::element(k, base + n) : layout::element(base + 8 * n, k)], from);
            if (n == (OfRow ? place & 3 : place >> 3))
                mine = other;
        }
        return mine;
    }
};

template <matmul2d_descriptor Descriptor, typename Scope, typename... Tags>
struct matmul2d {
    template <typename Left, typename Right, typename T, typename... More>
    cooperative_tensor<T, Descriptor.m, Descriptor.n, Scope::size()> get_destination_cooperative_tensor() const
    {
        return {}; // zero: kernels add to it without a word
    }
    template <typename Left, typename Right, typename T, typename... More>
    cooperative_tensor<Left, Descriptor.transpose_left ? Descriptor.k : Descriptor.m, Descriptor.transpose_left ? Descriptor.m : Descriptor.k, Scope::size()>
    get_left_input_cooperative_tensor() const
    {
        return {};
    }
    template <typename Left, typename Right, typename T, typename... More>
    cooperative_tensor<Right, Descriptor.transpose_right ? Descriptor.n : Descriptor.k, Descriptor.transpose_right ? Descriptor.k : Descriptor.n, Scope::size()>
    get_right_input_cooperative_tensor() const
    {
        return {};
    }

    // The order of the sum is the device's choice: here it is that of the index.
    template <typename Left, typename Right, typename T>
    void run(const thread Left& left, const thread Right& right, thread cooperative_tensor<T, Descriptor.m, Descriptor.n, Scope::size()>& result) const
    {
        using layout = __layout<Descriptor.m, Descriptor.n, Scope::size()>;
        using A = conditional_t<is_integral<T>::value, int, float>;
        A sums[layout::capacity];
        for (ushort i = 0; i < layout::capacity; ++i)
            sums[i] = Descriptor.matmul_mode == matmul2d_descriptor::mode::multiply_accumulate ? A(result[i]) : A(0);
        if constexpr (__is_cooperative<remove_cv_t<Left>>::value && __is_cooperative<remove_cv_t<Right>>::value)
            __add_spread(left, right, sums);
        else
            __add(__factor<remove_cv_t<Left>>(left), __factor<remove_cv_t<Right>>(right), sums);
        for (ushort i = 0; i < layout::capacity; ++i)
            if (layout::row(i) < Descriptor.m && layout::column(i) < Descriptor.n)
                result[i] = T(sums[i]);
    }
    template <typename Left, typename Right, typename A>
    static void __add(const thread Left& a, const thread Right& b, thread A* sums)
    {
        using layout = __layout<Descriptor.m, Descriptor.n, Scope::size()>;
        const int length = Descriptor.k < 0 ? a.length(Descriptor.transpose_left) : Descriptor.k;
        for (ushort i = 0; i < layout::capacity; ++i) {
            const int m = layout::row(i), n = layout::column(i);
            if (m >= Descriptor.m || n >= Descriptor.n)
                continue;
            A sum = sums[i];
            for (int k = 0; k < length; ++k) {
                const A x = Descriptor.transpose_left ? a.template at<A>(k, m) : a.template at<A>(m, k);
                const A y = Descriptor.transpose_right ? b.template at<A>(n, k) : b.template at<A>(k, n);
                sum += x * y;
            }
            sums[i] = sum;
        }
    }
    template <typename L, typename R, int M, int N, int K, int J, typename A>
    static void __add_spread(const thread cooperative_tensor<L, M, K, 32>& a, const thread cooperative_tensor<R, J, N, 32>& b, thread A* sums)
    {
        using layout = __layout<Descriptor.m, Descriptor.n, 32>;
        constexpr int across = layout::across;
        A x[layout::capacity / across / 4], y[across * 4];
        for (int k = 0; k < Descriptor.k; ++k) {
            for (int i = 0; i < layout::capacity; i += 8 * across) {
                x[i / 4 / across] = A(__spread<true, Descriptor.transpose_left, across, L, M, K>::at(a, i, k));
                x[i / 4 / across + 1] = A(__spread<true, Descriptor.transpose_left, across, L, M, K>::at(a, i + 4, k));
            }
            for (int i = 0; i < 4 * across; ++i)
                y[i] = A(__spread<false, Descriptor.transpose_right, across, R, J, N>::at(b, i / 4 * 8 + i % 4, k));
            for (int i = 0; i < layout::capacity; ++i)
                sums[i] += x[i / 8 / across * 2 + (i / 4 & 1)] * y[i / 8 % across * 4 + i % 4];
        }
    }
    template <typename Left, typename Right, typename T, typename Extents, typename Kind, typename... More>
    void run(const thread Left& left, const thread Right& right, const thread tensor<T, Extents, Kind, More...>& result) const
    {
        using V = typename tensor<T, Extents, Kind, More...>::value_type;
        cooperative_tensor<V, Descriptor.m, Descriptor.n, Scope::size()> part = {};
        if constexpr (Descriptor.matmul_mode == matmul2d_descriptor::mode::multiply_accumulate)
            part.load(result);
        run(left, right, part);
        part.store(result);
    }
};

}
}
#endif
#endif
