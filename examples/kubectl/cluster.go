package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"

	"github.com/agent-rollout/planner/model/dump"
)

// cluster reads what kubectl get would print.
type cluster struct {
	config interface{ ToRESTConfig() (*rest.Config, error) }
}

// resource is a list of the API server.
type resource struct {
	path string
	// optional: what it holds is looked at if the caller may, and if the server has it.
	optional bool
}

var resources = []resource{
	{"/api/v1/nodes", false}, {"/api/v1/pods", false}, {"/apis/apps/v1/daemonsets", false},
	{"/api/v1/services", true}, {"/apis/policy/v1/poddisruptionbudgets", true}, {"/apis/networking.k8s.io/v1/networkpolicies", true},
	{"/apis/monitoring.coreos.com/v1/podmonitors", true},
}

// perPage is how many objects are asked for at a time, as kubectl does.
const perPage = "500"

func (c *cluster) read(ctx context.Context, document bool) ([]dump.Input, error) {
	if document {
		return nil, fmt.Errorf("no Rollout document: name it with -f; the objects are read from the cluster")
	}
	client, err := c.client()
	if err != nil {
		return nil, err
	}
	var inputs []dump.Input
	for _, r := range resources {
		pages, err := r.read(ctx, client)
		if err != nil && !(r.optional && (apierrors.IsForbidden(err) || apierrors.IsNotFound(err))) {
			return nil, fmt.Errorf("%s: %w", r.path, err)
		}
		inputs = append(inputs, pages...)
	}
	return inputs, nil
}

func (c *cluster) client() (*rest.RESTClient, error) {
	config, err := c.config.ToRESTConfig()
	if err != nil {
		return nil, err
	}
	config = rest.CopyConfig(config)
	config.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	return rest.UnversionedRESTClientFor(config)
}

// read reads the list page by page. A page that expires meanwhile is the server's error, as it is kubectl's.
func (r *resource) read(ctx context.Context, client rest.Interface) (pages []dump.Input, err error) {
	for next := ""; ; {
		request := client.Get().AbsPath(r.path).SetHeader("Accept", "application/json").Param("limit", perPage)
		if next != "" {
			request = request.Param("continue", next)
		}
		result := request.Do(ctx)
		text, err := result.Raw()
		if result.Error() != nil { // Raw's error has not the server's words
			return nil, result.Error()
		}
		if err != nil {
			return nil, err
		}
		var head struct {
			metav1.TypeMeta `json:",inline"`
			Metadata        metav1.ListMeta   `json:"metadata"`
			Items           []json.RawMessage `json:"items"`
		}
		if err := json.Unmarshal(text, &head); err != nil {
			return nil, err
		}
		if len(head.Items) > 0 {
			pages = append(pages, dump.Input{Name: r.path, Text: bytes.NewReader(typed(text, head.TypeMeta, head.Items))})
		}
		if next = head.Metadata.Continue; next == "" {
			return pages, nil
		}
	}
}

// typed is the list with the type in every item, which the API server leaves out in a list of a kind of its own. NodeList, PodList and DaemonSetList are
// read as they are.
func typed(text []byte, of metav1.TypeMeta, items []json.RawMessage) []byte {
	switch of.Kind {
	case "NodeList", "PodList", "DaemonSetList":
		return text
	}
	var out bytes.Buffer
	out.WriteString(`{"apiVersion":"v1","kind":"List","items":[`)
	for i, item := range items {
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(&out, `{"apiVersion":%q,"kind":%q,`, of.APIVersion, of.Kind[:len(of.Kind)-len("List")])
		out.Write(bytes.TrimLeft(item, "{ \n\t"))
	}
	out.WriteString("]}")
	return out.Bytes()
}
