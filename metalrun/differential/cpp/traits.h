// Traits and limits.
#pragma once
#include "vector.h"

namespace metal {
template <class T, T V> struct integral_constant { static constexpr T value = V; typedef T value_type; typedef integral_constant type; constexpr operator T() const { return V; } constexpr T operator()() const { return V; } };
template <bool B> using bool_constant = integral_constant<bool, B>;
typedef bool_constant<true> true_type;
typedef bool_constant<false> false_type;
#define ASK(name, expression) template <class T> struct name : bool_constant<expression> {}; template <class T> constexpr bool name##_v = name<T>::value;
#define ASK2(name, expression) template <class A, class B> struct name : bool_constant<expression> {}; template <class A, class B> constexpr bool name##_v = name<A, B>::value;
ASK2(is_same, __is_same(A, B))
ASK2(is_base_of, __is_base_of(A, B))
ASK2(is_convertible, __is_convertible_to(A, B))
ASK2(is_assignable, __is_assignable(A, B))
template <class T> struct remove_const { typedef T type; };
template <class T> struct remove_const<const T> { typedef T type; };
template <class T> struct remove_volatile { typedef T type; };
template <class T> struct remove_volatile<volatile T> { typedef T type; };
template <class T> struct remove_cv : remove_const<typename remove_volatile<T>::type> {};
template <class T> struct remove_reference { typedef T type; };
template <class T> struct remove_reference<T &> { typedef T type; };
template <class T> struct remove_reference<T &&> { typedef T type; };
template <class T> struct remove_pointer { typedef T type; };
template <class T> struct remove_pointer<T *> { typedef T type; };
template <class T> struct remove_pointer<T *const> { typedef T type; };
template <class T> struct remove_addrspace { typedef T type; };
template <class T> struct remove_extent { typedef T type; };
template <class T> struct remove_extent<T[]> { typedef T type; };
template <class T, size_t N> struct remove_extent<T[N]> { typedef T type; };
template <class T> struct add_const { typedef const T type; };
template <class T> struct add_volatile { typedef volatile T type; };
template <class T> struct add_cv { typedef const volatile T type; };
template <class T> struct add_pointer { typedef typename remove_reference<T>::type *type; };
template <class T> struct add_lvalue_reference { typedef T &type; };
template <class T> struct add_rvalue_reference { typedef T &&type; };
template <class T> struct underlying_type { typedef __underlying_type(T) type; };
template <class T> struct make_unsigned;
template <class T> struct make_signed;
#define SIGNS(s, u) template <> struct make_unsigned<s> { typedef u type; }; template <> struct make_unsigned<u> { typedef u type; }; \
	template <> struct make_signed<s> { typedef s type; }; template <> struct make_signed<u> { typedef s type; };
SIGNS(char, uchar) SIGNS(short, ushort) SIGNS(int, uint) SIGNS(long, ulong)
#undef SIGNS
template <class T> struct decay { typedef typename remove_cv<typename remove_reference<T>::type>::type type; };
template <class T> struct decay<T[]> { typedef T *type; };
template <class T, size_t N> struct decay<T[N]> { typedef T *type; };
template <class... T> struct common_type {};
template <class T> struct common_type<T> : decay<T> {};
template <class A, class B> struct common_type<A, B> { typedef typename decay<decltype(false ? A() : B())>::type type; };
template <class A, class B, class C, class... D> struct common_type<A, B, C, D...> : common_type<typename common_type<A, B>::type, C, D...> {};
template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <bool B, class X, class Y> struct conditional { typedef X type; };
template <class X, class Y> struct conditional<false, X, Y> { typedef Y type; };
#define SHORT(name) template <class T> using name##_t = typename name<T>::type;
SHORT(remove_const) SHORT(remove_volatile) SHORT(remove_cv) SHORT(remove_reference) SHORT(remove_pointer) SHORT(remove_addrspace) SHORT(remove_extent)
SHORT(add_const) SHORT(add_volatile) SHORT(add_cv) SHORT(add_pointer) SHORT(add_lvalue_reference) SHORT(add_rvalue_reference)
SHORT(underlying_type) SHORT(make_unsigned) SHORT(make_signed) SHORT(decay)
#undef SHORT
template <class... T> using common_type_t = typename common_type<T...>::type;
template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
template <bool B, class X, class Y> using conditional_t = typename conditional<B, X, Y>::type;
template <class...> using void_t = void;
template <class T> constexpr bool witness_is_real = __is_same(typename remove_cv<T>::type, float) || __is_same(typename remove_cv<T>::type, half) || __is_same(typename remove_cv<T>::type, bfloat);
ASK(is_void, __is_void(T))
ASK(is_integral, __is_integral(T))
ASK(is_floating_point, witness_is_real<T>)
ASK(is_arithmetic, __is_integral(T) || witness_is_real<T>)
ASK(is_scalar, __is_integral(T) || witness_is_real<T> || __is_enum(T) || __is_pointer(T))
ASK(is_fundamental, __is_integral(T) || witness_is_real<T> || __is_void(T))
ASK(is_array, __is_array(T))
ASK(is_pointer, __is_pointer(T))
ASK(is_reference, __is_reference(T))
ASK(is_lvalue_reference, __is_lvalue_reference(T))
ASK(is_rvalue_reference, __is_rvalue_reference(T))
ASK(is_enum, __is_enum(T))
ASK(is_union, __is_union(T))
ASK(is_class, __is_class(T) && !__is_same(typename remove_cv<T>::type, bfloat) && !witness_elements<T>::vector)
ASK(is_function, __is_function(T))
ASK(is_const, __is_const(T))
ASK(is_volatile, __is_volatile(T))
ASK(is_empty, __is_empty(T))
ASK(is_polymorphic, __is_polymorphic(T))
ASK(is_abstract, __is_abstract(T))
ASK(is_final, __is_final(T))
ASK(is_trivial, __is_trivial(T))
ASK(is_trivially_copyable, __is_trivially_copyable(T))
ASK(is_standard_layout, __is_standard_layout(T))
ASK(is_default_constructible, __is_constructible(T))
ASK(is_signed, witness_is_real<T> || (__is_integral(T) && __is_signed(T)))
ASK(is_unsigned, __is_integral(T) && !__is_signed(T))
template <class T, class... A> struct is_constructible : bool_constant<__is_constructible(T, A...)> {};
template <class T, class... A> constexpr bool is_constructible_v = is_constructible<T, A...>::value;
#undef ASK2
template <class... B> struct conjunction : bool_constant<(... && B::value)> {};
template <class... B> struct disjunction : bool_constant<(... || B::value)> {};
template <class B> struct negation : bool_constant<!B::value> {};
template <class... B> using _conjunction = conjunction<B...>;
template <class... B> using _disjunction = disjunction<B...>;
template <class T> T &&declval();
template <class T> constexpr typename remove_reference<T>::type &&move(T &&x) { return (typename remove_reference<T>::type &&)x; }
template <class T> void swap(T &a, T &b) { T c = a; a = b; b = c; }

template <class T> struct vec_elements { static constexpr size_t value = witness_elements<T>::count; };
template <class T, size_t N> struct array {
	T __elems[N];
	T &operator[](size_t i) { return __elems[i]; }
	constexpr const T &operator[](size_t i) const { return __elems[i]; }
	constexpr size_t size() const { return N; }
	T *data() { return __elems; }
	T *begin() { return __elems; }
	T *end() { return __elems + N; }
	const T *begin() const { return __elems; }
	const T *end() const { return __elems + N; }
};

template <class T> struct _numeric_limits_impl { static constexpr bool is_specialized = false; };
template <class T, int Digits> struct witness_whole {
	static constexpr bool is_specialized = true, is_integer = true, is_exact = true, is_signed = (T)-1 < (T)0, is_bounded = true, has_infinity = false, has_quiet_NaN = false;
	static constexpr int digits = Digits, digits10 = Digits * 30103 / 100000, radix = 2;
	static constexpr T max() { return (T)(Digits == 64 ? ~0ul : (1ul << (Digits & 63)) - 1); }
	static constexpr T min() { return is_signed ? (T)(-(long)max() - 1) : (T)0; }
	static constexpr T lowest() { return min(); }
	static constexpr T epsilon() { return 0; }
	static constexpr T infinity() { return 0; }
	static constexpr T quiet_NaN() { return 0; }
};
#define LIMITS(T, digits) template <> struct _numeric_limits_impl<T> : witness_whole<T, digits> {}; template <> struct _numeric_limits_impl<const T> : _numeric_limits_impl<T> {};
LIMITS(bool, 1) LIMITS(char, 7) LIMITS(int8_t, 7) LIMITS(uchar, 8) LIMITS(short, 15) LIMITS(ushort, 16) LIMITS(int, 31) LIMITS(uint, 32) LIMITS(long, 63) LIMITS(ulong, 64)
#undef LIMITS
#define LIMITS(T, top, least, eps, d, d10, e) template <> struct _numeric_limits_impl<T> { \
	static constexpr bool is_specialized = true, is_integer = false, is_exact = false, is_signed = true, is_bounded = true, has_infinity = true, has_quiet_NaN = true; \
	static constexpr int digits = d, digits10 = d10, radix = 2, max_exponent = e, min_exponent = 3 - e; \
	static constexpr T max() { return (T)top; } static constexpr T min() { return (T)least; } static constexpr T lowest() { return (T)-top; } \
	static constexpr T epsilon() { return (T)eps; } static constexpr T round_error() { return (T)0.5f; } static constexpr T denorm_min() { return (T)(least * eps); } \
	static constexpr T infinity() { return (T)__builtin_inff(); } static constexpr T quiet_NaN() { return (T)__builtin_nanf(""); } static constexpr T signaling_NaN() { return (T)__builtin_nanf(""); } }; \
	template <> struct _numeric_limits_impl<const T> : _numeric_limits_impl<T> {};
