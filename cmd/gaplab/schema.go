package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
)

func newSchema(sys system) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of experiments, for editors",
		Long: `Print the JSON Schema (draft 2020-12) of the YAML files of experiments. Editors
complete and check a file with it if the first line of the file is:

  # yaml-language-server: $schema=schema.json`,
		Example: "  gaplab schema > schema.json",
		Args:    between(0, 0),
		RunE: func(*cobra.Command, []string) error {
			text, err := lang.Schema(harness.Catalogue())
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(sys.out, "%s", text)
			return err
		},
	}
}
