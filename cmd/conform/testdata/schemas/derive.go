//go:build ignore

// Derive writes the JSON Schema of a Kubernetes Job from the OpenAPI document that
// Kubernetes publishes, without descriptions and defaults, and with fields refused that it
// does not have:
//
//	dir=$(go mod download -json k8s.io/kubernetes@v1.34.2 | jq -r .Dir)
//	go run derive.go < "$dir/api/openapi-spec/v3/apis__batch__v1_openapi.json" > job.json
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

const (
	root   = "io.k8s.api.batch.v1.Job"
	prefix = "#/components/schemas/"
)

type object = map[string]any

func main() {
	var document struct {
		Components struct{ Schemas object }
	}
	if err := json.NewDecoder(os.Stdin).Decode(&document); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	definitions := object{}
	for todo := []string{root}; len(todo) > 0; {
		name := todo[0]
		todo = todo[1:]
		if definitions[name] == nil {
			definitions[name] = schema(document.Components.Schemas[name].(object), &todo)
		}
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", " ")
	encoder.Encode(object{
		"$schema":    "https://json-schema.org/draft/2020-12/schema",
		"$comment":   "Derived by derive.go from api/openapi-spec/v3/apis__batch__v1_openapi.json of Kubernetes 1.34.2 (Apache License 2.0).",
		"$ref":       "#/$defs/" + root,
		"required":   []string{"apiVersion", "kind", "metadata", "spec"},
		"properties": object{"apiVersion": object{"const": "batch/v1"}, "kind": object{"const": "Job"}},
		"$defs":      definitions,
	})
}

// schema is one of OpenAPI as JSON Schema; the names that it refers to are still to be
// done.
func schema(from object, todo *[]string) object {
	to := object{}
	for key, value := range from {
		switch key {
		case "type", "required", "enum":
			to[key] = value
		case "format":
			to[key] = value
		case "$ref":
			name := strings.TrimPrefix(value.(string), prefix)
			*todo = append(*todo, name)
			to[key] = "#/$defs/" + name
		case "items", "additionalProperties":
			to[key] = schema(value.(object), todo)
		case "properties":
			properties := object{}
			for name, p := range value.(object) {
				properties[name] = schema(p.(object), todo)
			}
			to[key] = properties
			to["additionalProperties"] = false
		case "allOf", "oneOf":
			var list []any
			for _, s := range value.([]any) {
				list = append(list, schema(s.(object), todo))
			}
			to[key] = list
		case "description", "default", "x-kubernetes-group-version-kind", "x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-map-type", "x-kubernetes-patch-strategy", "x-kubernetes-patch-merge-key", "x-kubernetes-unions":
		default:
			fmt.Fprintf(os.Stderr, "%s is no part of a schema that is known here\n", key)
			os.Exit(1)
		}
	}
	return to
}
