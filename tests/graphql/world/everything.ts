/** Documents that select everything reachable from a root field to a depth, split where one would pass a limit. */
import {
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import { findFieldPolicy, isServiceType } from '../../../graphql/schema/field-policy.ts';
import { argumentIds, inputFieldIds } from './id-policies.ts';

type AnyField = GraphQLField<unknown, unknown>;

/** A field or a fragment's condition as it is written, and the type that a field returns. */
type Step = { readonly text: string; readonly returns?: string; readonly isOwn?: boolean };

const TYPENAME: Step = { text: '__typename', returns: 'String!' };

/** From the root field down to one leaf. */
export type LeafPath = readonly Step[];

export type Everything = {
  readonly schema: GraphQLSchema;
  /** Fields inside fields, the root's own included. */
  readonly depth: number;
  /** The customer whose ids are used. */
  readonly customer: number;
  /** Whether the service's own fields are included. */
  readonly withOwn?: boolean;
};

/** Whether a field is answered by this service, so that the platform's data says nothing about it. */
export function isOwnField(type: GraphQLCompositeType, field: AnyField): boolean {
  const policy = findFieldPolicy(type.name, field.name);
  return policy?.isService === true || isServiceType(getNamedType(field.type).name);
}

/** Every leaf below a root field, by default of those that the platform answers. */
export function leavesOf(
  every: Everything,
  { type, field }: { type: GraphQLCompositeType; field: AnyField },
): LeafPath[] {
  return below(every, { type, field }, every.depth);
}

type Place = { readonly type: GraphQLCompositeType; readonly field: AnyField };

function below(every: Everything, { type, field }: Place, depth: number): LeafPath[] {
  const step = {
    text: `${field.name}${argumentsOf(every, type, field)}`,
    returns: String(field.type),
    isOwn: isOwnField(type, field),
  };
  const named = getNamedType(field.type);
  if (!isCompositeType(named)) return [[step]];
  if (depth <= 1) return [];
  return insideOf(every, named, depth - 1).map((path) => [step, ...path]);
}

function insideOf(every: Everything, type: GraphQLCompositeType, depth: number): LeafPath[] {
  if (!isAbstractType(type)) return fieldsOf(every, type, depth);
  const types = every.schema
    .getPossibleTypes(type)
    .filter(({ name }) => every.withOwn === true || !isServiceType(name));
  const paths = types.flatMap((one) =>
    fieldsOf(every, one, depth).map((path) => [
      { text: `... on ${one.name}`, isOwn: isServiceType(one.name) },
      ...path,
    ]),
  );
  return [[TYPENAME], ...paths];
}

function fieldsOf(every: Everything, type: GraphQLCompositeType, depth: number): LeafPath[] {
  if (!isObjectType(type)) return [[TYPENAME]];
  return Object.values(type.getFields())
    .filter((field) => every.withOwn === true || !isOwnField(type, field))
    .filter((field) => getNamedType(field.type).name !== 'Job')
    .flatMap((field) => below(every, { type, field }, depth));
}

/** Returns the minimal arguments of a field. */
function argumentsOf(every: Everything, type: GraphQLCompositeType, field: AnyField): string {
  const args = field.args.flatMap((argument) => {
    const isPage = argument.name === 'first';
    const isOwned = argumentIds(type.name, field.name, argument.name) !== undefined;
    const isRootId = isOwned && every.schema.getQueryType() === type;
    if (!isPage && !isRootId && !isRequiredArgument(argument)) return [];
    const types = argumentIds(type.name, field.name, argument.name)?.types;
    return [`${argument.name}: ${inputText(every, argument.type, { types, isPage })}`];
  });
  return args.length === 0 ? '' : `(${args.join(', ')})`;
}

type InputTarget = { readonly types?: readonly string[] | undefined; readonly isPage?: boolean };

function inputText(every: Everything, type: GraphQLInputType, target: InputTarget): string {
  if (isNonNullType(type)) return inputText(every, type.ofType, target);
  if (isListType(type)) return `[${inputText(every, type.ofType, target)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? '';
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter(
      (field, index) => isRequiredInputField(field) || (type.isOneOf && index === 0),
    );
    const values = fields.map((field) => {
      const types = inputFieldIds(type.name, field.name)?.types;
      return `${field.name}: ${inputText(every, field.type, { types })}`;
    });
    return `{ ${values.join(', ')} }`;
  }
  return scalarOf(every, type.name, target);
}

function scalarOf({ customer }: Everything, name: string, { types, isPage = false }: InputTarget): string {
  switch (name) {
    case 'ID': {
      const type = types?.[0] ?? 'Product';
      return `"gid://platform/${type}/${type === 'Customer' ? customer : 11}"`;
    }
    case 'Int':
      return isPage ? '2' : '1';
    case 'Float':
    case 'Boolean':
      return name === 'Float' ? '1.5' : 'true';
    case 'Date':
      return '"2026-11-21"';
    case 'DateTime':
      return '"2026-11-21T12:00:00Z"';
    case 'Decimal':
    case 'Money':
      return '"1.50"';
    case 'URL':
      return '"https://harbor-coffee.example/"';
    case 'UnsignedInt64':
      return '"1"';
    default:
      return '"word"';
  }
}

export type Operation = 'query' | 'mutation';

/** Documents of all leaves, each with `size` at most, and without two meanings of one response key. */
export function documentsOf(operation: Operation, leaves: readonly LeafPath[], size: number): string[] {
  const documents: LeafPath[][] = [[]];
  let meanings = new Map<string, string>();
  for (const leaf of leaves) {
    const places = placesOf(leaf);
    const isTaken = places.some(([place, meaning]) => (meanings.get(place) ?? meaning) !== meaning);
    if (isTaken || (documents.at(-1)?.length ?? 0) >= size) {
      documents.push([]);
      meanings = new Map();
    }
    documents.at(-1)?.push(leaf);
    for (const [place, meaning] of places) meanings.set(place, meaning);
  }
  return documents.map((paths) => `${operation} ${write(paths)}`);
}

/** Returns each path of the leaf's response keys, with the field that it selects. */
function placesOf(leaf: LeafPath): (readonly [place: string, meaning: string])[] {
  const places: (readonly [string, string])[] = [];
  let place = '';
  for (const { text, returns } of leaf) {
    if (returns === undefined) continue;
    place = `${place}.${text.replace(/\(.*/, '')}`;
    places.push([place, `${text}: ${returns}`]);
  }
  return places;
}

/** Writes the common fields of the leaves once. */
function write(paths: readonly LeafPath[]): string {
  const groups = new Map<string, LeafPath[]>();
  for (const [first = TYPENAME, ...rest] of paths) {
    const group = groups.get(first.text) ?? [];
    if (rest.length > 0) group.push(rest);
    groups.set(first.text, group);
  }
  const parts = [...groups].map(([text, rest]) => (rest.length === 0 ? text : `${text} ${write(rest)}`));
  return `{ ${parts.join(' ')} }`;
}
