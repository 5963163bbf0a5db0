package dump

import (
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/agent-rollout/planner/model"
)

// SelectingKinds are the kinds that [Dump.Selecting] reads, for [Options.Keep].
func SelectingKinds() []string {
	return []string{"Service", "PodDisruptionBudget", "NetworkPolicy", "PodMonitor"}
}

// selectingGroups are their API groups: other groups have kinds of the same names.
var selectingGroups = map[string]string{
	"Service": "", "PodDisruptionBudget": policyv1.GroupName, "NetworkPolicy": networkingv1.GroupName, "PodMonitor": "monitoring.coreos.com",
}

// Selecting returns what selects Pods by their labels, in the order of the inputs: a NetworkPolicy once for the Pods that it is for, and once for
// each peer by labels. Fields that are not needed are not looked at, and may be unknown. The error is an *Error.
func (d *Dump) Selecting() ([]model.Selecting, error) {
	var all []model.Selecting
	refused := &Error{}
	for i := range d.Others {
		o := &d.Others[i]
		of, err := o.selecting()
		if err != nil {
			refused.Faults = append(refused.Faults, fmt.Sprintf("%s: %s: %v", o.Where, o.Kind, err))
		}
		all = append(all, of...)
	}
	if len(refused.Faults) > 0 {
		return nil, refused
	}
	return all, nil
}

func (o *Other) selecting() ([]model.Selecting, error) {
	group, _, grouped := strings.Cut(o.APIVersion, "/")
	if !grouped {
		group = ""
	}
	if group != selectingGroups[o.Kind] {
		return nil, nil // of the same name, and of somebody else
	}
	switch o.Kind {
	case "Service":
		return selectingOf(o, func(s *corev1.Service, c *selectors) {
			if len(s.Spec.Selector) > 0 { // else its endpoints are made by other means
				c.add(s.ObjectMeta, "spec.selector", &metav1.LabelSelector{MatchLabels: s.Spec.Selector}, []string{s.Namespace})
			}
		})
	case "PodDisruptionBudget":
		return selectingOf(o, func(b *policyv1.PodDisruptionBudget, c *selectors) {
			c.add(b.ObjectMeta, "spec.selector", b.Spec.Selector, []string{b.Namespace})
		})
	case "NetworkPolicy":
		return selectingOf(o, func(p *networkingv1.NetworkPolicy, c *selectors) {
			c.add(p.ObjectMeta, "spec.podSelector", &p.Spec.PodSelector, []string{p.Namespace})
			for i := range p.Spec.Ingress {
				c.addPeers(p.ObjectMeta, fmt.Sprintf("spec.ingress[%d].from", i), p.Spec.Ingress[i].From)
			}
			for i := range p.Spec.Egress {
				c.addPeers(p.ObjectMeta, fmt.Sprintf("spec.egress[%d].to", i), p.Spec.Egress[i].To)
			}
		})
	case "PodMonitor":
		return selectingOf(o, func(m *podMonitor, c *selectors) {
			namespaces := m.Spec.NamespaceSelector.MatchNames
			switch {
			case m.Spec.NamespaceSelector.Any:
				namespaces = nil
			case len(namespaces) == 0:
				namespaces = []string{m.Namespace}
			}
			c.add(m.ObjectMeta, "spec.selector", &m.Spec.Selector, namespaces)
		})
	}
	return nil, nil
}

// podMonitor is what is read of monitoring.coreos.com/v1 PodMonitor.
type podMonitor struct {
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		Selector          metav1.LabelSelector `json:"selector"`
		NamespaceSelector struct {
			Any        bool     `json:"any"`
			MatchNames []string `json:"matchNames"`
		} `json:"namespaceSelector"`
	} `json:"spec"`
}

// selectors gathers the selectors of one object.
type selectors struct {
	kind string
	list []model.Selecting
	err  error
}

func selectingOf[T any](o *Other, gather func(*T, *selectors)) ([]model.Selecting, error) {
	object, c := new(T), &selectors{kind: o.Kind}
	if err := json.Unmarshal(o.text, object); err != nil {
		return nil, err
	}
	gather(object, c)
	return c.list, c.err
}

func (c *selectors) add(of metav1.ObjectMeta, path string, selector *metav1.LabelSelector, namespaces []string) {
	selects, err := metav1.LabelSelectorAsSelector(selector) // of nil: nothing
	if err != nil {
		c.err = fmt.Errorf("%s/%s: %s: %w", of.Namespace, of.Name, path, err)
		return
	}
	c.list = append(c.list, model.Selecting{Kind: c.kind, Namespace: of.Namespace, Name: of.Name, Path: path, Selector: selects, Namespaces: namespaces})
}

// addPeers adds the peers by labels. Which namespaces a namespaceSelector takes is not in the object: all of them may be.
func (c *selectors) addPeers(of metav1.ObjectMeta, path string, peers []networkingv1.NetworkPolicyPeer) {
	for i := range peers {
		if peers[i].PodSelector == nil {
			continue
		}
		namespaces := []string{of.Namespace}
		if peers[i].NamespaceSelector != nil {
			namespaces = nil
		}
		c.add(of, fmt.Sprintf("%s[%d].podSelector", path, i), peers[i].PodSelector, namespaces)
	}
}
