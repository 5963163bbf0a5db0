package lockspec

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/agent-rollout/planner/model"
)

// toolKinds says which lock a known tool takes. Only tools that lock and then execute the program
// under the same process id can wrap a component; flock(1) forks, and is known so that a Pod that
// uses it is recognized for what it is.
var toolKinds = map[string]model.LockKind{
	"s6-setlock": model.LockFcntl,
	"flock":      model.LockFlock,
}

// wrapTool is the one tool that Wrap renders: it takes the form TOOL FILE PROGRAM..., has -n, and
// answers busy with status 1.
const wrapTool = "s6-setlock"

// Resolve returns the lock specification that the settings name, validated. It reports every fault
// with its field path below path; the specification is then not to be used.
func Resolve(settings model.LockSettings, path *field.Path) (model.LockSpec, field.ErrorList) {
	switch {
	case settings.Preset != "" && settings.Spec != nil:
		return model.LockSpec{}, field.ErrorList{field.Forbidden(path.Child("spec"), "preset and spec exclude each other: remove one")}
	case settings.Spec != nil:
		spec := settings.Spec.DeepCopy()
		return spec, validateSpec(&spec, path.Child("spec"))
	case settings.Preset == "":
		return model.LockSpec{}, field.ErrorList{field.Required(path.Child("preset"),
			"name a preset ("+strings.Join(Presets(), ", ")+") or write out spec")}
	}
	spec, ok := Preset(settings.Preset)
	if !ok {
		return model.LockSpec{}, field.ErrorList{field.NotSupported(path.Child("preset"), settings.Preset, Presets())}
	}
	return spec, nil
}

// plainPath is the alphabet of paths that need no quoting in a shell and hold no $(VARIABLE).
var plainPath = regexp.MustCompile(`^/[A-Za-z0-9._/-]*$`)

func validateSpec(spec *model.LockSpec, p *field.Path) field.ErrorList {
	var faults field.ErrorList
	if spec.Schema != Schema {
		faults = append(faults, field.NotSupported(p.Child("schema"), spec.Schema, []string{Schema}))
	}
	faults = append(faults, validateTool(spec, p)...)
	faults = append(faults, validateDirectories(spec, p)...)
	faults = append(faults, validateNames(spec, p)...)
	faults = append(faults, validateComponents(spec, p)...)
	faults = append(faults, validateInitContainers(spec, p)...)
	for i, a := range spec.Allowlists {
		faults = append(faults, validateLabelKey(a.Label.Key, p.Child("allowlists").Index(i).Child("label", "key"))...)
	}
	if a := spec.AntiAffinity; a != nil {
		faults = append(faults, validateLabelKey(a.Component.Key, p.Child("antiAffinity", "component", "key"))...)
		for _, msg := range validation.IsValidLabelValue(a.Component.Value) {
			faults = append(faults, field.Invalid(p.Child("antiAffinity", "component", "value"), a.Component.Value, msg))
		}
		faults = append(faults, validateLabelKey(a.NameKey, p.Child("antiAffinity", "nameKey"))...)
		faults = append(faults, validateLabelKey(a.ProfileKey, p.Child("antiAffinity", "profileKey"))...)
	}
	return faults
}

func validateTool(spec *model.LockSpec, p *field.Path) field.ErrorList {
	var faults field.ErrorList
	faults = append(faults, validatePath(spec.CopyCommand, p.Child("copyCommand"))...)
	faults = append(faults, validatePath(spec.Tool, p.Child("tool"))...)
	if path.Base(spec.Tool) != wrapTool {
		faults = append(faults, field.Invalid(p.Child("tool"), spec.Tool,
			"the wrapper speaks the command line of "+wrapTool+": give the path of that tool in the image"))
	}
	switch {
	case !slices.Contains(model.LockKinds(), spec.Kind):
		faults = append(faults, field.NotSupported(p.Child("kind"), spec.Kind, model.LockKinds()))
	case spec.Kind != toolKinds[wrapTool]:
		faults = append(faults, field.Invalid(p.Child("kind"), spec.Kind,
			fmt.Sprintf("%s takes a lock of kind %s", wrapTool, toolKinds[wrapTool])))
	}
	return faults
}

func validateDirectories(spec *model.LockSpec, p *field.Path) field.ErrorList {
	var faults field.ErrorList
	dirs := []struct{ name, path string }{
		{"hostDirectory", spec.HostDirectory}, {"stateDirectory", spec.StateDirectory}, {"toolsDirectory", spec.ToolsDirectory},
	}
	for i, d := range dirs {
		faults = append(faults, validatePath(d.path, p.Child(d.name))...)
		for _, other := range dirs[:i] {
			if d.path != "" && overlaps(d.path, other.path) {
				faults = append(faults, field.Invalid(p.Child(d.name), d.path, "overlaps "+other.name+" "+other.path+": give each directory a path of its own"))
			}
		}
	}
	return faults
}

