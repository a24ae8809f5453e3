// The templates of <metal_type_traits>, <metal_limits>, <metal_integral_constant>
// and <metal_array>: declarations of namespace metal that a program can name.
// Variable templates NAME_v are NAME<...>::value. The traits that no template can
// express ask the checker: see trait.go.

template <typename T, T v>
struct integral_constant {
    static constexpr constant T value = v;
    using value_type = T;
    using type = integral_constant<T, v>;
    constexpr operator T() const { return v; }
    constexpr operator T() const device { return v; }
    constexpr operator T() const constant { return v; }
    constexpr T operator()() const { return v; }
};
template <bool v> using bool_constant = integral_constant<bool, v>;
using true_type = integral_constant<bool, true>;
using false_type = integral_constant<bool, false>;

template <bool B, typename T = void> struct enable_if {};
template <typename T> struct enable_if<true, T> { using type = T; };
template <bool B, typename T = void> using enable_if_t = typename enable_if<B, T>::type;

template <bool B, typename T, typename U> struct conditional { using type = T; };
template <typename T, typename U> struct conditional<false, T, U> { using type = U; };
template <bool B, typename T, typename U> using conditional_t = typename conditional<B, T, U>::type;

template <typename T, typename U> struct is_same : false_type {};
template <typename T> struct is_same<T, T> : true_type {};

template <typename T> struct remove_const { using type = T; };
template <typename T> struct remove_const<const T> { using type = T; };
template <typename T> struct remove_volatile { using type = T; };
template <typename T> struct remove_volatile<volatile T> { using type = T; };
template <typename T> using remove_const_t = typename remove_const<T>::type;
template <typename T> using remove_volatile_t = typename remove_volatile<T>::type;
template <typename T> struct remove_cv { using type = remove_const_t<remove_volatile_t<T>>; };
template <typename T> using remove_cv_t = typename remove_cv<T>::type;
template <typename T> struct add_const { using type = const T; };
template <typename T> using add_const_t = typename add_const<T>::type;
template <typename T> struct is_const : false_type {};
template <typename T> struct is_const<const T> : true_type {};

template <typename T> struct remove_reference { using type = T; };
template <typename T> struct remove_reference<device T&> { using type = T; };
template <typename T> struct remove_reference<constant T&> { using type = T; };
template <typename T> struct remove_reference<threadgroup T&> { using type = T; };
template <typename T> struct remove_reference<thread T&> { using type = T; };
template <typename T> using remove_reference_t = typename remove_reference<T>::type;
template <typename T> struct decay { using type = remove_cv_t<remove_reference_t<T>>; };
template <typename T> using decay_t = typename decay<T>::type;

template <typename T> struct remove_pointer { using type = T; };
template <typename T> struct remove_pointer<device T*> { using type = T; };
template <typename T> struct remove_pointer<constant T*> { using type = T; };
template <typename T> struct remove_pointer<threadgroup T*> { using type = T; };
template <typename T> struct remove_pointer<thread T*> { using type = T; };
template <typename T> using remove_pointer_t = typename remove_pointer<T>::type;
template <typename T> struct remove_extent { using type = T; };
template <typename T, size_t N> struct remove_extent<T[N]> { using type = T; };
template <typename T> using remove_extent_t = typename remove_extent<T>::type;

template <typename T> struct remove_all_extents { using type = T; };
template <typename T, size_t N> struct remove_all_extents<T[N]> : remove_all_extents<T> {};
template <typename T> using remove_all_extents_t = typename remove_all_extents<T>::type;
template <typename T> struct add_volatile { using type = volatile T; };
template <typename T> using add_volatile_t = typename add_volatile<T>::type;
template <typename T> struct add_cv { using type = const volatile T; };
template <typename T> using add_cv_t = typename add_cv<T>::type;
template <typename T> struct is_volatile : false_type {};
template <typename T> struct is_volatile<volatile T> : true_type {};
template <typename T> struct is_array : false_type {};
template <typename T, size_t N> struct is_array<T[N]> : true_type {};
template <typename T> struct rank : integral_constant<size_t, 0> {};
template <typename T, size_t N> struct rank<T[N]> : integral_constant<size_t, 1 + rank<T>::value> {};
template <typename T, uint I = 0> struct extent : integral_constant<size_t, 0> {};
template <typename T, size_t N> struct extent<T[N], 0> : integral_constant<size_t, N> {};
template <typename T, size_t N, uint I> struct extent<T[N], I> : integral_constant<size_t, extent<T, I - 1>::value> {};
template <typename T> struct underlying_type { using type = __underlying_type(T); };
template <typename T> using underlying_type_t = typename underlying_type<T>::type;

