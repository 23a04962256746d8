/**
 * The descriptions of the SDL by coordinate. They are separate from the table, because only introspection and printed
 * SDL need them.
 */
import {
  type GraphQLArgument,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
} from 'graphql';
import type { Descriptions } from '../../graphql/schema/table/build-schema.ts';

/** The default descriptions of arguments that many fields have. A field's own description takes precedence. */
const ARGUMENT_DESCRIPTIONS: Readonly<Record<string, string>> = {
  after: 'Only items after this cursor.',
  before: 'Only items before this cursor.',
  first: 'The first n items, at most 250.',
  last: 'The last n items, at most 250.',
  reverse: 'Reverses the list.',
  sortKey: 'The field to sort the list by.',
  query: 'A search query. Each list has its own search fields.',
  savedSearchId: 'The ID of a saved search, in place of `query`.',
  actor: 'The actor of the change. Overwritten when the request acts for a customer.',
  showRevoked: 'Whether to include revoked payment methods.',
  crop: 'The part of the image to keep.',
  maxHeight: 'The maximum height in pixels, from 1 to 5760.',
  maxWidth: 'The maximum width in pixels, from 1 to 5760.',
  preferredContentType: 'The preferred format, used when possible.',
  scale: 'The factor to multiply the size by, from 1 to 3.',
  transform: 'The size and crop of the image.',
  withCodeDiscounts: 'Whether to subtract discounts by code.',
  withCompany: 'Whether to include the company.',
  withName: 'Whether to include the name.',
  truncateAt: 'The maximum number of characters.',
};

type DescribedElement = { readonly name: string; readonly description?: string | null | undefined };

function* describeArguments(coordinate: string, args: readonly GraphQLArgument[], isDescribed: boolean) {
  for (const { name, description } of args) {
    const text = description ?? (isDescribed ? ARGUMENT_DESCRIPTIONS[name] : undefined);
    yield [`${coordinate}(${name}:)`, text] as const;
  }
}

function* describeAllMembers(schema: GraphQLSchema): Generator<readonly [string, string | null | undefined]> {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type)) continue;
    yield [type.name, type.description];
    if (isEnumType(type) || isInputObjectType(type)) {
      const describedMembers: readonly DescribedElement[] = isEnumType(type)
        ? type.getValues()
        : Object.values(type.getFields());
      for (const member of describedMembers) yield [`${type.name}.${member.name}`, member.description];
    }
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const coordinate = `${type.name}.${field.name}`;
      yield [coordinate, field.description];
      yield* describeArguments(coordinate, field.args, Boolean(field.description));
    }
  }
}

/** Returns descriptions by coordinate, in the order of the schema, without members that have none. */
export function collectDescriptions(schema: GraphQLSchema): Descriptions {
  return Object.fromEntries(
    [...describeAllMembers(schema)].filter((each): each is [string, string] => Boolean(each[1])),
  );
}
