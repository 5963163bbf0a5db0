package lockspec

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/agent-rollout/planner/model"
)

func matchesAny(words []string, forms []model.LockCommand) bool {
	return slices.ContainsFunc(forms, func(f model.LockCommand) bool { return matches(words, f) })
}

func matches(words []string, f model.LockCommand) bool {
	if f.Words != 0 && len(words) != f.Words {
		return false
	}
	if len(words) < len(f.StartsWith) || !slices.Equal(words[:len(f.StartsWith)], f.StartsWith) {
		return false
	}
	if len(f.Globs) > 0 && !slices.EqualFunc(words, f.Globs, isGlobbed) {
		return false
	}
	for _, w := range f.Contains {
		if !slices.Contains(words, w) {
			return false
		}
	}
	for _, prefix := range f.WordPrefixes {
		if !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, prefix) && !strings.Contains(w, "..") }) {
			return false
		}
	}
	return true
}

func isGlobbed(word, glob string) bool {
	ok, err := path.Match(glob, word)
	return ok && err == nil
}

// describeForms says what a command must look like.
func describeForms(forms []model.LockCommand) string {
	described := make([]string, 0, len(forms))
	for _, f := range forms {
		var parts []string
		if len(f.StartsWith) > 0 {
			parts = append(parts, fmt.Sprintf("%q first", strings.Join(f.StartsWith, " ")))
		}
		for _, w := range f.Contains {
			parts = append(parts, fmt.Sprintf("the word %q", w))
		}
		for _, w := range f.WordPrefixes {
			parts = append(parts, fmt.Sprintf("a word that begins with %q", w))
		}
		if len(f.Globs) > 0 {
			parts = append(parts, fmt.Sprintf("the words %q", strings.Join(f.Globs, " ")))
		}
		if f.Words != 0 {
			parts = append(parts, fmt.Sprintf("%d words", f.Words))
		}
		described = append(described, strings.Join(parts, " and "))
	}
	return strings.Join(described, ", or ")
}
