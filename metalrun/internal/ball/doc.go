// Package ball is the arithmetic of exact execution: what an operation of a kernel
// gives in exact arithmetic, and how far the value on any device may be from that.
//
// A [Ball] is two numbers. X is the value of the same instructions in exact
// arithmetic, carried in float64. E bounds |v − X| for the value v of any device that
// Metal permits, whatever it does of
//
//   - rounding: each operation is rounded once to its format, to nearest;
//   - accuracy: a function is off by as much as the tables of the specification allow
//     ([scalar.Limit]);
//   - contraction: a product and a sum may be rounded once or twice;
//   - subnormals: they may count as zero, as operands and as results;
//   - order: of the terms of a simdgroup sum and of a matrix product;
//   - rewriting, where a mode of mathematics allows it (tree.go).
//
// E is Wilkinson's running error bound (Rounding Errors in Algebraic Processes, 1963;
// Higham, Accuracy and Stability of Numerical Algorithms, section 3.3): for v = fl(a ∘ b) with
// |a − X_a| ≤ E_a and |b − X_b| ≤ E_b,
//
//	|v − X| ≤ S + u·(|X| + S),  S = sup |a ∘ b − X_a ∘ X_b|,  u = 2⁻²⁴
//
// S is E_a + E_b for sums, |X_a|·E_b + |X_b|·E_a + E_a·E_b for products, and follows from
// the derivative or from the ends of the interval for functions. In the graph of Bauer
// (Computational graphs and rounding error, SIAM J. Numer. Anal. 11, 1974) and Miller
// (Software for roundoff analysis, ACM TOMS 1, 1975), E is the sum over all paths of the
// sizes of the weights; terms of second order are kept, not dropped. What is not in E is
// the rounding of X and E themselves in float64: [Allowance] times E and times |X| for
// 2²⁰ operations in a row. Errors that cancel because two operands come of one rounding
// are not seen to cancel: E is a bound and not an estimate.
//
// A sum of terms that are finite on every device and of a NaN or an infinity that every
// device has is that.
//
// Exact cases stay exact: if E_a and E_b are 0, the rounding of X is known and E is its
// size, 0 where X is a number of the format.
//
// E = +Inf says that nothing is known: the value depends on a decision that another
// device may take otherwise, on bits of a float taken apart, on an overflow, or on what
// the specification leaves undefined. A NaN or an infinity that every device has is X
// with E = 0. Where every device has one of these instead of the number X, L has it ([Ball.Everywhere]).
//
// A value of a narrow format, f16 or bf16, is carried before its rounding. Whoever reads it says
// whether the rounding counts as an error ([Format.Read]) or belongs to the definition
// of what is computed ([Format.Anchored]): then the rounded value is exact from there
// on, and E is 0 unless the rounding may go either way.
//
// Read backwards, the same graph gives more than E: with the derivative of one result by every
// operation (reverse differentiation; Linnainmaa, BIT 16, 1976; as condition numbers of
// operations: Miller and Wrathall, Software for Roundoff Analysis of Matrix Algorithms, 1980), Σ|∂y/∂v|·δ
// over the local errors δ is a bound to first order that lets paths of one error cancel, its terms are
// the shares of the operations, and Σ∂y/∂v·δ with the errors of one run is that run's error.
// Package adjoint records operations for that.
//
// CADNA (Jézéquel and Chesneaux, 2008) and Verrou estimate such errors by random
// roundings; Herbgrind (Sanchez-Stern et al., 2018), FPSanitizer and EFTSanitizer
// (Chowdhary and Nagarakatte, 2020–2022) measure those of one run by shadow values; CHEF-FP
// (Vassilev et al., 2023) bounds them by derivatives. These bound what all permitted
// devices do, in one pass, as the f32 values take their path.
//
// Rows of balls have loops in Go and, for AVX2, in assembly, four balls at a time; both give the
// same bits.
//
// The rule of the layer: pure functions of balls. Products that are added are rounded
// explicitly, so that no compiler fuses them.
package ball
