// Command operator runs the controller of NodeAgentRollouts of one namespace: as the example in README.md deploys it, or copied into an operator.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/uuid"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/agent-rollout/planner/examples/operator/agents"
	"github.com/agent-rollout/planner/examples/operator/api"
	"github.com/agent-rollout/planner/examples/operator/controller"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "operator:", err)
		os.Exit(1)
	}
}

func run() error {
	var namespace, metricsAddress, probeAddress string
	var elect bool
	flag.StringVar(&namespace, "namespace", os.Getenv("POD_NAMESPACE"), "the namespace of the rollouts and their agents; empty for all")
	flag.StringVar(&metricsAddress, "metrics-bind-address", ":8080", "where metrics are served; 0 for nowhere")
	flag.StringVar(&probeAddress, "health-probe-bind-address", ":8081", "where probes are answered")
	flag.BoolVar(&elect, "leader-elect", true, "wait for the lease, so that one replica acts at a time")
	options := zap.Options{}
	options.BindFlags(flag.CommandLine)
	flag.Parse()
	ctrl.SetLogger(zap.New(zap.UseFlagOptions(&options)))

	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	ctx := ctrl.SetupSignalHandler()
	manager, err := newManager(ctx, config, namespace, ctrl.Options{
		Metrics:                metricsserver.Options{BindAddress: metricsAddress},
		HealthProbeBindAddress: probeAddress,
		LeaderElection:         elect,
		LeaderElectionID:       "node-agent-rollout",
		// The process ends when it has lost the lease: a new one has another ID, and is fenced.
		LeaderElectionReleaseOnCancel: true,
	})
	if err != nil {
		return err
	}
	return manager.Start(ctx)
}

// newManager returns a manager with the reconciler; the options say where it listens and whether it waits for a lease.
func newManager(ctx context.Context, config *rest.Config, namespace string, options ctrl.Options) (ctrl.Manager, error) {
	options.Scheme, options.Cache = runtime.NewScheme(), agents.Caches(namespace)
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, api.AddToScheme} {
		if err := add(options.Scheme); err != nil {
			return nil, err
		}
	}
	manager, err := ctrl.NewManager(config, options)
	if err != nil {
		return nil, err
	}
	view, err := agents.Watch(ctx, manager.GetCache())
	if err != nil {
		return nil, err
	}
	reconciler := &controller.Reconciler{
		Client:  manager.GetClient(),
		Agents:  agents.Connection{View: view, Reader: manager.GetAPIReader(), Writer: manager.GetClient(), Namespace: namespace, Now: time.Now},
		Events:  manager.GetEventRecorder("node-agent-rollout"),
		Metrics: controller.NewMetrics(),
		ID:      string(uuid.NewUUID()),
	}
	if err := metrics.Registry.Register(reconciler.Metrics); err != nil {
		return nil, err
	}
	if err := reconciler.SetupWithManager(manager); err != nil {
		return nil, err
	}
	for _, add := range []func(string, healthz.Checker) error{manager.AddHealthzCheck, manager.AddReadyzCheck} {
		if err := add("ping", healthz.Ping); err != nil {
			return nil, err
		}
	}
	return manager, nil
}
