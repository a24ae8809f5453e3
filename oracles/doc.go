// Package oracles defines what each kernel of the catalogue computes.
//
// An oracle is the textbook definition of a kernel in float64 on the exact
// input bits: slow, obvious, and without any algorithm of the kernel that it
// judges (no online softmax for an online kernel, no chunks for a chunked
// one). With every output element it gives an error budget: how far an f32
// kernel may be from the exact value if it keeps its [Contract], that is its
// accumulator format, the order of its sums, and the class of its functions.
//
// The budget is rigorous. Every operation of the declared schedule is charged
// with its own worst rounding error, propagated to the output:
//
//	fl(a+b) = (a+b)(1+δ)           |δ| ≤ u
//	fl(a·b) = (a·b)(1+δ) + θ       |δ| ≤ u, |θ| ≤ η
//	|ŝ_k − s_k| ≤ (E_{k−1} + e_k)(1+u) + u|s_k|
//
// where E_{k−1} is the error of the partial sum so far, e_k the error of the
// term, and η the absolute error of underflow. A kernel that fuses a·b+c drops
// one rounding, so the unfused budget covers it. To exceed a budget is a proven
// breach of contract, never bad luck.
//
// Rounding is taken to be to nearest. Metal permits rounding toward zero instead
// (section 8.2 of its specification): u would be twice as large, and roundings would
// err to one side. A device that does so is refused before it is judged.
//
// Most oracles also give a statistical bound, which is much sharper for random
// inputs: the roundings of the schedule are independent errors and add in
// quadrature, so that 8.3 standard deviations of them keep the level of
// [FalseAlarms] over a year of nightly sweeps,
//
//	Systematic + 8.3·Sigma,   Sigma² = u²/3·Σ s_k² of a running sum,
//
// while everything that may err the same way each time, such as a function
// within its class, counts at its full size. To exceed this one is a suspicion
// that more inputs confirm: a truncating accumulator keeps the rigorous bound
// and breaks the statistical.
//
// Which sums an element's budget depends on, and how much of it each sum is, is
// probed and not written down: [Trace] asks an oracle again and again while a
// [SumTracer] perturbs one of its sums: as if it were unknown, or never rounded.
//
// Every architecture computes the same wants and bounds, wherever math's functions
// give the same results: products that go into a sum are converted to float64, so
// that none is fused. Of gonum, oracles therefore use what does not depend on the
// order of operations; matrix products of blas64 and mat do (their assembly adds in
// another order than their Go), so that only tests compare with them.
//
// Where an oracle says the same of many columns, the loop over them is in package loops,
// which evaluates each in the declared order, several at once where the processor can.
//
// The rule of the layer: oracles imports math, gonum and its loops only. It knows nothing of
// how kernels are run, and shares no arithmetic with the simulator: the roundings
// to bfloat16 and binary16 stand here by definition. Package exact, above it,
// referees its float64.
package oracles
