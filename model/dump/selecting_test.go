package dump

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSelecting(t *testing.T) {
	const text = `
{apiVersion: v1, kind: Service, metadata: {namespace: a, name: web}, spec: {selector: {app: web}, fieldOfTomorrow: 1}}
---
{apiVersion: v1, kind: Service, metadata: {namespace: a, name: by-hand}, spec: {}}
---
{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {namespace: a, name: web}, spec: {selector: {matchExpressions: [{key: app, operator: Exists}]}}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {namespace: a, name: all}
spec:
  podSelector: {}
  ingress:
  - from: [{ipBlock: {cidr: 10.0.0.0/8}}, {podSelector: {matchLabels: {app: web}}}]
  egress:
  - to: [{podSelector: {matchLabels: {app: db}}, namespaceSelector: {}}]
---
{apiVersion: monitoring.coreos.com/v1, kind: PodMonitor, metadata: {namespace: m, name: own}, spec: {selector: {matchLabels: {app: web}}}}
---
{apiVersion: monitoring.coreos.com/v1, kind: PodMonitor, metadata: {namespace: m, name: any}, spec: {selector: {}, namespaceSelector: {any: true}}}
---
{apiVersion: monitoring.coreos.com/v1, kind: PodMonitor, metadata: {namespace: m, name: named}, spec: {selector: {}, namespaceSelector: {matchNames: [a, b]}}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {namespace: a, name: ignored}}
---
{apiVersion: serving.knative.dev/v1, kind: Service, metadata: {namespace: a, name: another}, spec: {selector: [none]}}
---
{apiVersion: crd.projectcalico.org/v1, kind: NetworkPolicy, metadata: {namespace: a, name: another}, spec: {selector: "app == 'web'"}}
`
	d, err := Options{Stdin: strings.NewReader(text), Keep: SelectingKinds()}.Files(Stdin)
	require.NoError(t, err)
	require.Equal(t, map[string]int{"ConfigMap": 1}, d.Skipped)
	list, err := d.Selecting()
	require.NoError(t, err)
	var lines []string
	for _, s := range list {
		lines = append(lines, strings.Join([]string{s.Kind, s.Namespace + "/" + s.Name, s.Path, s.Selector.String(), strings.Join(s.Namespaces, " ")}, "|"))
	}
	require.Equal(t, []string{
		"Service|a/web|spec.selector|app=web|a",
		"PodDisruptionBudget|a/web|spec.selector|app|a",
		"NetworkPolicy|a/all|spec.podSelector||a",
		"NetworkPolicy|a/all|spec.ingress[0].from[1].podSelector|app=web|a",
		"NetworkPolicy|a/all|spec.egress[0].to[0].podSelector|app=db|",
		"PodMonitor|m/own|spec.selector|app=web|m",
		"PodMonitor|m/any|spec.selector||",
		"PodMonitor|m/named|spec.selector||a b",
	}, lines)
}

func TestSelectingFaults(t *testing.T) {
	const text = `
{apiVersion: v1, kind: Service, metadata: {namespace: a, name: x}, spec: {selector: [app]}}
---
{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {namespace: a, name: pdb}, spec: {selector: {matchExpressions: [{key: app, operator: Like}]}}}
`
	d, err := Options{Stdin: strings.NewReader(text), Keep: SelectingKinds()}.Files(Stdin)
	require.NoError(t, err)
	_, err = d.Selecting()
	require.ErrorContains(t, err, "Service: ")
	require.ErrorContains(t, err, `a/pdb: spec.selector: "Like" is not a valid label selector operator`)
}
