package pair

import (
	_ "embed"

	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/yaml"
)

//go:embed presets.yaml
var presetText []byte

// slotPresets are the slot settings that go with the lock presets: facts of one agent, kept as data.
var slotPresets = mustReadPresets(presetText)

func mustReadPresets(text []byte) map[string]model.SlotSettings {
	presets := map[string]model.SlotSettings{}
	if err := yaml.UnmarshalStrict(text, &presets); err != nil {
		panic("the embedded slot presets are not readable: " + err.Error())
	}
	return presets
}

// slotSettings fills what the document leaves out, from the preset of the agent. The label that differs is the only one of the selector of a green
// that lives already, nil for none: other releases took the selector's only label, whatever its name, where what we render has two at least.
func slotSettings(rollout *model.Rollout, green *appsv1.DaemonSet) model.SlotSettings {
	settings := rollout.Spec.Slots
	preset := slotPresets[rollout.Spec.Lock.Preset]
	if settings.Green.Env == nil {
		settings.Green.Env = preset.Green.Env
	}
	if settings.TemplateHashAnnotations == nil {
		settings.TemplateHashAnnotations = preset.TemplateHashAnnotations
	}
	if settings.SelectorLabel != "" {
		return settings
	}
	settings.SelectorLabel = model.DefaultSelectorLabel
	if preset.SelectorLabel != "" {
		settings.SelectorLabel = preset.SelectorLabel
	}
	if green != nil && green.Spec.Selector != nil && len(green.Spec.Selector.MatchLabels) == 1 {
		for only := range green.Spec.Selector.MatchLabels {
			settings.SelectorLabel = only
		}
	}
	return settings
}
