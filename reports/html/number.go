package html

import (
	"fmt"
	"strings"
)

// position spells a position: [3, 17].
func position(at []int) string { return strings.ReplaceAll(fmt.Sprint(at), " ", ", ") }