func validatePath(value string, p *field.Path) field.ErrorList {
	switch {
	case value == "":
		return field.ErrorList{field.Required(p, "an absolute path")}
	case value == "/" || path.Clean(value) != value || !plainPath.MatchString(value):
		return field.ErrorList{field.Invalid(p, value, "must be an absolute path without '..', '//' or a trailing '/', of letters, digits and ._-/")}
	}
	return nil
}

func validateNames(spec *model.LockSpec, p *field.Path) field.ErrorList {
	var faults field.ErrorList
	names := []struct {
		path  *field.Path
		value string
	}{
		{p.Child("initContainer"), spec.InitContainer},
		{p.Child("toolContainer"), spec.ToolContainer},
		{p.Child("volumes", "host"), spec.Volumes.Host},
		{p.Child("volumes", "state"), spec.Volumes.State},
		{p.Child("volumes", "tools"), spec.Volumes.Tools},
	}
	for i, n := range names {
		for _, msg := range validation.IsDNS1123Label(n.value) {
			faults = append(faults, field.Invalid(n.path, n.value, msg))
		}
		// Containers share one name space (the first two), volumes another.
		for _, other := range names[:i] {
			if (i < 2) == (other.path == names[0].path || other.path == names[1].path) && n.value != "" && n.value == other.value {
				faults = append(faults, field.Duplicate(n.path, n.value))
			}
		}
	}
	return faults
}

func validateComponents(spec *model.LockSpec, p *field.Path) field.ErrorList {
	var faults field.ErrorList
	seen := map[string]bool{}
	for i, c := range spec.Components {
		cp := p.Child("components").Index(i)
		faults = append(faults, validateAllowed(c.Container, c.Commands, seen, cp)...)
	}
	if len(spec.Components) > 0 && spec.ToolContainer != "" && !seen[spec.ToolContainer] {
		faults = append(faults, field.Invalid(p.Child("toolContainer"), spec.ToolContainer, "must be one of components"))
	}
	return faults
}

func validateInitContainers(spec *model.LockSpec, p *field.Path) field.ErrorList {
	var faults field.ErrorList
	seen := map[string]bool{}
	for i, c := range spec.InitContainers {
		cp := p.Child("initContainers").Index(i)
		faults = append(faults, validateAllowed(c.Container, c.Commands, seen, cp)...)
		for j, dir := range c.WritableHostPaths {
			faults = append(faults, validatePath(dir, cp.Child("writableHostPaths").Index(j))...)
		}
	}
	return faults
}

// validateAllowed checks one entry of an allow-list and adds its name to seen.
func validateAllowed(name string, forms []model.LockCommand, seen map[string]bool, p *field.Path) field.ErrorList {
	var faults field.ErrorList
	for _, msg := range validation.IsDNS1123Label(name) {
		faults = append(faults, field.Invalid(p.Child("container"), name, msg))
	}
	if seen[name] {
		faults = append(faults, field.Duplicate(p.Child("container"), name))
	}
	seen[name] = true
	if len(forms) == 0 {
		faults = append(faults, field.Required(p.Child("commands"), "at least one accepted form"))
	}
	for i, f := range forms {
		fp := p.Child("commands").Index(i)
		for j, glob := range f.Globs {
			if _, err := path.Match(glob, ""); err != nil {
				faults = append(faults, field.Invalid(fp.Child("globs").Index(j), glob, "is no pattern of path.Match: "+err.Error()))
			}
		}
		if len(f.StartsWith)+len(f.Contains)+len(f.WordPrefixes)+len(f.Globs) == 0 && f.Words == 0 {
			faults = append(faults, field.Required(fp, "a form without a condition accepts everything"))
		}
		if f.Words < 0 {
			faults = append(faults, field.Invalid(fp.Child("words"), f.Words, "must not be negative"))
		}
	}
	return faults
}

func validateLabelKey(key string, p *field.Path) field.ErrorList {
	var faults field.ErrorList
	for _, msg := range validation.IsQualifiedName(key) {
		faults = append(faults, field.Invalid(p, key, msg))
	}
	return faults
}

// overlaps reports whether one path is the other or lies below it. /var/run counts as /run, which
// it is a link to in images and on nodes.
func overlaps(a, b string) bool {
	a, b = realRun(a), realRun(b)
	return a == b || below(a, b) || below(b, a)
}

func below(child, parent string) bool {
	rest, ok := strings.CutPrefix(child, parent)
	return ok && (parent == "/" || strings.HasPrefix(rest, "/"))
}

func realRun(p string) string {
	p = rooted(p)
	if p == "/var/run" || strings.HasPrefix(p, "/var/run/") {
		return strings.TrimPrefix(p, "/var")
	}
	return p
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
