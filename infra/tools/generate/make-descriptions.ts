/** The descriptions of the SDL by coordinate, apart from the table: only introspection and printed SDL need them. */
import {
  type GraphQLArgument,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
} from 'graphql';
import type { Descriptions } from '../../../graphql/schema/table/build-schema.ts';
import { ARGUMENT_DESCRIPTIONS } from './argument-descriptions.ts';

type Described = { readonly name: string; readonly description?: string | null | undefined };

function* ofArguments(coordinate: string, args: readonly GraphQLArgument[], isDescribed: boolean) {
  for (const { name, description } of args) {
    const text = description ?? (isDescribed ? ARGUMENT_DESCRIPTIONS[name] : undefined);
    yield [`${coordinate}(${name}:)`, text] as const;
  }
}

function* ofAll(schema: GraphQLSchema): Generator<readonly [string, string | null | undefined]> {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type)) continue;
    yield [type.name, type.description];
    if (isEnumType(type) || isInputObjectType(type)) {
      const parts: readonly Described[] = isEnumType(type)
        ? type.getValues()
        : Object.values(type.getFields());
      for (const part of parts) yield [`${type.name}.${part.name}`, part.description];
    }
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const coordinate = `${type.name}.${field.name}`;
      yield [coordinate, field.description];
      yield* ofArguments(coordinate, field.args, Boolean(field.description));
    }
  }
}

/** Coordinate → description, in the order of the schema; what has none is left out. */
export function makeDescriptions(schema: GraphQLSchema): Descriptions {
  return Object.fromEntries([...ofAll(schema)].filter((each): each is [string, string] => Boolean(each[1])));
}
