package kernels

import "metalconform/suite"

// What the work of kernels is made of: the operations of the definitions in
// package oracles, as suite.Work counts them.

// Operations of one element.
const (
	multiplyAdd = 2
	sigmoidOps  = 3 // 1/(1 + exp(−x)); silu, x/(1 + exp(−x)), as many
	softmaxOps  = 3 // exp, its part of the sum, the quotient
	rmsOps      = 3 // of a row: mean, ε, rsqrt
	affineOps   = 2 // q·s + c
	angleOps    = 3 // product, cos, sin
	rotationOps = 6 // of a pair: four products, two sums
	decayOps    = 3 // e^(G_i − G_j) and its product
)

// none counts nothing: copies and conversions have no arithmetic, and what is
// only written is not read.
const none = suite.Fixed(0)

// elements are counts of elements by argument.
type elements = map[string]suite.Extent

// times is n times the product of extents.
//
//go:noinline
func times(n int, es ...suite.Extent) suite.Func {
	product := suite.Product(es...)
	return func(s suite.Shape) int { return n * product(s) }
}

// each is n operations for each of so many elements.
func each(n int, es ...suite.Extent) suite.Work { return suite.Work{Operations: times(n, es...)} }

// rowWork is n operations for each element of rows of a width, and some once
// for each row.
func rowWork(n int, width suite.Extent, once int, rows ...suite.Extent) suite.Work {
	all := suite.Product(rows...)
	return suite.Work{Operations: total(times(n, all, width), times(once, all))}
}

// triangular is 1 + 2 + … + n.
func triangular(n int) int { return n * (n + 1) / 2 }

// recurrenceWork is that of the gated delta-net with states of keys × values:
// the decayed state, the read, its difference from the value, its product with
// β, the update and the output, and any further work of a token.
func recurrenceWork(besides int, keys, values suite.Extent, heads ...suite.Extent) suite.Work {
	all := suite.Product(heads...)
	return suite.Work{Operations: total(times(1+3*multiplyAdd, all, keys, values), times(2, all, values),
		times(besides, all))}
}

// eachChunk is an operation count for each chunk of each value head, given its
// tokens, its key channels and its value channels.
func eachChunk(ops func(n, keys, values int) int) suite.Work {
	return suite.Work{Operations: suite.Func(func(s suite.Shape) int {
		return headChunks(s) * ops(s[blockTokens], s[keyChannels], s[valueChannels])
	})}
}

// headChunks is the number of chunks of all value heads.
func headChunks(s suite.Shape) int { return s[batches] * s[valueHeads] * chunks(s) }

// chunkReads is work that reads some elements of each chunk's matrix of tokens
// by tokens.
func chunkReads(w suite.Work, matrix string, of func(n int) int) suite.Work {
	w.Reads = elements{matrix: suite.Func(func(s suite.Shape) int { return headChunks(s) * of(s[blockTokens]) })}
	return w
}

// onlineWork is scores with their scale, softmax and weighted values over the
// keys that each query sees.
func onlineWork() suite.Work {
	visible := func(s suite.Shape, t int) int {
		if s[causal] == 0 {
			return s[positions]
		}
		return min(s[positions], s[startPos]+t+1)
	}
	seen := suite.Func(func(s suite.Shape) int { return visible(s, s[tokens]-1) * s[keyHeads] * s[channels] })
	return suite.Work{
		Operations: suite.Func(func(s suite.Shape) int {
			pairs := 0
			for t := range s[tokens] {
				pairs += visible(s, t)
			}
			return s[queryHeads] * pairs * (2*multiplyAdd*s[channels] + 1 + softmaxOps)
		}),
		Reads: elements{"K": seen, "V": seen},
	}
}

// foldedOps are the operations of a head at one position of a latent cache:
// the score with its scale, the weighted values, and those of the softmax.
func foldedOps(softmax int) suite.Func {
	return total(times(2*multiplyAdd, kvLoraRank), times(multiplyAdd, qkRope), suite.Fixed(1+softmax))
}

