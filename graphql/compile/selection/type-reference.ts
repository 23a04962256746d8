/** The schema table is read here: its type references (`[Order!]!`) are taken apart here, and nowhere else. */

import { schemaTable } from '../../schema/generated/schema-table.ts';
import type { ArgumentEntry } from '../../schema/table/schema-table-format.ts';

/** The name in a reference: `[Order!]!` → `Order`. */
export function namedType(reference: string): string {
  return reference.replaceAll(/[[\]!]/g, '');
}

export function isNonNull(reference: string): boolean {
  return reference.endsWith('!');
}

/** The reference without its outer `!`: `Order!` → `Order`, `Order` → `Order`. */
export function nullableOf(reference: string): string {
  return isNonNull(reference) ? reference.slice(0, -1) : reference;
}

/** The reference of a list's items: `[Order!]!` → `Order!`; undefined if it is no list. */
export function itemOf(reference: string): string | undefined {
  const nullable = nullableOf(reference);
  return nullable.startsWith('[') ? nullable.slice(1, -1) : undefined;
}

/** The type of a field of an object type or interface, undefined if there is none. `__typename` is one. */
export function fieldType(typeName: string, fieldName: string): string | undefined {
  if (fieldName === '__typename') return 'String!';
  const entry = schemaTable[typeName];
  if (entry?.kind !== 'OBJECT' && entry?.kind !== 'INTERFACE') return undefined;
  return Object.hasOwn(entry.fields, fieldName) ? entry.fields[fieldName]?.[0] : undefined;
}

const concreteTypes = new Map<string, readonly string[]>();

/** The object types that a composite type can be: itself, its members, or what implements it. */
export function possibleTypes(typeName: string): readonly string[] {
  const known = concreteTypes.get(typeName);
  if (known !== undefined) return known;
  const found = findPossibleTypes(typeName);
  concreteTypes.set(typeName, found);
  return found;
}

function findPossibleTypes(typeName: string): readonly string[] {
  const entry = schemaTable[typeName];
  if (entry?.kind === 'OBJECT') return [typeName];
  if (entry?.kind === 'UNION') return entry.members;
  if (entry?.kind !== 'INTERFACE') return [];
  const implementers = Object.entries(schemaTable).filter(
    ([, one]) => one.kind === 'OBJECT' && one.interfaces?.includes(typeName),
  );
  return implementers.map(([name]) => name);
}

/** An argument's entry in the schema table. */
export function argumentEntry(
  typeName: string,
  fieldName: string,
  argumentName: string,
): ArgumentEntry | undefined {
  const type = schemaTable[typeName];
  if (type?.kind !== 'OBJECT' && type?.kind !== 'INTERFACE') return undefined;
  const args = Object.hasOwn(type.fields, fieldName) ? type.fields[fieldName]?.[2] : undefined;
  return args && Object.hasOwn(args, argumentName) ? args[argumentName] : undefined;
}
