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
  after: 'Only what comes after this cursor.',
  before: 'Only what comes before this cursor.',
  first: 'How many from the start: at most 250.',
  last: 'How many from the end: at most 250.',
  reverse: 'Turns the order round.',
  sortKey: 'What the list is ordered by.',
  query: 'A search in the syntax of this list.',
  savedSearchId: 'A saved search, instead of a query.',
  actor: 'In whose name the change is made. Overwritten while a customer is acting.',
  showRevoked: 'Also payment methods that were revoked.',
  crop: 'Which part of the image is kept.',
  maxHeight: 'At most this many pixels high, 1 to 5760.',
  maxWidth: 'At most this many pixels wide, 1 to 5760.',
  preferredContentType: 'The format, if it can be made.',
  scale: 'Multiplies the size, 1 to 3.',
  transform: 'How the image is resized and cropped.',
  withCodeDiscounts: 'Whether discounts by code are taken off too.',
  withCompany: 'Whether the company is in it.',
  withName: 'Whether the name is in it.',
  truncateAt: 'At most this many characters.',
};

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

/** Returns descriptions by coordinate, in the order of the schema, without members that have none. */
export function makeDescriptions(schema: GraphQLSchema): Descriptions {
  return Object.fromEntries([...ofAll(schema)].filter((each): each is [string, string] => Boolean(each[1])));
}
