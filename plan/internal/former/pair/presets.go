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

// slotSettings fills what the document leaves out: first from the preset of the agent, then from the
// DaemonSet itself, whose selector may have only one label to choose from.
func slotSettings(rollout *model.Rollout, desired *appsv1.DaemonSet) model.SlotSettings {
	settings := rollout.Spec.Slots
	preset := slotPresets[rollout.Spec.Lock.Preset]
	if settings.Green.Env == nil {
		settings.Green.Env = preset.Green.Env
	}
	if settings.TemplateHashAnnotations == nil {
		settings.TemplateHashAnnotations = preset.TemplateHashAnnotations
	}
	if settings.SelectorLabel != "" || desired.Spec.Selector == nil {
		return settings
	}
	settings.SelectorLabel = model.DefaultSelectorLabel
	if preset.SelectorLabel != "" {
		settings.SelectorLabel = preset.SelectorLabel
	}
	labels := desired.Spec.Selector.MatchLabels
	if _, ok := labels[settings.SelectorLabel]; !ok && len(labels) == 1 {
		for only := range labels {
			settings.SelectorLabel = only
		}
	}
	return settings
}
