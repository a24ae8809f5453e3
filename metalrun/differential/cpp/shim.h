// What Metal has and C++ has not, for clang. Address spaces are erased before.
#pragma once
#include "atomic.h"
#include "builtins.h"
#include "matrix.h"
#include "traits.h"

// The arguments of an entry point.
template <class A> struct witness_get {
	static A at(uint i) {
		typedef typename witness_elements<A>::type E;
		const uint *v = (const uint *)witness_argument(i);
		A a;
		if constexpr (witness_elements<A>::vector)
			for (int k = 0; k < witness_elements<A>::count; k++) a[k] = (E)v[k];
		else
			a = (A)v[0];
		return a;
	}
};
template <class A> struct witness_get<const A> : witness_get<A> {};
template <class A> struct witness_get<A *> { static A *at(uint i) { return (A *)witness_argument(i); } };
template <class A> struct witness_get<A &> { static A &at(uint i) { return *(A *)witness_argument(i); } };
template <uint... I> struct witness_indices {};
template <class... A, uint... I> void witness_call(void (*f)(A...), witness_indices<I...>) { f(witness_get<A>::at(I)...); }
template <class T, T... I> struct witness_sequence { typedef witness_indices<I...> type; };
template <class... A> void witness_enter(void (*f)(A...)) { witness_call(f, typename __make_integer_seq<witness_sequence, uint, sizeof...(A)>::type()); }
