package main

import "github.com/spf13/cobra"

// flagGroup is flags that help shows together.
type flagGroup struct {
	title string
	flags string // names, in the order of help
}

// flagGroups has every flag once: a flag means the same in all commands.
func flagGroups() []flagGroup {
	return []flagGroup{
		{"What to judge",
			"run sweep shaders spec pack catalogue config kernel base require seed last-failed all all-cases " +
				"cases pairs strict today launch against list source operators sample typical rule edits annotations " +
				"exec print"},
		{"What runs it", "backend semantics adversaries replay record three-ways repeat device exhaustive samples " +
			"portable gpu library checkout"},
		{"What to look for", "check exact blame work vs-plain same-value schedule accuracies"},
		{"How to compile", "math D U I include prelude std constant instantiate name"},
		{"How to launch", "arg size elements output local grid total threads range"},
		{"When to fail", "fail-fast stop baseline new fail min least-error least-time grow loosened"},
		{"Times", "forecast count cold confidence within scaling roof lines cpu max-time arithmetic bandwidth"},
		{"Output", "o n q v json report comment github plots png pages mutants history bench address browser " +
			"partial replace last force resume from no-clocks no-sources commit daemon max-bytes"},
		{"Many machines", "shard costs parallel"},
		{"Limits", "budget timeout run-timeout tries launch-budget launch-steps launch-threadgroups thread-memory " +
			"compile-budget compile-limit definition-limit source-memory results-memory memory passes"},
	}
}

// commonFlags are the flags that the help of a command shows unless it is asked for all: at most twelve.
func commonFlags() map[string]string {
	return map[string]string{
		"conform run":               "run sweep shaders spec math backend last-failed fail-fast n o q",
		"conform new":               "kernel D I launch-budget",
		"conform check":             "exec against run launch D I math strict json report v",
		"conform spec check":        "shaders D I json seed definition-limit",
		"conform judge":             "spec kernel seed json daemon",
		"conform list":              "cases pairs run sweep shaders spec json",
		"conform explain":           "shaders spec backend seed json",
		"conform blame":             "shaders spec math seed json",
		"conform shrink":            "shaders spec tries o record",
		"conform record":            "shaders spec backend seed o",
		"conform mutate":            "sample operators rule sweep shaders spec list source min o from q",
		"conform bench":             "run sweep shaders all-cases count cold forecast lines scaling roof plots o",
		"conform compare":           "fail least-error least-time grow run count forecast all-cases backend report q",
		"conform report":            "baseline new report partial plots bench mutants history require",
		"conform open":              "browser address baseline mutants",
		"conform gate":              "base shaders spec all require edits forecast comment github o q",
		"conform history add":       "commit replace",
		"conform history trend":     "last fail least-error least-time report",
		"conform host":              "gpu math stop strict report library",
		"conform host build":        "library checkout",
		"conform host flags":        "library",
		"conform device":            "backend semantics o",
		"conform device list":       "backend semantics json",
		"conform device intrinsics": "run exhaustive samples backend json v",
		"conform device calibrate":  "device run backend max-time o",
	}
}

// topicsOf are the topics of the manual that tell more of a command.
func topicsOf(cmd *cobra.Command) []string {
	return map[string][]string{
		"conform":                   {"start"},
		"conform run":               {"verdicts", "checks", "shapes"},
		"conform new":               {"start", "specifications"},
		"conform check":             {"checks", "limits"},
		"conform spec":              {"specifications"},
		"conform spec check":        {"specifications"},
		"conform judge":             {"programs"},
		"conform list":              {"shapes"},
		"conform explain":           {"verdicts", "exact"},
		"conform blame":             {"exact"},
		"conform shrink":            {"verdicts"},
		"conform record":            {"programs"},
		"conform mutate":            {"checks"},
		"conform bench":             {"performance"},
		"conform compare":           {"gate"},
		"conform report":            {"verdicts", "gate"},
		"conform open":              {"verdicts"},
		"conform gate":              {"gate", "limits"},
		"conform history":           {"gate"},
		"conform history add":       {"gate"},
		"conform history list":      {"gate"},
		"conform history show":      {"gate"},
		"conform history trend":     {"gate"},
		"conform host":              {"programs"},
		"conform host build":        {"programs"},
		"conform host flags":        {"programs"},
		"conform device":            {"mac"},
		"conform device list":       {"mac"},
		"conform device intrinsics": {"mac", "math"},
		"conform device calibrate":  {"mac", "performance"},
		"conform completion":        {"start"},
	}[cmd.CommandPath()]
}
