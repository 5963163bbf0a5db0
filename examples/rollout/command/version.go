package command

import (
	"cmp"
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// build is what the Go tool recorded in the binary. A binary made by go run knows no commit.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Time     string `json:"time,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func newVersion() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version, with the commit that it was built from",
		Long:  "Print the version, the commit that it was built from, and whether that was changed before it was built.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("output", output, "text", "json", "yaml"); err != nil {
				return asUsageError(cmd, err)
			}
			b := versionOf(readBuild())
			if isObject(output) {
				return printObject(cmd.OutOrStdout(), kindVersion, b, output)
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), b)
			return err
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "text", "text, json or yaml")
	return cmd
}

func readBuild() *debug.BuildInfo {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return &debug.BuildInfo{}
	}
	return info
}

func versionOf(info *debug.BuildInfo) build {
	b := build{Version: cmp.Or(info.Main.Version, "(devel)"), Go: info.GoVersion}
	set := map[string]string{}
	for _, s := range info.Settings {
		set[s.Key] = s.Value
	}
	b.Commit, b.Time, b.Modified = set["vcs.revision"], set["vcs.time"], set["vcs.modified"] == "true"
	b.Platform = set["GOOS"] + "/" + set["GOARCH"]
	return b
}

// String is one line.
func (b build) String() string {
	text := b.Version
	if b.Commit != "" {
		text += fmt.Sprintf(", commit %s of %s", b.Commit, b.Time)
	}
	if b.Modified {
		text += ", with changes"
	}
	return fmt.Sprintf("%s, %s %s", text, b.Go, b.Platform)
}