template <typename T> struct is_void : is_same<remove_cv_t<T>, void> {};
template <typename T> struct plain_integral : false_type {};
template <typename T> struct plain_floating : false_type {};
#define INTEGRAL(T) template <> struct plain_integral<T> : true_type {};
#define FLOATING(T) template <> struct plain_floating<T> : true_type {};
INTEGRAL(bool) INTEGRAL(char) INTEGRAL(uchar) INTEGRAL(short) INTEGRAL(ushort)
INTEGRAL(int) INTEGRAL(uint) INTEGRAL(long) INTEGRAL(ulong)
FLOATING(half) FLOATING(float) FLOATING(bfloat)
template <typename T> struct is_integral : bool_constant<plain_integral<remove_cv_t<T>>::value> {};
template <typename T> struct is_floating_point : bool_constant<plain_floating<remove_cv_t<T>>::value> {};
template <typename T> struct is_arithmetic : bool_constant<is_integral<T>::value || is_floating_point<T>::value> {};

template <typename T> struct is_enum : bool_constant<is_enum_v<T>> {};
template <typename T> struct is_class : bool_constant<is_class_v<T>> {};
template <typename T> struct is_empty : bool_constant<is_empty_v<T>> {};
template <typename T> struct is_pointer : bool_constant<is_pointer_v<T>> {};
template <typename T> struct is_reference : bool_constant<is_reference_v<T>> {};
template <typename T, typename U> struct is_convertible : bool_constant<is_convertible_v<T, U>> {};
template <typename T, typename U> struct is_base_of : bool_constant<is_base_of_v<T, U>> {};
template <typename T> struct is_union : bool_constant<is_union_v<T>> {};
template <typename T> struct is_function : bool_constant<is_function_v<T>> {};
template <typename T> struct is_lvalue_reference : bool_constant<is_lvalue_reference_v<T>> {};
template <typename T> struct is_rvalue_reference : bool_constant<is_rvalue_reference_v<T>> {};
template <typename T> struct is_fundamental : bool_constant<is_arithmetic<T>::value || is_void<T>::value> {};
template <typename T> struct is_compound : bool_constant<!is_fundamental<T>::value> {};
template <typename T> struct is_object : bool_constant<!is_function_v<T> && !is_reference_v<T> && !is_void<T>::value> {};
template <typename T> struct is_trivially_copyable : bool_constant<is_trivially_copyable_v<T>> {};
template <typename T> struct is_scalar : bool_constant<is_arithmetic<T>::value || is_enum_v<T> || is_pointer_v<T>> {};

template <typename T, bool arithmetic> struct signedness { static constexpr constant bool value = false; };
template <typename T> struct signedness<T, true> { static constexpr constant bool value = T(-1) < T(0); };
template <typename T> struct is_signed : bool_constant<signedness<remove_cv_t<T>, is_arithmetic<T>::value>::value> {};
template <typename T> struct is_unsigned : bool_constant<is_arithmetic<T>::value && !is_signed<T>::value> {};

template <typename T> struct make_signed {};
template <typename T> struct make_unsigned {};
#define SIGNS(S, U) \
    template <> struct make_signed<S> { using type = S; }; template <> struct make_signed<U> { using type = S; }; \
    template <> struct make_unsigned<S> { using type = U; }; template <> struct make_unsigned<U> { using type = U; };
SIGNS(char, uchar) SIGNS(short, ushort) SIGNS(int, uint) SIGNS(long, ulong)
template <typename T> using make_signed_t = typename make_signed<T>::type;
template <typename T> using make_unsigned_t = typename make_unsigned<T>::type;

template <typename T> struct make_scalar { using type = T; };
template <typename T, int N> struct make_scalar<vec<T, N>> { using type = T; };
template <typename T, int N> struct make_scalar<packed_vec<T, N>> { using type = T; };
template <typename T> using make_scalar_t = typename make_scalar<T>::type;

