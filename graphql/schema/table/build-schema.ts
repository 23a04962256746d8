/**
 * Makes graphql-js types from the compact table (schema-table.ts), without parsing SDL or validating the schema again.
 * Each type is made at its first use, because a container's documents use few of them.
 */
import {
  type GraphQLArgumentConfig,
  GraphQLBoolean,
  type GraphQLDirective,
  GraphQLEnumType,
  type GraphQLFieldConfig,
  GraphQLFloat,
  GraphQLID,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  type GraphQLType,
  GraphQLUnionType,
  isInterfaceType,
  isObjectType,
  parseValue,
  specifiedDirectives,
  valueFromAST,
} from 'graphql';
import { idempotentDirective } from './idempotent-directive.ts';
import { createInContextDirective } from './in-context-directive.ts';
import { CUSTOM_SCALARS } from './scalars.ts';
import type {
  ArgumentEntry,
  CompositeEntry,
  FieldEntry,
  SchemaTable,
  TypeEntry,
} from './schema-table-format.ts';

/** The types of a schema, as entries of a table. Each entry is requested once. */
export type TypeSource = {
  readonly names: readonly string[];
  readonly entryOf: (name: string) => TypeEntry | undefined;
};

/** Descriptions by coordinate (`Type`, `Type.field`, `Type.field(argument:)`). */
export type Descriptions = Readonly<Record<string, string>>;

type SchemaBuilder = {
  readonly source: TypeSource;
  /** The types that were made, by reference. */
  readonly typeByReference: Map<string, GraphQLType>;
  /** Default values by type and text: hundreds of arguments share a few defaults. */
  readonly defaultByTypeAndText: Map<string, unknown>;
  readonly descriptions: Descriptions;
};

const BUILT_IN_SCALARS = [GraphQLBoolean, GraphQLFloat, GraphQLID, GraphQLInt, GraphQLString];

/** Returns the type of a reference (`[X!]!`). Each type is made once. */
function resolveType(builder: SchemaBuilder, reference: string): GraphQLType {
  const builtType = builder.typeByReference.get(reference);
  if (builtType !== undefined) return builtType;
  const createdType = createType(builder, reference);
  builder.typeByReference.set(reference, createdType);
  return createdType;
}

function createType(builder: SchemaBuilder, reference: string): GraphQLType {
  if (reference.endsWith('!'))
    return new GraphQLNonNull(resolveType(builder, reference.slice(0, -1)) as never);
  if (reference.endsWith(']')) return new GraphQLList(resolveType(builder, reference.slice(1, -1)));
  const typeEntry = builder.source.entryOf(reference);
  if (typeEntry === undefined) throw new Error(`No type ${reference} in the schema table.`);
  return toType(builder, reference, typeEntry);
}

function parseDefault(builder: SchemaBuilder, reference: string, text: string): unknown {
  const key = `${reference}=${text}`;
  if (!builder.defaultByTypeAndText.has(key)) {
    const type = resolveType(builder, reference) as GraphQLInputType;
    builder.defaultByTypeAndText.set(key, valueFromAST(parseValue(text), type));
  }
  return builder.defaultByTypeAndText.get(key);
}

function toArgument(builder: SchemaBuilder, coordinate: string, entry: ArgumentEntry): GraphQLArgumentConfig {
  const [typeReference, , defaultValue, deprecationReason] = entry;
  const inputType = resolveType(builder, typeReference) as GraphQLInputType;
  return {
    type: inputType,
    description: builder.descriptions[coordinate],
    deprecationReason: deprecationReason || undefined,
    ...(defaultValue ? { defaultValue: parseDefault(builder, typeReference, defaultValue) } : {}),
  };
}

function toField(
  builder: SchemaBuilder,
  coordinate: string,
  entry: FieldEntry,
): GraphQLFieldConfig<unknown, unknown> {
  const [typeReference, , args, deprecationReason] = entry;
  const toConfig = ([name, argument]: [string, ArgumentEntry]) => [
    name,
    toArgument(builder, `${coordinate}(${name}:)`, argument),
  ];
  return {
    type: resolveType(builder, typeReference) as GraphQLObjectType,
    description: builder.descriptions[coordinate],
    deprecationReason: deprecationReason || undefined,
    ...(args ? { args: Object.fromEntries(Object.entries(args).map(toConfig)) } : {}),
  };
}

function toCompositeType(builder: SchemaBuilder, name: string, entry: CompositeEntry): GraphQLNamedType {
  const typeConfig = {
    name,
    description: builder.descriptions[name],
    interfaces: () =>
      (entry.interfaces ?? []).map((each) => resolveType(builder, each) as GraphQLInterfaceType),
    fields: () =>
      Object.fromEntries(
        Object.entries(entry.fields).map(([field, each]) => [
          field,
          toField(builder, `${name}.${field}`, each),
        ]),
      ),
  };
  return entry.kind === 'OBJECT' ? new GraphQLObjectType(typeConfig) : new GraphQLInterfaceType(typeConfig);
}

