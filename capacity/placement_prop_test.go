package capacity

import (
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"pgregory.net/rapid"
)

type nodeCase struct {
	spec *corev1.PodSpec
	node *corev1.Node
}

// Few keys and values, so that they meet; some values are numbers, some requirements are malformed.
var (
	drawKey   = rapid.SampledFrom([]string{"a", "b", "c"})
	drawValue = rapid.SampledFrom([]string{"", "x", "y", "5", "7", "-3", "07"})
	drawName  = rapid.SampledFrom([]string{"n1", "n2", ""})
	drawOp    = rapid.SampledFrom([]corev1.NodeSelectorOperator{
		corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn, corev1.NodeSelectorOpExists,
		corev1.NodeSelectorOpDoesNotExist, corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt, "Near",
	})
)

var drawRequirement = rapid.Custom(func(t *rapid.T) corev1.NodeSelectorRequirement {
	r := corev1.NodeSelectorRequirement{Key: drawKey.Draw(t, "key"), Operator: drawOp.Draw(t, "op")}
	n := map[corev1.NodeSelectorOperator]int{corev1.NodeSelectorOpGt: 1, corev1.NodeSelectorOpLt: 1,
		corev1.NodeSelectorOpIn: 2, corev1.NodeSelectorOpNotIn: 2}[r.Operator]
	if rapid.IntRange(0, 19).Draw(t, "odd") == 0 {
		n++
	}
	for range n {
		r.Values = append(r.Values, drawValue.Draw(t, "value"))
	}
	if n == 2 && rapid.IntRange(0, 9).Draw(t, "long") == 0 { // the set instead of the list
		for i := range manyValues {
			r.Values = append(r.Values, fmt.Sprint("v", i))
		}
	}
	return r
})

var drawFieldRequirement = rapid.Custom(func(t *rapid.T) corev1.NodeSelectorRequirement {
	ops := []corev1.NodeSelectorOperator{corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn, corev1.NodeSelectorOpExists}
	r := corev1.NodeSelectorRequirement{
		Key:      rapid.SampledFrom([]string{"metadata.name", "metadata.name", "metadata.name", "spec.x"}).Draw(t, "field"),
		Operator: rapid.SampledFrom(ops).Draw(t, "op"),
	}
	r.Values = rapid.SliceOfN(drawName, 1, 1+rapid.IntRange(0, 9).Draw(t, "odd")/9).Draw(t, "values")
	return r
})

var drawTerm = rapid.Custom(func(t *rapid.T) corev1.NodeSelectorTerm {
	return corev1.NodeSelectorTerm{
		MatchExpressions: rapid.SliceOfN(drawRequirement, 0, 2).Draw(t, "expressions"),
		MatchFields:      rapid.SliceOfN(drawFieldRequirement, 0, 2).Draw(t, "fields"),
	}
})

var drawTaint = rapid.Custom(func(t *rapid.T) corev1.Taint {
	return corev1.Taint{
		Key: rapid.SampledFrom([]string{"a", "b", corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable, corev1.TaintNodeDiskPressure,
			corev1.TaintNodeMemoryPressure, corev1.TaintNodePIDPressure, corev1.TaintNodeUnschedulable, corev1.TaintNodeNetworkUnavailable}).Draw(t, "key"),
		Value:  rapid.SampledFrom([]string{"", "", "x", "5", "05"}).Draw(t, "value"),
		Effect: rapid.SampledFrom([]corev1.TaintEffect{corev1.TaintEffectNoSchedule, corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute, corev1.TaintEffectPreferNoSchedule}).Draw(t, "effect"),
	}
})

var drawToleration = rapid.Custom(func(t *rapid.T) corev1.Toleration {
	return corev1.Toleration{
		Key:      rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "key"),
		Operator: rapid.SampledFrom([]corev1.TolerationOperator{"", corev1.TolerationOpEqual, corev1.TolerationOpExists, corev1.TolerationOpLt, corev1.TolerationOpGt, "Almost"}).Draw(t, "op"),
		Value:    rapid.SampledFrom([]string{"", "x", "4", "6", "+6", "-0"}).Draw(t, "value"),
		Effect:   rapid.SampledFrom([]corev1.TaintEffect{"", corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute}).Draw(t, "effect"),
	}
})

