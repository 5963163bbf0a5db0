package lockspec

import (
	"embed"
	"fmt"
	"path"
	"strings"
	"sync"

	"sigs.k8s.io/yaml"

	"github.com/agent-rollout/planner/model"
)

//go:embed presets/*.yaml
var presetFiles embed.FS

// presets are decoded once: Preset is asked on every planning step.
var presets = sync.OnceValue(func() map[string]model.LockSpec {
	specs, err := decodePresets(presetFiles)
	if err != nil {
		// The files are part of the program, and the tests decode them.
		panic(err)
	}
	return specs
})

func decodePresets(files embed.FS) (map[string]model.LockSpec, error) {
	entries, err := files.ReadDir("presets")
	if err != nil {
		return nil, err
	}
	specs := make(map[string]model.LockSpec, len(entries))
	for _, entry := range entries {
		data, err := files.ReadFile(path.Join("presets", entry.Name()))
		if err != nil {
			return nil, err
		}
		var spec model.LockSpec
		if err := yaml.UnmarshalStrict(data, &spec); err != nil {
			return nil, fmt.Errorf("preset %s: %w", entry.Name(), err)
		}
		specs[strings.TrimSuffix(entry.Name(), ".yaml")] = spec
	}
	return specs, nil
}

// Presets returns the names of the specifications that ship with this package, sorted.
func Presets() []string { return sortedKeys(presets()) }

// Preset returns the named specification, which the caller may change, and whether it exists.
func Preset(name string) (model.LockSpec, bool) {
	spec, ok := presets()[name]
	return spec.DeepCopy(), ok
}
