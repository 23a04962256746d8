/**
 * graphql-js types are made of the compact table (schema-table.ts): no SDL is parsed, and nothing is validated again.
 */
import {
  type GraphQLArgumentConfig,
  GraphQLBoolean,
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
  parseValue,
  valueFromAST,
} from 'graphql';
import { scalars } from './scalars.ts';
import type {
  ArgumentEntry,
  CompositeEntry,
  FieldEntry,
  SchemaTable,
  TypeEntry,
} from './schema-table-format.ts';

/** Coordinate (`Type`, `Type.field`, `Type.field(argument:)`) → text for people. */
export type Descriptions = Readonly<Record<string, string>>;

type Builder = {
  readonly types: Map<string, GraphQLType>;
  /** Default values by type and text: the same few defaults stand on hundreds of arguments. */
  readonly defaults: Map<string, unknown>;
  readonly descriptions: Descriptions;
};

const BUILT_IN = [GraphQLBoolean, GraphQLFloat, GraphQLID, GraphQLInt, GraphQLString];

/** The type that `reference` (`[X!]!`) stands for; wrapped types are made once. */
function resolve(builder: Builder, reference: string): GraphQLType {
  const known = builder.types.get(reference);
  if (known !== undefined) return known;
  const inner = reference.endsWith('!') ? reference.slice(0, -1) : reference.slice(1, -1);
  if (inner.length === 0 || inner === reference) throw new Error(`No type ${reference} in the schema table.`);
  const of = resolve(builder, inner);
  const wrapped = reference.endsWith('!') ? new GraphQLNonNull(of as never) : new GraphQLList(of);
  builder.types.set(reference, wrapped);
  return wrapped;
}

function defaultOf(builder: Builder, reference: string, text: string): unknown {
  const key = `${reference}=${text}`;
  if (!builder.defaults.has(key)) {
    const type = resolve(builder, reference) as GraphQLInputType;
    builder.defaults.set(key, valueFromAST(parseValue(text), type));
  }
  return builder.defaults.get(key);
}

function toArgument(builder: Builder, coordinate: string, entry: ArgumentEntry): GraphQLArgumentConfig {
  const [reference, , defaultValue, deprecation] = entry;
  const type = resolve(builder, reference) as GraphQLInputType;
  return {
    type,
    description: builder.descriptions[coordinate],
    deprecationReason: deprecation || undefined,
    ...(defaultValue ? { defaultValue: defaultOf(builder, reference, defaultValue) } : {}),
  };
}

function toField(
  builder: Builder,
  coordinate: string,
  entry: FieldEntry,
): GraphQLFieldConfig<unknown, unknown> {
  const [reference, , args, deprecation] = entry;
  const toConfig = ([name, argument]: [string, ArgumentEntry]) => [
    name,
    toArgument(builder, `${coordinate}(${name}:)`, argument),
  ];
  return {
    type: resolve(builder, reference) as GraphQLObjectType,
    description: builder.descriptions[coordinate],
    deprecationReason: deprecation || undefined,
    ...(args ? { args: Object.fromEntries(Object.entries(args).map(toConfig)) } : {}),
  };
}

function toComposite(builder: Builder, name: string, entry: CompositeEntry): GraphQLNamedType {
  const config = {
    name,
    description: builder.descriptions[name],
    interfaces: () => (entry.interfaces ?? []).map((each) => resolve(builder, each) as GraphQLInterfaceType),
    fields: () =>
      Object.fromEntries(
        Object.entries(entry.fields).map(([field, each]) => [
          field,
          toField(builder, `${name}.${field}`, each),
        ]),
      ),
  };
  return entry.kind === 'OBJECT' ? new GraphQLObjectType(config) : new GraphQLInterfaceType(config);
}

function toType(builder: Builder, name: string, entry: TypeEntry): GraphQLNamedType {
  const description = builder.descriptions[name];
  switch (entry.kind) {
    case 'OBJECT':
    case 'INTERFACE':
      return toComposite(builder, name, entry);
    case 'INPUT': {
      const toConfig = ([field, each]: [string, ArgumentEntry]) => [
        field,
        toArgument(builder, `${name}.${field}`, each),
      ];
      const fields = () => Object.fromEntries(Object.entries(entry.inputFields).map(toConfig));
      return new GraphQLInputObjectType({ name, description, fields, isOneOf: entry.oneOf ?? false });
    }
    case 'UNION':
      return new GraphQLUnionType({
        name,
        description,
        types: () => entry.members.map((each) => resolve(builder, each) as GraphQLObjectType),
      });
    case 'ENUM': {
      const toValue = ([value, deprecation]: [string, string | 0]) => [
        value,
        {
          description: builder.descriptions[`${name}.${value}`],
          deprecationReason: deprecation || undefined,
        },
      ];
      const type = new GraphQLEnumType({
        name,
        description,
        values: Object.fromEntries(Object.entries(entry.values).map(toValue)),
      });
      // A new value of the platform's is no error: answers are passed on as they come.
      return Object.assign(type, { serialize: (value: unknown) => value });
    }
    case 'SCALAR': {
      const scalar = scalars[name];
      if (scalar === undefined) throw new Error(`No coercion is written for the scalar ${name}.`);
      return description === undefined
        ? scalar
        : new GraphQLScalarType({ ...scalar.toConfig(), description });
    }
  }
}

/** The schema of `table`, assumed valid: the generator has validated the SDL that the table is made of. */
export function buildSchemaOf(table: SchemaTable, descriptions: Descriptions = {}): GraphQLSchema {
  const builtIn = new Map<string, GraphQLType>(BUILT_IN.map((type) => [type.name, type]));
  const builder: Builder = { types: builtIn, defaults: new Map(), descriptions };
  const named = Object.entries(table).map(([name, entry]) => toType(builder, name, entry));
  for (const type of named) builder.types.set(type.name, type);
  return new GraphQLSchema({
    query: builder.types.get('QueryRoot') as GraphQLObjectType,
    mutation: builder.types.get('Mutation') as GraphQLObjectType,
    types: named,
    assumeValid: true,
  });
}