var drawNodeCase = rapid.Custom(func(t *rapid.T) nodeCase {
	c := nodeCase{spec: &corev1.PodSpec{}, node: &corev1.Node{}}
	c.node.Name = drawName.Draw(t, "name")
	c.node.Labels = rapid.MapOfN(drawKey, drawValue, 0, 3).Draw(t, "labels")
	c.node.Spec.Taints = rapid.SliceOfN(drawTaint, 0, 2).Draw(t, "taints")
	c.spec.HostNetwork = rapid.Bool().Draw(t, "hostNetwork")
	c.spec.Tolerations = rapid.SliceOfN(drawToleration, 0, 2).Draw(t, "tolerations")
	if rapid.IntRange(0, 3).Draw(t, "hasSelector") == 0 {
		c.spec.NodeSelector = rapid.MapOfN(drawKey, drawValue, 0, 2).Draw(t, "selector")
	}
	if rapid.IntRange(0, 3).Draw(t, "hasAffinity") > 0 {
		c.spec.Affinity = affinity(rapid.SliceOfN(drawTerm, 0, 3).Draw(t, "terms")...)
	}
	if rapid.IntRange(0, 9).Draw(t, "named") == 0 {
		c.spec.NodeName = drawName.Draw(t, "nodeName")
	}
	return c
})

// The matcher says what component-helpers says, malformed terms and odd fields included.
func TestNodeMatcherEqualsComponentHelpers(t *testing.T) {
	type matcher func(c nodeCase, m *nodeMatcher) bool
	edited := func(edit func(*nodeMatcher)) matcher {
		return func(c nodeCase, m *nodeMatcher) bool { edit(m); return m.matches(c.node) }
	}
	eachTerm := func(edit func(*nodeTerm)) matcher {
		return edited(func(m *nodeMatcher) {
			for i := range m.terms {
				edit(&m.terms[i])
			}
		})
	}
	eachExpr := func(edit func(*nodeRequirement)) matcher {
		return eachTerm(func(t *nodeTerm) {
			for i := range t.exprs {
				edit(&t.exprs[i])
			}
		})
	}
	property[nodeCase, matcher]{
		draw: drawNodeCase,
		holds: func(c nodeCase, impl matcher) string {
			want, _ := nodeaffinity.GetRequiredNodeAffinity(&corev1.Pod{Spec: *c.spec}).Match(c.node)
			m, _ := compileNodeMatcher(c.spec, nil)
			why := m.why(c.node)
			if got := impl(c, &m); got != want || got != (why == "") {
				return fmt.Sprintf("matches %t, component-helpers say %t, why %q", got, want, why)
			}
			return ""
		},
		reached: func(c nodeCase) []string {
			m, faults := compileNodeMatcher(c.spec, nil)
			r := []string{fmt.Sprintf("matches=%t", m.matches(c.node))}
			if len(faults) > 0 {
				r = append(r, fmt.Sprintf("malformed, matches=%t", m.matches(c.node)))
			}
			for _, t := range m.terms {
				if t.matches(c.node) {
					r = append(r, fmt.Sprintf("term with %d fields matches", len(t.fields)))
				}
				for _, e := range t.exprs {
					r = append(r, fmt.Sprintf("%s=%t", e.op, e.matches(c.node)))
				}
			}
			return r
		},
		wanted: []string{"matches=true", "matches=false", "malformed, matches=true", "malformed, matches=false",
			"term with 1 fields matches", "term with 2 fields matches", "In=true", "In=false", "NotIn=true", "NotIn=false",
			"Exists=true", "Exists=false", "DoesNotExist=true", "DoesNotExist=false", "Gt=true", "Gt=false", "Lt=true", "Lt=false"},
	}.check(t, func(c nodeCase, m *nodeMatcher) bool { return m.matches(c.node) }, map[string]matcher{
		"affinity without a term matches all": edited(func(m *nodeMatcher) { m.required = len(m.terms) > 0 }),
		"selector ignored":                    edited(func(m *nodeMatcher) { m.selector = nil }),
		"only the first term":                 edited(func(m *nodeMatcher) { m.terms = m.terms[:min(1, len(m.terms))] }),
		"malformed and empty terms match":     eachTerm(func(t *nodeTerm) { t.never = "" }),
		"fields ignored":                      eachTerm(func(t *nodeTerm) { t.fields = nil }),
		"fields before expressions only": eachTerm(func(t *nodeTerm) {
			if len(t.fields) > 0 {
				t.exprs = nil
			}
		}),
		"any field is the name": eachTerm(func(t *nodeTerm) {
			for i := range t.fields {
				t.fields[i].key = "metadata.name"
			}
		}),
		"only the first value": eachExpr(func(r *nodeRequirement) { r.set, r.values = nil, r.values[:min(1, len(r.values))] }),
		"greater or equal": eachExpr(func(r *nodeRequirement) {
			if r.op == corev1.NodeSelectorOpGt {
				r.number--
			}
		}),
		"less or equal": eachExpr(func(r *nodeRequirement) {
			if r.op == corev1.NodeSelectorOpLt {
				r.number++
			}
		}),
		"not-in wants the label": eachTerm(func(t *nodeTerm) {
			for _, r := range slices.Clone(t.exprs) {
				if r.op == corev1.NodeSelectorOpNotIn {
					t.exprs = append(t.exprs, nodeRequirement{key: r.key, op: corev1.NodeSelectorOpExists})
				}
			}
		}),
	})
}

