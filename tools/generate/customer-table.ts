/**
 * The table that the customers' function bundles instead of the complete one, with a third of its size. It has what
 * customers' documents can name, and what the plans of such documents look up.
 */
import {
  type ArgumentEntry,
  POLICY_FLAGS,
  type SchemaTable,
  type TypeEntry,
} from '../../graphql/schema/table/schema-table-format.ts';

const unwrapTypeReference = (reference: string): string => reference.replaceAll(/[[\]!]/g, '');
const isOpenToCustomers = (flags: number): boolean => (flags & POLICY_FLAGS.customer) !== 0;

/** Returns a table in which every lookup for a customer's document returns the same as in `table`. */
export function reduceToCustomerTable(table: SchemaTable): SchemaTable {
  const openEntries = new Map<string, TypeEntry>();
  for (const [name, entry] of Object.entries(table)) {
    if (isOpenToCustomers(entry.flags)) openEntries.set(name, retainOpenFields(entry));
  }
  for (const typeEntry of openEntries.values()) addInputTypes(table, typeEntry, openEntries);
  return Object.fromEntries([...openEntries].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Returns an object type with the fields that are open to customers. Each keeps all its arguments, because a closed
 * argument may have a default. An input type stays complete, because all its fields determine the ownership checks.
 */
function retainOpenFields(entry: TypeEntry): TypeEntry {
  if (entry.kind !== 'OBJECT' && entry.kind !== 'INTERFACE') return entry;
  const openFieldEntries = Object.entries(entry.fields).filter(([, [, flags = 0]]) =>
    isOpenToCustomers(flags),
  );
  return { ...entry, fields: Object.fromEntries(openFieldEntries) };
}

/** Adds the input types of arguments and input fields, and the types of their fields. */
function addInputTypes(table: SchemaTable, entry: TypeEntry, openEntries: Map<string, TypeEntry>): void {
  for (const [reference] of listArgumentsAndInputFields(entry)) {
    const name = unwrapTypeReference(reference);
    const existingEntry = table[name];
    if (existingEntry === undefined || openEntries.has(name)) continue;
    openEntries.set(name, existingEntry);
    addInputTypes(table, existingEntry, openEntries);
  }
}

function listArgumentsAndInputFields(entry: TypeEntry): readonly ArgumentEntry[] {
  if (entry.kind === 'INPUT') return Object.values(entry.inputFields);
  if (entry.kind !== 'OBJECT' && entry.kind !== 'INTERFACE') return [];
  return Object.values(entry.fields).flatMap(([, , args]) => Object.values(args || {}));
}
