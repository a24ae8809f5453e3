package forecast

import "testing"

func TestResourcesAreExplained(t *testing.T) {
	for r := range Resources {
		if r.String() == "" || r.Means() == "" {
			t.Errorf("resource %d is %q: %q", r, r, r.Means())
		}
	}
}
