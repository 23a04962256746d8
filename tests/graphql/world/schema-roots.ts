/** A small document for each root of a schema, with ids in all its arguments, so that tests cover all of them. */
import {
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import { getSchema, type Surface } from '../../../graphql/schema/schema.ts';
import { argumentIds, inputFieldIds } from './id-policies.ts';

export type SchemaRoot = { readonly name: string; readonly query: string };

type Operation = 'query' | 'mutation';

/** The roots of a surface, by name. */
export function schemaRoots(surface: Surface, operation: Operation): SchemaRoot[] {
  const schema = getSchema(surface);
  const type = operation === 'query' ? schema.getQueryType() : schema.getMutationType();
  return Object.values(type?.getFields() ?? {}).map((field) => ({
    name: field.name,
    query: `${operation} { ${textOf(type?.name ?? '', field)} }`,
  }));
}

function textOf(typeName: string, field: GraphQLField<unknown, unknown>): string {
  const args = field.args.flatMap((argument) => {
    const types = argumentIds(typeName, field.name, argument.name)?.types;
    const isRequested = isRequiredArgument(argument) || types !== undefined || argument.name === 'first';
    return isRequested ? [`${argument.name}: ${inputText(argument.type, types)}`] : [];
  });
  const below = isCompositeType(getNamedType(field.type)) ? ' { __typename }' : '';
  return `${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''}${below}`;
}

function inputText(type: GraphQLInputType, types: readonly string[] | undefined): string {
  if (isNonNullType(type)) return inputText(type.ofType, types);
  if (isListType(type)) return `[${inputText(type.ofType, types)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? '';
  if (isInputObjectType(type)) {
    const all = Object.values(type.getFields());
    const fields = type.isOneOf ? all.slice(0, 1) : all.filter(isRequiredInputField);
    const texts = fields.map((one) => {
      return `${one.name}: ${inputText(one.type, inputFieldIds(type.name, one.name)?.types)}`;
    });
    return `{ ${texts.join(', ')} }`;
  }
  return SCALARS[type.name] ?? (type.name === 'ID' ? idOf(types) : '"x"');
}

function idOf(types: readonly string[] | undefined): string {
  const type = types?.[0] ?? 'SubscriptionContract';
  return `"gid://platform/${type}/${type === 'Customer' ? '7001001' : '9101001'}"`;
}

const SCALARS: Readonly<Record<string, string>> = {
  Boolean: 'true',
  Date: '"2026-11-25"',
  DateTime: '"2026-11-25T12:00:00Z"',
  Decimal: '"1.00"',
  Float: '1',
  Int: '1',
  URL: '"https://shop.example/"',
};