// toleratedBy calls the API's own method without naming the type of its logger.
func toleratedBy[Logger any](method func(Logger, *corev1.Taint, bool) bool, taint *corev1.Taint) bool {
	var quiet Logger
	return method(quiet, taint, true)
}

func TestToleratesEqualsTheAPI(t *testing.T) {
	type tolerationCase struct {
		toleration corev1.Toleration
		taint      corev1.Taint
	}
	type impl func(*corev1.Toleration, *corev1.Taint) bool
	swap := func(edit func(*corev1.Toleration, *corev1.Taint)) impl {
		return func(a *corev1.Toleration, b *corev1.Taint) bool {
			x, y := *a, *b
			edit(&x, &y)
			return tolerates(&x, &y)
		}
	}
	property[tolerationCase, impl]{
		draw: rapid.Custom(func(t *rapid.T) tolerationCase {
			c := tolerationCase{drawToleration.Draw(t, "toleration"), drawTaint.Draw(t, "taint")}
			if rapid.Bool().Draw(t, "numbers") {
				c.toleration.Value = rapid.SampledFrom([]string{"4", "6", "+6", "-0"}).Draw(t, "number")
				c.taint.Key, c.taint.Value = "a", rapid.SampledFrom([]string{"5", "05"}).Draw(t, "other number")
			}
			return c
		}),
		holds: func(c tolerationCase, f impl) string {
			if got, want := f(&c.toleration, &c.taint), toleratedBy(c.toleration.ToleratesTaint, &c.taint); got != want {
				return fmt.Sprintf("tolerates %t, the API says %t", got, want)
			}
			return ""
		},
		reached: func(c tolerationCase) []string {
			return []string{fmt.Sprintf("%s=%t", c.toleration.Operator, tolerates(&c.toleration, &c.taint))}
		},
		wanted: []string{"=true", "=false", "Equal=true", "Equal=false", "Exists=true", "Exists=false",
			"Lt=true", "Lt=false", "Gt=true", "Gt=false", "Almost=false"},
	}.check(t, tolerates, map[string]impl{
		"effect ignored":      swap(func(a *corev1.Toleration, b *corev1.Taint) { a.Effect = b.Effect }),
		"key ignored":         swap(func(a *corev1.Toleration, b *corev1.Taint) { a.Key = b.Key }),
		"empty key is no key": func(a *corev1.Toleration, b *corev1.Taint) bool { return a.Key != "" && tolerates(a, b) },
		"value ignored":       swap(func(a *corev1.Toleration, b *corev1.Taint) { a.Value = b.Value }),
		"no operator means Exists": swap(func(a *corev1.Toleration, _ *corev1.Taint) {
			if a.Operator == "" {
				a.Operator = corev1.TolerationOpExists
			}
		}),
		"Lt and Gt swapped": swap(func(a *corev1.Toleration, _ *corev1.Taint) {
			switch a.Operator {
			case corev1.TolerationOpLt:
				a.Operator = corev1.TolerationOpGt
			case corev1.TolerationOpGt:
				a.Operator = corev1.TolerationOpLt
			}
		}),
		"any spelling of a number": swap(func(_ *corev1.Toleration, b *corev1.Taint) {
			if b.Value == "05" {
				b.Value = "5"
			}
		}),
	})
}

