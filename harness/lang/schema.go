package lang

import (
	"maps"

	invopop "github.com/invopop/jsonschema"

	"github.com/gaplab/gaplab/harness/lang/schema"
)

// Schema returns the JSON Schema (draft 2020-12) of the language, with the names and settings of a catalogue. Editors
// use it to complete and check specs. Parse uses the same schemas of items and settings. Parse also checks rules
// between keys, which a schema cannot express.
func Schema(c Catalogue) ([]byte, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	return schema.Layout(schema.Share(c.wholeSchema())), nil
}

// wholeSchema returns the schema of an experiment with all its scales and all entries of the catalogue.
func (c Catalogue) wholeSchema() schema.Object {
	root := c.experimentSchema(true)
	root["$schema"] = invopop.Version
	root["title"] = "gaplab experiment"
	definitions := schema.Object{}
	for _, kind := range EntryKinds() {
		for _, e := range kind.entries(c) {
			def := c.entrySchema(kind, e)
			if kind == SolverKind { // leave the language's own keys to the schema of the experiment, which describes them once
				for key := range c.solverProperties(true) {
					def["properties"].(schema.Object)[key] = true
				}
			}
			definitions[kind.definition(e)] = def
		}
	}
	root["$defs"] = definitions
	root["properties"].(schema.Object)["scales"] = scalesSchema(root)
	return root
}

// experimentSchema returns the schema of an experiment at one scale. If settings is false, it accepts any settings of
// data sets, models and solvers. Otherwise, each item accepts only the settings of the entry that it names.
func (c Catalogue) experimentSchema(settings bool) schema.Object {
	root := c.structSchema(Spec{})
	properties := root["properties"].(schema.Object)
	maps.Copy(properties, c.structSchema(Problem{})["properties"].(schema.Object))
	properties["dataset"] = c.itemSchema(DatasetKind, settings)
	properties["model"] = c.itemSchema(ModelKind, settings)
	properties["solvers"] = schema.Object{
		"type": "array", "minItems": 1, "description": "the algorithms; one may have several variants",
		"items": c.itemSchema(SolverKind, settings),
	}
	// An experiment must have something to run, unless its kind is theorem: then it may only name the Go tests of a
	// theorem.
	root["if"] = schema.Object{"required": []any{"kind"},
		"properties": schema.Object{"kind": schema.Object{"const": "theorem"}}}
	root["else"] = schema.Object{"if": schema.Object{"required": []any{problemsKey}},
		"else": schema.Object{"required": []any{"dataset", "model", "solvers"}}}
	root["then"] = schema.Object{"if": schema.Object{"required": []any{problemsKey}},
		"else": schema.Object{"dependentRequired": schema.Object{"solvers": []any{"dataset", "model"}}}}
	properties[problemsKey] = schema.Object{
		"type": "object", "minProperties": 1,
		"additionalProperties": schema.Object{"type": "object",
			"propertyNames": schema.Object{"enum": schema.Texts(problemKeys())}},
		"description": "several learning problems: each is the experiment with the problem's own keys overlaid; the " +
			"label problem tells their runs apart",
	}
	return root
}

// scalesSchema returns, for editors, the schema of the key "scales". Each scale accepts the keys of the experiment, but
// requires none of them, and also accepts null as the value of each key.
func scalesSchema(root schema.Object) schema.Object {
	definitions := root["$defs"].(schema.Object)
	overlay := schema.Partial(root, definitions)
	for _, key := range []string{"$schema", "$defs", "title", "if", "then", "else"} {
		delete(overlay, key)
	}
	properties := overlay["properties"].(schema.Object)
	for _, key := range fixedKeys() {
		delete(properties, key)
	}
	definitions["overlay"] = overlay
	scales := schema.Object{}
	for _, name := range scaleNames() {
		scales[name] = schema.Object{"if": schema.Object{"type": "null"}, "else": schema.Object{"$ref": "#/$defs/overlay"}}
	}
	return schema.Object{
		"type": "object", "properties": scales, "additionalProperties": false,
		"description": "the same experiment at other sizes: keys that are not given stay the same; null removes a key",
	}
}