// tileWork is latent attention before its division. Without positions nothing
// of it is left, and only a launch that goes on from a state reads one.
func tileWork() suite.Work {
	tiled := func(es ...suite.Extent) suite.Func {
		return func(s suite.Shape) int { return min(s[tile], 1) * suite.Product(es...).Size(s) }
	}
	prior := func(es ...suite.Extent) suite.Func { return suite.Product(append(es, carried)...) }
	return suite.Work{
		Operations: tiled(numHeads, cacheLen, foldedOps(softmaxOps-1)),
		Reads: elements{
			"q_prime": tiled(numHeads, kvLoraRank), "q_pe": tiled(numHeads, qkRope),
			"latent_cache": tiled(cacheLen, kvLoraRank), "rope_k_cache": tiled(cacheLen, qkRope),
			"running_max": prior(numHeads), "running_denom": prior(numHeads),
			"v_combine_partial": prior(numHeads, kvLoraRank),
		},
	}
}

// projectionWork is a product with so many rows of each head of kv_b_proj.
func projectionWork(rows suite.Extent) suite.Work {
	w := each(affineOps+multiplyAdd, numHeads, rows, kvLoraRank)
	groups := suite.Product(numHeads, rows, ratio(kvLoraRank, groupSize))
	w.Reads = elements{
		"W_packed": suite.Func(func(s suite.Shape) int { return s[numHeads] * rows.Size(s) * (s[kvLoraRank] / 8) }),
		"scales":   groups, "biases": groups,
	}
	return w
}

// gatherWork is the dequantisation of a row for each token. Tokens share no row
// unless there are more tokens than rows.
func gatherWork() suite.Work {
	rows := suite.Func(func(s suite.Shape) int { return min(s[nTokens], s[vocab]) })
	groups := suite.Product(rows, ratio(hiddenDim, groupSize))
	w := each(affineOps, nTokens, hiddenDim)
	w.Reads = elements{
		"W_packed": suite.Func(func(s suite.Shape) int { return rows(s) * (s[hiddenDim] / 8) }),
		"scales":   groups, "biases": groups,
	}
	return w
}

// blobWork is the work of the products with weights in blobs. It does not read the
// gaps between the parts of a blob, or between the inputs.
func blobWork() suite.Work {
	w := each(affineOps+multiplyAdd, kActive, outDim, inDim)
	w.Reads = elements{
		"x": suite.Func(func(s suite.Shape) int { return (s[kActive]-1)*min(s[inputStride], s[inDim]) + s[inDim] }),
	}
	for i := range maxActiveExperts {
		w.Reads[blobName(i)] = suite.Func(func(s suite.Shape) int {
			if i >= s[kActive] {
				return 0
			}
			return 4*expertPart(1, 0)(s) + 2*2*expertPart(groupPart, 0)(s)
		})
	}
	return w
}

// combineWork adds the weighted experts and the shared one to the residual, the
// shared one times the sigmoid of its gate if it has one.
func combineWork(gated bool) suite.Work {
	perElement, once, weights := 1, 0, total(slots)
	if gated {
		perElement, once, weights = multiplyAdd, sigmoidOps, total(slots, suite.Fixed(1))
	}
	return suite.Work{
		Operations: total(times(multiplyAdd, slots, dim), times(perElement, dim), suite.Fixed(once)),
		Reads:      elements{"params": weights},
	}
}

// separately is the work with each expert in a buffer of its own. Only the first
// buffers are read.
func separately(w suite.Work) suite.Work {
	for i, name := range expertNames() {
		w.Reads[name] = suite.Func(func(s suite.Shape) int {
			if i >= s[slots] {
				return 0
			}
			return s[dim]
		})
	}
	return w
}

// decodeWork is the decoding of one position of each head, or of a run: a level
// times its norm and its scale.
func decodeWork(stored suite.Extent, run ...suite.Extent) suite.Work {
	vectors := suite.Product(append(run, numKVHeads)...)
	w := each(2, vectors, perHead)
	w.Reads = elements{"packed": suite.Product(vectors, stored), "norms": suite.Product(vectors, normsPerPos)}
	return w
}
