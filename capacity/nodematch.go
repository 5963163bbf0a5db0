package capacity

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// nodeMatcher is a Pod's nodeSelector and required node affinity, compiled. It says what
// nodeaffinity.GetRequiredNodeAffinity says, without allocating.
type nodeMatcher struct {
	selector []labelPair // all of them, sorted by key
	required bool        // the affinity is set; without a term it then matches no node
	terms    []nodeTerm  // one of them
}

type labelPair struct{ key, value string }

// nodeTerm is one term of the required affinity; all its requirements must hold. A term that is empty
// or malformed matches no node: the API says so of the first, the DaemonSet controller and the
// scheduler do so with the second.
type nodeTerm struct {
	index  int // its place in the affinity
	never  string
	exprs  []nodeRequirement
	fields []fieldRequirement
}

type nodeRequirement struct {
	key    string
	op     corev1.NodeSelectorOperator
	values []string
	set    map[string]struct{} // of values, when there are many
	number int64               // of Gt and Lt
}

// fieldRequirement is metadata.name In [one] or NotIn [one]: all that the API offers on fields.
type fieldRequirement struct {
	key, value string
	in         bool
}

// manyValues is the length from which a lookup beats comparing one by one.
const manyValues = 12

// compileNodeMatcher compiles, and lists every malformed requirement under the path of the Pod's spec.
func compileNodeMatcher(spec *corev1.PodSpec, path *field.Path) (nodeMatcher, []error) {
	var m nodeMatcher
	for key, value := range spec.NodeSelector {
		m.selector = append(m.selector, labelPair{key, value})
	}
	slices.SortFunc(m.selector, func(a, b labelPair) int { return strings.Compare(a.key, b.key) })

	if spec.Affinity == nil || spec.Affinity.NodeAffinity == nil {
		return m, nil
	}
	required := spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	if required == nil {
		return m, nil
	}
	m.required = true
	path = path.Child("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms")
	var faults []error
	for i := range required.NodeSelectorTerms {
		t, errs := compileNodeTerm(i, &required.NodeSelectorTerms[i], path.Index(i))
		m.terms = append(m.terms, t)
		faults = append(faults, errs...)
	}
	return m, faults
}

func compileNodeTerm(index int, api *corev1.NodeSelectorTerm, path *field.Path) (nodeTerm, []error) {
	t := nodeTerm{index: index}
	if len(api.MatchExpressions) == 0 && len(api.MatchFields) == 0 {
		t.never = "it is empty"
		return t, nil
	}
	var faults []error
	for i := range api.MatchExpressions {
		r, err := compileNodeRequirement(&api.MatchExpressions[i], path.Child("matchExpressions").Index(i))
		if err != nil {
			faults = append(faults, err)
			continue
		}
		t.exprs = append(t.exprs, r)
	}
	for i := range api.MatchFields {
		r, err := compileFieldRequirement(&api.MatchFields[i], path.Child("matchFields").Index(i))
		if err != nil {
			faults = append(faults, err)
			continue
		}
		t.fields = append(t.fields, r)
	}
	if len(faults) > 0 {
		t.never = "it is malformed"
	}
	return t, faults
}

// labelOperators translates to what labels.NewRequirement, which knows what is well formed, speaks.
var labelOperators = map[corev1.NodeSelectorOperator]selection.Operator{
	corev1.NodeSelectorOpIn:           selection.In,
	corev1.NodeSelectorOpNotIn:        selection.NotIn,
	corev1.NodeSelectorOpExists:       selection.Exists,
	corev1.NodeSelectorOpDoesNotExist: selection.DoesNotExist,
	corev1.NodeSelectorOpGt:           selection.GreaterThan,
	corev1.NodeSelectorOpLt:           selection.LessThan,
}

func compileNodeRequirement(api *corev1.NodeSelectorRequirement, path *field.Path) (nodeRequirement, error) {
	op, known := labelOperators[api.Operator]
	if !known {
		return nodeRequirement{}, field.NotSupported(path.Child("operator"), api.Operator, []corev1.NodeSelectorOperator{
			corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn, corev1.NodeSelectorOpExists,
			corev1.NodeSelectorOpDoesNotExist, corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt,
		})
	}
	if _, err := labels.NewRequirement(api.Key, op, api.Values, field.WithPath(path)); err != nil {
		return nodeRequirement{}, err
	}
	r := nodeRequirement{key: api.Key, op: api.Operator, values: slices.Clone(api.Values)}
	switch api.Operator {
	case corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt:
		// Checked just above: exactly one value, and an integer.
		r.number, _ = strconv.ParseInt(api.Values[0], 10, 64)
	default:
		if len(r.values) >= manyValues {
			r.set = make(map[string]struct{}, len(r.values))
			for _, v := range r.values {
				r.set[v] = struct{}{}
			}
		}
	}
	return r, nil
}

