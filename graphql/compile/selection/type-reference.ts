/**
 * Reads the schema table: its type references (`[Order!]!`), and the fields, arguments and types that they name.
 */
import {
  type GraphQLInputType,
  isInputType,
  Kind,
  type NamedTypeNode,
  parseType,
  typeFromAST,
  type ValueNode,
  valueFromAST,
} from 'graphql';
import type { Variables } from '../../plan/client-document.ts';
import { schemaTable } from '../../schema/generated/schema-table.ts';
import { getAdminSchema } from '../../schema/schema.ts';
import type { ArgumentEntry } from '../../schema/table/schema-table-format.ts';

/** Returns the name in a reference: `[Order!]!` → `Order`. */
export function unwrapTypeReference(reference: string): string {
  return reference.replaceAll(/[[\]!]/g, '');
}

export function isNonNullReference(reference: string): boolean {
  return reference.endsWith('!');
}

/** Returns the reference without its outer `!`: `Order!` → `Order`, `Order` → `Order`. */
export function unwrapNonNull(reference: string): string {
  return isNonNullReference(reference) ? reference.slice(0, -1) : reference;
}

/**
 * Returns the reference of a list's items: `[Order!]!` → `Order!`.
 * @returns undefined when it is not a list.
 */
export function itemTypeOfList(reference: string): string | undefined {
  const nullableReference = unwrapNonNull(reference);
  return nullableReference.startsWith('[') ? nullableReference.slice(1, -1) : undefined;
}

/**
 * Returns the type of a field of an object type or interface; `__typename` is a field, too.
 * @returns undefined when the type has no such field.
 */
export function typeOfField(typeName: string, fieldName: string): string | undefined {
  if (fieldName === '__typename') return 'String!';
  const typeEntry = schemaTable[typeName];
  if (typeEntry?.kind !== 'OBJECT' && typeEntry?.kind !== 'INTERFACE') return undefined;
  return Object.hasOwn(typeEntry.fields, fieldName) ? typeEntry.fields[fieldName]?.[0] : undefined;
}

const concreteTypesByName = new Map<string, readonly string[]>();

/** Returns the object types that a composite type can be: itself, its members, or its implementations. */
export function listPossibleTypes(typeName: string): readonly string[] {
  const cachedTypes = concreteTypesByName.get(typeName);
  if (cachedTypes !== undefined) return cachedTypes;
  const possibleTypeNames = findPossibleTypes(typeName);
  concreteTypesByName.set(typeName, possibleTypeNames);
  return possibleTypeNames;
}

function findPossibleTypes(typeName: string): readonly string[] {
  const typeEntry = schemaTable[typeName];
  if (typeEntry?.kind === 'OBJECT') return [typeName];
  if (typeEntry?.kind === 'UNION') return typeEntry.members;
  if (typeEntry?.kind !== 'INTERFACE') return [];
  const implementerEntries = Object.entries(schemaTable).filter(
    ([, one]) => one.kind === 'OBJECT' && one.interfaces?.includes(typeName),
  );
  return implementerEntries.map(([name]) => name);
}

/**
 * Finds an argument's entry in the schema table.
 * @returns undefined when the field has no such argument
 */
export function findArgumentEntry(
  typeName: string,
  fieldName: string,
  argumentName: string,
): ArgumentEntry | undefined {
  const type = schemaTable[typeName];
  if (type?.kind !== 'OBJECT' && type?.kind !== 'INTERFACE') return undefined;
  const args = Object.hasOwn(type.fields, fieldName) ? type.fields[fieldName]?.[2] : undefined;
  return args && Object.hasOwn(args, argumentName) ? args[argumentName] : undefined;
}

/**
 * Returns the function that reads an argument's value, coerced, for each request. `node`: undefined when it is
 * omitted.
 */
export function createArgumentReader(
  node: ValueNode | undefined,
  entry: ArgumentEntry,
): (variables: Variables) => unknown {
  if (node === undefined) return () => undefined;
  if (node.kind === Kind.VARIABLE) return (variables) => variables[node.name.value];
  const type = inputTypeOfReference(entry[0]);
  return (variables) => valueFromAST(node, type, variables as Record<string, unknown>);
}

const inputTypeByReference = new Map<string, GraphQLInputType>();

/** Returns the graphql-js type of an argument. */
function inputTypeOfReference(reference: string): GraphQLInputType {
  const cachedType = inputTypeByReference.get(reference);
  if (cachedType !== undefined) return cachedType;
  const type = typeFromAST(getAdminSchema(), parseType(reference) as NamedTypeNode) as unknown;
  if (!isInputType(type)) throw new Error(`No argument has the type ${reference}.`);
  inputTypeByReference.set(reference, type);
  return type;
}