function toType(builder: SchemaBuilder, name: string, entry: TypeEntry): GraphQLNamedType {
  const typeDescription = builder.descriptions[name];
  switch (entry.kind) {
    case 'OBJECT':
    case 'INTERFACE':
      return toCompositeType(builder, name, entry);
    case 'INPUT': {
      const toConfig = ([field, each]: [string, ArgumentEntry]) => [
        field,
        toArgument(builder, `${name}.${field}`, each),
      ];
      const createInputFields = () => Object.fromEntries(Object.entries(entry.inputFields).map(toConfig));
      return new GraphQLInputObjectType({
        name,
        description: typeDescription,
        fields: createInputFields,
        isOneOf: entry.oneOf ?? false,
      });
    }
    case 'UNION':
      return new GraphQLUnionType({
        name,
        description: typeDescription,
        types: () => entry.members.map((each) => resolveType(builder, each) as GraphQLObjectType),
      });
    case 'ENUM': {
      const toValue = ([value, deprecation]: [string, string | 0]) => [
        value,
        {
          description: builder.descriptions[`${name}.${value}`],
          deprecationReason: deprecation || undefined,
        },
      ];
      const enumType = new GraphQLEnumType({
        name,
        description: typeDescription,
        values: Object.fromEntries(Object.entries(entry.values).map(toValue)),
      });
      // An enum value that is new at the platform is not an error: values of responses are not changed.
      return Object.assign(enumType, { serialize: (value: unknown) => value });
    }
    case 'SCALAR': {
      const scalar = CUSTOM_SCALARS[name];
      if (scalar === undefined) throw new Error(`No coercion is written for the scalar ${name}.`);
      return typeDescription === undefined
        ? scalar
        : new GraphQLScalarType({ ...scalar.toConfig(), description: typeDescription });
    }
  }
}

/** Returns all types of a table. */
export function createSourceOfAllTypes(table: SchemaTable): TypeSource {
  return {
    names: Object.keys(table),
    entryOf: (name) => (Object.hasOwn(table, name) ? table[name] : undefined),
  };
}

/** Builds the schema of `source`, assumed to be valid: the generator has validated the SDL of the table. */
export function buildSchemaFromSource(source: TypeSource, descriptions: Descriptions = {}): GraphQLSchema {
  const builtInTypeByName = new Map<string, GraphQLType>(BUILT_IN_SCALARS.map((type) => [type.name, type]));
  const schemaBuilder: SchemaBuilder = {
    source,
    typeByReference: builtInTypeByName,
    defaultByTypeAndText: new Map(),
    descriptions,
  };
  const schema = new GraphQLSchema({
    assumeValid: true,
    directives: [...specifiedDirectives, idempotentDirective, ...createContextDirectives(schemaBuilder)],
  });
  // So far the map has the types of introspection and of the arguments of GraphQL's own directives. All other types are
  // built when they are first read.
  const typeMap = schema.getTypeMap();
  for (const name of [...source.names, ...BUILT_IN_SCALARS.map(({ name }) => name)]) {
    const get = () => resolveType(schemaBuilder, name) as GraphQLNamedType;
    Object.defineProperty(typeMap, name, { get, enumerable: true, configurable: true });
  }
  const implementationsByInterface = new Map<string, Implementations>();
  return Object.assign(schema, {
    getQueryType: () => typeMap.QueryRoot as GraphQLObjectType,
    getMutationType: () => typeMap.Mutation as GraphQLObjectType,
    getImplementations({ name }: GraphQLInterfaceType) {
      const implementingTypes =
        implementationsByInterface.get(name) ?? findImplementations(schemaBuilder, name);
      implementationsByInterface.set(name, implementingTypes);
      return implementingTypes;
    },
  });
}

/** Returns the directive, or nothing for a test's table without languages. */
function createContextDirectives(builder: SchemaBuilder): GraphQLDirective[] {
  if (!builder.source.names.includes('LanguageCode')) return [];
  return [createInContextDirective(resolveType(builder, 'LanguageCode') as GraphQLEnumType)];
}

type Implementations = ReturnType<GraphQLSchema['getImplementations']>;

function findImplementations(builder: SchemaBuilder, name: string): Implementations {
  const { names, entryOf } = builder.source;
  const implementingTypes = names
    .filter((each) => {
      const typeEntry = entryOf(each);
      return typeEntry !== undefined && 'interfaces' in typeEntry && typeEntry.interfaces?.includes(name);
    })
    .map((each) => resolveType(builder, each));
  return {
    objects: implementingTypes.filter(isObjectType),
    interfaces: implementingTypes.filter(isInterfaceType),
  };
}