func compileFieldRequirement(api *corev1.NodeSelectorRequirement, path *field.Path) (fieldRequirement, error) {
	switch api.Operator {
	case corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn:
		if len(api.Values) != 1 {
			return fieldRequirement{}, field.Invalid(path.Child("values"), api.Values, "must have one element")
		}
		return fieldRequirement{api.Key, api.Values[0], api.Operator == corev1.NodeSelectorOpIn}, nil
	default:
		return fieldRequirement{}, field.NotSupported(path.Child("operator"), api.Operator,
			[]corev1.NodeSelectorOperator{corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn})
	}
}

// matches reports whether the node passes selector and affinity.
func (m *nodeMatcher) matches(node *corev1.Node) bool {
	for i := range m.selector {
		if v, ok := node.Labels[m.selector[i].key]; !ok || v != m.selector[i].value {
			return false
		}
	}
	if !m.required {
		return true
	}
	for i := range m.terms {
		if m.terms[i].matches(node) {
			return true
		}
	}
	return false
}

func (t *nodeTerm) matches(node *corev1.Node) bool {
	if t.never != "" {
		return false
	}
	for i := range t.exprs {
		if !t.exprs[i].matches(node) {
			return false
		}
	}
	for i := range t.fields {
		if !t.fields[i].matches(node) {
			return false
		}
	}
	return true
}

func (r *nodeRequirement) matches(node *corev1.Node) bool {
	value, has := node.Labels[r.key]
	switch r.op {
	case corev1.NodeSelectorOpIn:
		return has && r.lists(value)
	case corev1.NodeSelectorOpNotIn:
		return !has || !r.lists(value)
	case corev1.NodeSelectorOpExists:
		return has
	case corev1.NodeSelectorOpDoesNotExist:
		return !has
	case corev1.NodeSelectorOpGt:
		n, err := strconv.ParseInt(value, 10, 64)
		return has && err == nil && n > r.number
	case corev1.NodeSelectorOpLt:
		n, err := strconv.ParseInt(value, 10, 64)
		return has && err == nil && n < r.number
	default:
		return false // refused when compiled
	}
}

func (r *nodeRequirement) lists(value string) bool {
	if r.set != nil {
		_, ok := r.set[value]
		return ok
	}
	return slices.Contains(r.values, value)
}

// matches holds fields other than metadata.name to be empty, and a node without a name to have no
// fields to test, as component-helpers does.
func (r *fieldRequirement) matches(node *corev1.Node) bool {
	if node.Name == "" {
		return true
	}
	have := ""
	if r.key == "metadata.name" {
		have = node.Name
	}
	return (have == r.value) == r.in
}

// why names what keeps the node from matching; "" when it matches.
func (m *nodeMatcher) why(node *corev1.Node) string {
	for _, p := range m.selector {
		if v, ok := node.Labels[p.key]; !ok || v != p.value {
			return fmt.Sprintf("nodeSelector wants %s=%s, the node has %s", p.key, p.value, labelString(node, p.key))
		}
	}
	if !m.required {
		return ""
	}
	if len(m.terms) == 0 {
		return "the required node affinity has no term, so it matches no node"
	}
	faults := make([]string, 0, len(m.terms))
	for i := range m.terms {
		fault := m.terms[i].why(node)
		if fault == "" {
			return ""
		}
		faults = append(faults, fmt.Sprintf("term %d: %s", m.terms[i].index, fault))
	}
	return "no term of the required node affinity matches: " + strings.Join(faults, "; ")
}

func (t *nodeTerm) why(node *corev1.Node) string {
	if t.never != "" {
		return t.never
	}
	for i := range t.exprs {
		if r := &t.exprs[i]; !r.matches(node) {
			return fmt.Sprintf("wants %s, the node has %s", r, labelString(node, r.key))
		}
	}
	for i := range t.fields {
		if r := &t.fields[i]; !r.matches(node) {
			return fmt.Sprintf("wants %s, the node is %s", r, node.Name)
		}
	}
	return ""
}

func (r *nodeRequirement) String() string {
	if len(r.values) == 0 {
		return fmt.Sprintf("%s %s", r.key, r.op)
	}
	return fmt.Sprintf("%s %s [%s]", r.key, r.op, strings.Join(r.values, " "))
}

func (r *fieldRequirement) String() string {
	op := corev1.NodeSelectorOpNotIn
	if r.in {
		op = corev1.NodeSelectorOpIn
	}
	return fmt.Sprintf("field %s %s [%s]", r.key, op, r.value)
}

func labelString(node *corev1.Node, key string) string {
	if v, ok := node.Labels[key]; ok {
		return key + "=" + v
	}
	return "no label " + key
}
