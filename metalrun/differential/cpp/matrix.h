// Matrices, column by column.
#pragma once
#include "vector.h"

template <class T, int C, int R> struct witness_matrix {
	vec<T, R> columns[C];
	witness_matrix() : columns{} {}
	explicit witness_matrix(T diagonal) { for (int c = 0; c < C; c++) for (int r = 0; r < R; r++) columns[c].data[r] = c == r ? diagonal : (T)0; }
	template <class U> explicit witness_matrix(const witness_matrix<U, C, R> &m) { for (int c = 0; c < C; c++) columns[c] = vec<T, R>(m.columns[c]); }
	template <class A, class B, class... D> witness_matrix(const A &a, const B &b, const D &...rest) {
		for (int c = 0; c < C; c++) for (int r = 0; r < R; r++) columns[c].data[r] = witness_pick<T>(c * R + r, a, b, rest...);
	}
	vec<T, R> &operator[](int c) { return columns[c]; }
	const vec<T, R> &operator[](int c) const { return columns[c]; }
	friend witness_matrix operator+(const witness_matrix &a, const witness_matrix &b) { witness_matrix m; for (int c = 0; c < C; c++) m[c] = a[c] + b[c]; return m; }
	friend witness_matrix operator-(const witness_matrix &a, const witness_matrix &b) { witness_matrix m; for (int c = 0; c < C; c++) m[c] = a[c] - b[c]; return m; }
	friend witness_matrix operator-(const witness_matrix &a) { witness_matrix m; for (int c = 0; c < C; c++) m[c] = -a[c]; return m; }
	friend witness_matrix operator*(const witness_matrix &a, T s) { witness_matrix m; for (int c = 0; c < C; c++) m[c] = a[c] * s; return m; }
	friend witness_matrix operator*(T s, const witness_matrix &a) { return a * s; }
	friend vec<T, R> operator*(const witness_matrix &a, const vec<T, C> &v) {
		vec<T, R> s = a[0] * v[0];
		for (int c = 1; c < C; c++) s = s + a[c] * v[c];
		return s;
	}
	friend vec<T, C> operator*(const vec<T, R> &v, const witness_matrix &a) {
		vec<T, C> s;
		for (int c = 0; c < C; c++) {
			T x = (T)(v[0] * a[c][0]);
			for (int r = 1; r < R; r++) x = (T)(x + (T)(v[r] * a[c][r]));
			s[c] = x;
		}
		return s;
	}
	friend bool operator==(const witness_matrix &a, const witness_matrix &b) {
		for (int c = 0; c < C; c++) for (int r = 0; r < R; r++) if (!(a[c][r] == b[c][r])) return false;
		return true;
	}
	friend bool operator!=(const witness_matrix &a, const witness_matrix &b) { return !(a == b); }
	template <class B> witness_matrix &operator+=(const B &b) { return *this = *this + b; }
	template <class B> witness_matrix &operator-=(const B &b) { return *this = *this - b; }
	template <class B> witness_matrix &operator*=(const B &b) { return *this = *this * b; }
};
template <class T, int C, int R, int D> witness_matrix<T, D, R> operator*(const witness_matrix<T, C, R> &a, const witness_matrix<T, D, C> &b) {
	witness_matrix<T, D, R> m;
	for (int d = 0; d < D; d++) m[d] = a * b[d];
	return m;
}

namespace metal {
template <class T, int C, int R> using matrix = witness_matrix<T, C, R>;
#define MATRICES(T, c) typedef witness_matrix<T, c, 2> T##c##x2; typedef witness_matrix<T, c, 3> T##c##x3; typedef witness_matrix<T, c, 4> T##c##x4;
MATRICES(half, 2) MATRICES(half, 3) MATRICES(half, 4) MATRICES(float, 2) MATRICES(float, 3) MATRICES(float, 4) MATRICES(bfloat, 2) MATRICES(bfloat, 3) MATRICES(bfloat, 4)
#undef MATRICES
template <class T, int C, int R> witness_matrix<T, R, C> transpose(const witness_matrix<T, C, R> &a) {
	witness_matrix<T, R, C> m;
	for (int c = 0; c < C; c++) for (int r = 0; r < R; r++) m[r][c] = a[c][r];
	return m;
}
}
using metal::matrix;
#define MATRICES(T, c) using metal::T##c##x2; using metal::T##c##x3; using metal::T##c##x4;
MATRICES(half, 2) MATRICES(half, 3) MATRICES(half, 4) MATRICES(float, 2) MATRICES(float, 3) MATRICES(float, 4)
#undef MATRICES