LIMITS(float, 0x1.fffffep127f, 0x1p-126f, 0x1p-23f, 24, 6, 128)
LIMITS(half, 65504.0f, 0x1p-14f, 0x1p-10f, 11, 3, 16)
LIMITS(bfloat, 0x1.fep127f, 0x1p-126f, 0x1p-7f, 8, 2, 128)
#undef LIMITS
template <class T> struct numeric_limits : _numeric_limits_impl<T> {};

template <class T> struct make_scalar { typedef witness_of<T> type; };
template <class T> using make_scalar_t = witness_of<T>;
ASK(is_vector, witness_elements<T>::vector)
ASK(__is_valid_simdgroup_type, is_arithmetic<witness_of<T>>::value && !__is_same(witness_of<T>, bool) && sizeof(witness_of<T>) <= 4)
#undef ASK

// A value that all threads of a simdgroup share.
template <class T> using uniform = T;
template <class T> constexpr T make_uniform(T x) { return x; }

template <class T, T... I> struct integer_sequence {
	typedef T value_type;
	static constexpr size_t size() { return sizeof...(I); }
};
template <size_t... I> using index_sequence = integer_sequence<size_t, I...>;
template <class T, T N> using make_integer_sequence = __make_integer_seq<integer_sequence, T, N>;
template <size_t N> using make_index_sequence = make_integer_sequence<size_t, N>;

// Messages go nowhere.
struct os_log {
	constexpr os_log(const char *, const char *) {}
	template <class... A> void log(const char *, A...) const {}
	template <class... A> void log_debug(const char *, A...) const {}
	template <class... A> void log_info(const char *, A...) const {}
	template <class... A> void log_error(const char *, A...) const {}
	template <class... A> void log_fault(const char *, A...) const {}
};
static const os_log os_log_default("", "");
}