template <typename A> struct negation : bool_constant<!A::value> {};
template <typename... Ts> struct conjunction : true_type {};
template <typename T, typename... Ts> struct conjunction<T, Ts...> : bool_constant<T::value && conjunction<Ts...>::value> {};
template <typename... Ts> struct disjunction : false_type {};
template <typename T, typename... Ts> struct disjunction<T, Ts...> : bool_constant<T::value || disjunction<Ts...>::value> {};
template <typename... Ts> struct void_of { using type = void; };
template <typename... Ts> using void_t = typename void_of<Ts...>::type;

template <typename T> struct _numeric_limits_impl { static constexpr constant bool is_specialized = false; };
#define LIMITS(T, MIN, MAX, DIGITS, DIGITS10, SIGNED) \
    template <> struct _numeric_limits_impl<T> { \
        static constexpr constant bool is_specialized = true; \
        static constexpr constant bool is_signed = SIGNED; \
        static constexpr constant bool is_integer = true; \
        static constexpr constant bool is_exact = true; \
        static constexpr constant bool has_infinity = false; \
        static constexpr constant bool has_quiet_NaN = false; \
        static constexpr constant int digits = DIGITS; \
        static constexpr constant int digits10 = DIGITS10; \
        static constexpr constant int radix = 2; \
        static constexpr T min() { return MIN; } \
        static constexpr T lowest() { return MIN; } \
        static constexpr T max() { return MAX; } \
        static constexpr T epsilon() { return T(0); } \
        static constexpr T infinity() { return T(0); } \
        static constexpr T quiet_NaN() { return T(0); } \
    };
LIMITS(bool, false, true, 1, 0, false)
LIMITS(char, -128, 127, 7, 2, true)
LIMITS(uchar, 0, 255, 8, 2, false)
LIMITS(short, -32768, 32767, 15, 4, true)
LIMITS(ushort, 0, 65535, 16, 4, false)
LIMITS(int, INT_MIN, INT_MAX, 31, 9, true)
LIMITS(uint, 0, UINT_MAX, 32, 9, false)
LIMITS(long, LONG_MIN, LONG_MAX, 63, 18, true)
LIMITS(ulong, 0, ULONG_MAX, 64, 19, false)
#define FLOAT_LIMITS(T, BITS, MIN, LOWEST, MAX, EPSILON, INF, QUIET, DIGITS, DIGITS10, MAXEXP, MINEXP) \
    template <> struct _numeric_limits_impl<T> { \
        static constexpr constant bool is_specialized = true; \
        static constexpr constant bool is_signed = true; \
        static constexpr constant bool is_integer = false; \
        static constexpr constant bool is_exact = false; \
        static constexpr constant bool has_infinity = true; \
        static constexpr constant bool has_quiet_NaN = true; \
        static constexpr constant int digits = DIGITS; \
        static constexpr constant int digits10 = DIGITS10; \
        static constexpr constant int radix = 2; \
        static constexpr constant int max_exponent = MAXEXP; \
        static constexpr constant int min_exponent = MINEXP; \
        static constexpr T min() { return as_type<T>(BITS(MIN)); } \
        static constexpr T lowest() { return as_type<T>(BITS(LOWEST)); } \
        static constexpr T max() { return as_type<T>(BITS(MAX)); } \
        static constexpr T epsilon() { return as_type<T>(BITS(EPSILON)); } \
        static constexpr T infinity() { return as_type<T>(BITS(INF)); } \
        static constexpr T quiet_NaN() { return as_type<T>(BITS(QUIET)); } \
        static constexpr T denorm_min() { return as_type<T>(BITS(1)); } \
    };
FLOAT_LIMITS(float, uint, 0x00800000, 0xff7fffff, 0x7f7fffff, 0x34000000, 0x7f800000, 0x7fc00000, 24, 6, 128, -125)
FLOAT_LIMITS(half, ushort, 0x0400, 0xfbff, 0x7bff, 0x1400, 0x7c00, 0x7e00, 11, 3, 16, -13)
FLOAT_LIMITS(bfloat, ushort, 0x0080, 0xff7f, 0x7f7f, 0x3c00, 0x7f80, 0x7fc0, 8, 2, 128, -125)

