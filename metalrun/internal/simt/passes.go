package simt

import (
	"fmt"
	"slices"
	"strings"
)

// Pass is a step of the compiler or of the machine that saves time and changes no result. Each can be left out.
type Pass uint8

const (
	passRowLoop Pass = iota
	passRunLoop
	passGatheredLoop
	passWeightLoop
	passDotLoop
	passWideLoop
	passAddLoop
	passBallTurns
	passAlone
	passSolo
	passSoloSearch
	passStream
	passGatherOnce
	passSettled
	passSpecialise
	passDense
	passBytecode
	passPerSimdgroup
	passNumbers
	passDeferred
	passProducts
	passField
	passLookup
	passAffine
	passOffsets
	passWidened
	passRunsInPlace
	passRowsInPlace
	passStoreRuns
	passMergedTest
	passSureTurns
	passPassing
	passCounted
	passDivide
	passLent
	passAlikeBalls
	passFreshWrites
	passStores
	passLedgers
	passFollowCopies
	passNarrowIndices
	passPartRows
	passExtrema
	passPowerDivisors
	passBroadcast
	passSingleLane
	passLongVectors
	passVectors
	passBallVectors
	passes int = iota
)

var passNames = [passes]string{
	passRowLoop: "row_loop", passRunLoop: "run_loop", passGatheredLoop: "gathered_loop", passWeightLoop: "weight_loop",
	passDotLoop: "dot_loop", passWideLoop: "wide_loop", passAddLoop: "add_loop", passBallTurns: "ball_turns", passAlone: "alone", passSolo: "solo", passSoloSearch: "solo_search", passStream: "stream", passGatherOnce: "gather_once", passSettled: "settled",
	passSpecialise: "specialise", passDense: "dense", passBytecode: "bytecode",
	passPerSimdgroup: "per_simdgroup", passNumbers: "numbers", passDeferred: "deferred", passProducts: "products",
	passField: "field", passLookup: "lookup", passAffine: "affine", passOffsets: "offsets",
	passWidened: "widened", passRunsInPlace: "runs_in_place", passRowsInPlace: "rows_in_place", passStoreRuns: "store_runs",
	passMergedTest: "merged_test", passSureTurns: "sure_turns", passPassing: "passing",
	passCounted: "counted", passDivide: "divide", passLent: "lent", passAlikeBalls: "alike_balls",
	passFreshWrites: "fresh_writes", passStores: "stores", passLedgers: "ledgers", passFollowCopies: "follow_copies",
	passNarrowIndices: "narrow_indices", passPartRows: "part_rows", passExtrema: "extrema",
	passPowerDivisors: "power_divisors", passBroadcast: "broadcast",
	passSingleLane: "single_lane", passLongVectors: "long_vectors", passVectors: "vectors", passBallVectors: "ball_vectors",
}

// Passes is a set of passes.
type Passes uint64

// PassNames are the names of all passes.
func PassNames() []string { return slices.Clone(passNames[:]) }

// ParsePasses reads names with commas between them.
func ParsePasses(list string) (set Passes, err error) {
	for name := range strings.SplitSeq(list, ",") {
		if name == "" {
			continue
		}
		found := false
		for i, n := range passNames {
			if n == name {
				set, found = set|1<<i, true
			}
		}
		if !found {
			return 0, fmt.Errorf("no pass is called %q", name)
		}
	}
	return set, nil
}

func (s Passes) has(p Pass) bool { return s>>p&1 != 0 }

// does reports whether a pass is not left out.
func (p *Program) does(pass Pass) bool { return !p.options.Without.has(pass) }

func (c *compiler) does(pass Pass) bool { return c.p.does(pass) }
