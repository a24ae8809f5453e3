package timing

import "testing"

// TestSupply has texts of the forms that pmset prints, without what identifies a battery.
func TestSupply(t *testing.T) {
	for _, test := range []struct{ battery, settings, want string }{
		{"", "", ""},
		{"Now drawing from 'AC Power'\n", "", "AC Power"},
		{"Now drawing from 'Battery Power'\n -InternalBattery-0 (id=1234)\t85%; discharging; 3:02 remaining " +
			"present: true\n",
			"System-wide power settings:\nCurrently in use:\n lowpowermode         1\n sleep                1\n",
			"Battery Power, lowpowermode 1"},
		{"Now drawing from 'AC Power'\n", " powermode            2\n", "AC Power, powermode 2"},
	} {
		got := supply(func(arguments ...string) string {
			if len(arguments) == 2 {
				return test.battery
			}
			return test.settings
		})
		if got != test.want {
			t.Errorf("%q: %q, want %q", test.battery, got, test.want)
		}
	}
}
