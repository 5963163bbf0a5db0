package crd

import (
	"cmp"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// source is what the source says of the types of this module and of the planner, by their names: model and api share none.
type source struct {
	docs   map[string]string // of a type, and of Type.Field
	values map[string][]apiextensionsv1.JSON
}

// folders are those of the types, below the module's root.
var folders = []string{"api", "../../model"}

func readSource(root string) (*source, error) {
	s := &source{docs: map[string]string{}, values: map[string][]apiextensionsv1.JSON{}}
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
		if err != nil {
			return nil, err
		}
		for _, name := range files {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
			if err != nil {
				return nil, err
			}
			s.readFile(file)
		}
	}
	return s, nil
}

func (s *source) readFile(file *ast.File) {
	for _, decl := range file.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range group.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				s.readType(group, spec)
			case *ast.ValueSpec:
				s.readConstant(group, spec)
			}
		}
	}
}

func (s *source) readType(group *ast.GenDecl, spec *ast.TypeSpec) {
	s.docs[spec.Name.Name] = sentence(spec.Doc.Text() + group.Doc.Text())
	fields, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	said := ""
	for _, field := range fields.Fields.List {
		if field.Doc != nil {
			said = sentence(field.Doc.Text())
		}
		for _, name := range field.Names {
			// A comment that names the fields below its own holds for them too.
			if field.Doc != nil || slices.Contains(strings.FieldsFunc(said, notLetter), name.Name) {
				s.docs[spec.Name.Name+"."+name.Name] = said
			}
		}
	}
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

// readConstant takes the strings that are declared with their type; an empty one stands for a field that is left out.
func (s *source) readConstant(group *ast.GenDecl, spec *ast.ValueSpec) {
	kind, typed := spec.Type.(*ast.Ident)
	if group.Tok != token.CONST || !typed {
		return
	}
	for _, value := range spec.Values {
		literal, ok := value.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			continue
		}
		if text, err := strconv.Unquote(literal.Value); err == nil && text != "" {
			quoted, _ := json.Marshal(text)
			s.values[kind.Name] = append(s.values[kind.Name], apiextensionsv1.JSON{Raw: quoted})
		}
	}
}

// sentence is a comment on one line.
func sentence(comment string) string { return strings.Join(strings.Fields(comment), " ") }

// describe is the doc comment of a field, or of its type, or of the type that it is a field of. Types of Kubernetes bring their own.
func (s *source) describe(owner reflect.Type, field *reflect.StructField, name string) string {
	if documented, ok := reflect.New(owner).Interface().(interface{ SwaggerDoc() map[string]string }); ok {
		if doc := documented.SwaggerDoc()[name]; doc != "" {
			return sentence(doc)
		}
	}
	return cmp.Or(s.docs[owner.Name()+"."+field.Name], s.docs[plain(field.Type).Name()], s.docs[owner.Name()])
}

// plain is what a pointer, or a list, is of.
func plain(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t
}