// slowJudge is the DaemonSet controller's decision, spelled out on what the API and component-helpers offer.
func slowJudge(spec *corev1.PodSpec, node *corev1.Node) Eligibility {
	tolerations := append(slices.Clone(spec.Tolerations), []corev1.Toleration{
		{Key: "node.kubernetes.io/not-ready", Operator: "Exists", Effect: "NoExecute"},
		{Key: "node.kubernetes.io/unreachable", Operator: "Exists", Effect: "NoExecute"},
		{Key: "node.kubernetes.io/disk-pressure", Operator: "Exists", Effect: "NoSchedule"},
		{Key: "node.kubernetes.io/memory-pressure", Operator: "Exists", Effect: "NoSchedule"},
		{Key: "node.kubernetes.io/pid-pressure", Operator: "Exists", Effect: "NoSchedule"},
		{Key: "node.kubernetes.io/unschedulable", Operator: "Exists", Effect: "NoSchedule"},
	}...)
	if spec.HostNetwork {
		tolerations = append(tolerations, corev1.Toleration{Key: "node.kubernetes.io/network-unavailable", Operator: "Exists", Effect: "NoSchedule"})
	}
	untolerated := map[corev1.TaintEffect]bool{}
	for _, taint := range node.Spec.Taints {
		if !slices.ContainsFunc(tolerations, func(tol corev1.Toleration) bool { return toleratedBy(tol.ToleratesTaint, &taint) }) {
			untolerated[taint.Effect] = true
		}
	}
	matches, _ := nodeaffinity.GetRequiredNodeAffinity(&corev1.Pod{Spec: *spec}).Match(node)
	named := spec.NodeName == "" || spec.NodeName == node.Name
	run := named && matches && !untolerated["NoSchedule"] && !untolerated["NoExecute"]
	stay := named && matches && !untolerated["NoExecute"]
	switch {
	case run:
		return Eligible
	case stay:
		return KeepsRunning
	default:
		return Ineligible
	}
}

func TestJudgeEqualsTheController(t *testing.T) {
	type impl func(*Placement, *corev1.Node) Eligibility
	swap := func(edit func(*Placement, *corev1.Node)) impl {
		return func(p *Placement, n *corev1.Node) Eligibility {
			q, m := *p, n.DeepCopy()
			edit(&q, m)
			return q.Judge(m)
		}
	}
	drop := func(key string) impl {
		return swap(func(p *Placement, _ *corev1.Node) {
			p.tolerations = slices.DeleteFunc(slices.Clone(p.tolerations), func(t corev1.Toleration) bool { return t.Key == key })
		})
	}
	mutants := map[string]impl{
		"node name ignored": swap(func(p *Placement, _ *corev1.Node) { p.nodeName = "" }),
		"affinity ignored":  swap(func(p *Placement, _ *corev1.Node) { p.match = nodeMatcher{} }),
		"soft taints count": swap(func(_ *Placement, n *corev1.Node) {
			for i := range n.Spec.Taints {
				n.Spec.Taints[i].Effect = corev1.TaintEffectNoSchedule
			}
		}),
		"only the last taint": swap(func(_ *Placement, n *corev1.Node) {
			n.Spec.Taints = n.Spec.Taints[max(0, len(n.Spec.Taints)-1):]
		}),
		"nothing keeps running": func(p *Placement, n *corev1.Node) Eligibility {
			if e := p.Judge(n); e != KeepsRunning {
				return e
			}
			return Ineligible
		},
		"own tolerations ignored": swap(func(p *Placement, _ *corev1.Node) { p.tolerations = AddedTolerations(true) }),
		"network always tolerated": swap(func(p *Placement, _ *corev1.Node) {
			p.tolerations = append(slices.Clone(p.tolerations), AddedTolerations(true)...)
		}),
	}
	for _, added := range AddedTolerations(true) {
		mutants["without "+added.Key] = drop(added.Key)
	}
	property[nodeCase, impl]{
		draw: drawNodeCase.Filter(func(c nodeCase) bool {
			_, err := NewPlacement(&corev1.PodTemplateSpec{Spec: *c.spec})
			return err == nil
		}),
		holds: func(c nodeCase, f impl) string {
			p, err := NewPlacement(&corev1.PodTemplateSpec{Spec: *c.spec})
			if err != nil {
				return err.Error()
			}
			got, why := f(p, c.node), p.Why(c.node)
			if want := slowJudge(c.spec, c.node); got != want || (got == Eligible) != (why == "") {
				return fmt.Sprintf("%s, the controller says %s, why %q", got, want, why)
			}
			return ""
		},
		reached: func(c nodeCase) []string { return []string{slowJudge(c.spec, c.node).String()} },
		wanted:  []string{"Eligible", "KeepsRunning", "Ineligible"},
	}.check(t, (*Placement).Judge, mutants)
}