template <typename... Ts> struct _disjunction : false_type {};
template <typename T, typename... Ts> struct _disjunction<T, Ts...> : bool_constant<T::value || _disjunction<Ts...>::value> {};
template <typename... Ts> struct _conjunction : true_type {};
template <typename T, typename... Ts> struct _conjunction<T, Ts...> : bool_constant<T::value && _conjunction<Ts...>::value> {};

template <typename T> struct vec_elements : integral_constant<size_t, 1> {};
template <typename T, int N> struct vec_elements<vec<T, N>> : integral_constant<size_t, N> {};
template <typename T, int N> struct vec_elements<packed_vec<T, N>> : integral_constant<size_t, N> {};

// What lanes of a simdgroup can exchange.
template <typename T> struct __is_valid_simdgroup_type :
    bool_constant<is_arithmetic<make_scalar_t<T>>::value && !is_same<make_scalar_t<T>, bool>::value && sizeof(make_scalar_t<T>) <= 4> {};

// An object that nobody makes, for the types of expressions.
template <typename T> T declval();

template <typename... Ts> struct common_type {};
template <typename T> struct common_type<T> { using type = decay_t<T>; };
template <typename T, typename U> struct common_type<T, U> { using type = decay_t<decltype(false ? declval<T>() : declval<U>())>; };
template <typename T, typename U, typename V, typename... Ts> struct common_type<T, U, V, Ts...> :
    common_type<typename common_type<T, U>::type, V, Ts...> {};
template <typename... Ts> using common_type_t = typename common_type<Ts...>::type;

template <typename V, typename T, typename... Args> struct constructs : false_type {};
template <typename T, typename... Args> struct constructs<void_t<decltype(T(declval<Args>()...))>, T, Args...> : true_type {};
template <typename T, typename... Args> struct is_constructible : constructs<void, T, Args...> {};
template <typename T, typename U> struct is_constructible<T, U> :
    bool_constant<is_convertible_v<U, T> || is_class_v<T> && constructs<void, T, U>::value> {};
template <typename T> struct is_default_constructible : is_constructible<T> {};

// What the headers of the library multiply simdgroup matrices with.
template <typename A, typename B, typename D>
D __metal_simdgroup_matrix_8x8_multiply_accumulate(A a, B b, D c, D)
{
    D d;
    simdgroup_multiply_accumulate(d, a, b, c);
    return d;
}

// A value that all threads of a simdgroup share: what the program promises, and nothing here needs.
template <typename T> using uniform = T;
template <typename T> constexpr T make_uniform(T x) { return x; }

template <typename T, T... Is> struct integer_sequence {
    using value_type = T;
    static constexpr size_t size() { return sizeof...(Is); }
};
template <size_t... Is> using index_sequence = integer_sequence<size_t, Is...>;
template <typename T, size_t N, T... Is> struct counted_sequence : counted_sequence<T, N - 1, T(N - 1), Is...> {};
template <typename T, T... Is> struct counted_sequence<T, 0, Is...> { using type = integer_sequence<T, Is...>; };
template <typename T, T N> using make_integer_sequence = typename counted_sequence<T, size_t(N)>::type;
template <size_t N> using make_index_sequence = make_integer_sequence<size_t, N>;

template <typename T> constexpr thread T&& move(thread T& x) { return static_cast<thread T&&>(x); }
template <typename T> void swap(thread T& x, thread T& y) { T old = x; x = y; y = old; }

// Messages are dropped.
struct os_log {
    constexpr os_log(constant char*, constant char*) constant {}
    template <typename... Args> void log(constant char*, Args...) const constant {}
    template <typename... Args> void log_debug(constant char*, Args...) const constant {}
    template <typename... Args> void log_info(constant char*, Args...) const constant {}
    template <typename... Args> void log_error(constant char*, Args...) const constant {}
    template <typename... Args> void log_fault(constant char*, Args...) const constant {}
};
constant os_log os_log_default("", "");

template <typename T> struct numeric_limits : _numeric_limits_impl<T> {};

template <typename T, size_t N>
struct array {
    T elements[N];
    static constexpr size_t size() { return N; }
    static constexpr size_t max_size() { return N; }
    static constexpr bool empty() { return false; }
};

