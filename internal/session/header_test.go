package session

import (
	"testing"
)

func TestCommitOfCI(t *testing.T) {
	env := map[string]string{"CI_COMMIT_SHA": "gitlab", "GIT_COMMIT": "jenkins"}
	if got := CommitOfCI(func(name string) string { return env[name] }); got != "gitlab" {
		t.Errorf("commit %q", got)
	}
	if got := CommitOfCI(func(string) string { return "" }); got != "" {
		t.Errorf("commit %q without CI", got)
	}
}