template <typename T> struct remove_addrspace { using type = T; };
template <typename T> struct remove_addrspace<device T> { using type = T; };
template <typename T> struct remove_addrspace<constant T> { using type = T; };
template <typename T> struct remove_addrspace<threadgroup T> { using type = T; };
template <typename T> struct remove_addrspace<thread T> { using type = T; };
template <typename T> using remove_addrspace_t = typename remove_addrspace<T>::type;

// <metal_pack>: components as fixed-point numbers, the first one in the lowest bits.
inline float3 __from_srgb(float3 x) { return select(precise::powr((x + 0.055f) / 1.055f, 2.4f), x / 12.92f, x <= 0.04045f); }
inline float3 __to_srgb(float3 x) { return select(1.055f * precise::powr(x, 1 / 2.4f) - 0.055f, x * 12.92f, x < 0.0031308f); }
#define PACKED(T, FORM) \
    inline vec<T, 4> unpack_unorm4x8_to_##FORM(uint x) { return vec<T, 4>(float4(uchar4(x, x >> 8, x >> 16, x >> 24)) / 255.0f); } \
    inline vec<T, 4> unpack_snorm4x8_to_##FORM(uint x) { return vec<T, 4>(clamp(float4(as_type<char4>(x)) / 127.0f, -1.0f, 1.0f)); } \
    inline vec<T, 2> unpack_unorm2x16_to_##FORM(uint x) { return vec<T, 2>(float2(ushort2(x, x >> 16)) / 65535.0f); } \
    inline vec<T, 2> unpack_snorm2x16_to_##FORM(uint x) { return vec<T, 2>(clamp(float2(as_type<short2>(x)) / 32767.0f, -1.0f, 1.0f)); } \
    inline vec<T, 4> unpack_unorm10a2_to_##FORM(uint x) \
    { \
        return vec<T, 4>(float4(x & 1023, x >> 10 & 1023, x >> 20 & 1023, x >> 30) / float4(1023, 1023, 1023, 3)); \
    } \
    inline vec<T, 4> unpack_unorm4x8_srgb_to_##FORM(uint x) \
    { \
        const float4 c = float4(uchar4(x, x >> 8, x >> 16, x >> 24)) / 255.0f; \
        return vec<T, 4>(float4(__from_srgb(c.xyz), c.w)); \
    } \
    inline vec<T, 3> unpack_unorm565_to_##FORM(ushort x) { return vec<T, 3>(float3(x & 31, x >> 5 & 63, x >> 11) / float3(31, 63, 31)); } \
    inline uint pack_##FORM##_to_srgb_unorm4x8(vec<T, 4> x) \
    { \
        const float4 c = saturate(float4(x)); \
        return as_type<uint>(uchar4(rint(float4(__to_srgb(c.xyz), c.w) * 255.0f))); \
    } \
    inline ushort pack_##FORM##_to_unorm565(vec<T, 3> x) \
    { \
        const uint3 n = uint3(rint(saturate(float3(x)) * float3(31, 63, 31))); \
        return ushort(n.x | n.y << 5 | n.z << 11); \
    } \
    inline uint pack_##FORM##_to_unorm4x8(vec<T, 4> x) { return as_type<uint>(uchar4(rint(saturate(float4(x)) * 255.0f))); } \
    inline uint pack_##FORM##_to_snorm4x8(vec<T, 4> x) { return as_type<uint>(char4(rint(clamp(float4(x), -1.0f, 1.0f) * 127.0f))); } \
    inline uint pack_##FORM##_to_unorm2x16(vec<T, 2> x) { return as_type<uint>(ushort2(rint(saturate(float2(x)) * 65535.0f))); } \
    inline uint pack_##FORM##_to_snorm2x16(vec<T, 2> x) { return as_type<uint>(short2(rint(clamp(float2(x), -1.0f, 1.0f) * 32767.0f))); } \
    inline uint pack_##FORM##_to_unorm10a2(vec<T, 4> x) \
    { \
        const uint4 n = uint4(rint(saturate(float4(x)) * float4(1023, 1023, 1023, 3))); \
        return n.x | n.y << 10 | n.z << 20 | n.w << 30; \
    }
PACKED(float, float)
PACKED(half, half)
