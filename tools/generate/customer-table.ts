/**
 * The table that the customers' function carries in place of the whole one: a third of it. It holds what customers'
 * documents can name, and what plans of such documents look up beside.
 */
import {
  type ArgumentEntry,
  flag,
  type SchemaTable,
  type TypeEntry,
} from '../../graphql/schema/table/schema-table-format.ts';

const namedType = (reference: string): string => reference.replaceAll(/[[\]!]/g, '');
const isOpen = (flags: number): boolean => (flags & flag.customer) !== 0;

/** Every lookup for a customers' document finds in it what it finds in `table`. */
export function customerTable(table: SchemaTable): SchemaTable {
  const openEntries = new Map<string, TypeEntry>();
  for (const [name, entry] of Object.entries(table)) {
    if (isOpen(entry.flags)) openEntries.set(name, withOpenFields(entry));
  }
  for (const entry of openEntries.values()) keepInputs(table, entry, openEntries);
  return Object.fromEntries([...openEntries].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * An object type with the fields that are open to customers, each with all of its arguments: a closed one may have a
 * default. An input stays whole, for all that can stand in it decides what has to be proved.
 */
function withOpenFields(entry: TypeEntry): TypeEntry {
  if (entry.kind !== 'OBJECT' && entry.kind !== 'INTERFACE') return entry;
  const open = Object.entries(entry.fields).filter(([, [, flags]]) => isOpen(flags));
  return { ...entry, fields: Object.fromEntries(open) };
}

/** Keeps the types that arguments and input fields take, and those that stand in them. */
function keepInputs(table: SchemaTable, entry: TypeEntry, openEntries: Map<string, TypeEntry>): void {
  for (const [reference] of inputsOf(entry)) {
    const name = namedType(reference);
    const taken = table[name];
    if (taken === undefined || openEntries.has(name)) continue;
    openEntries.set(name, taken);
    keepInputs(table, taken, openEntries);
  }
}

function inputsOf(entry: TypeEntry): readonly ArgumentEntry[] {
  if (entry.kind === 'INPUT') return Object.values(entry.inputFields);
  if (entry.kind !== 'OBJECT' && entry.kind !== 'INTERFACE') return [];
  return Object.values(entry.fields).flatMap(([, , args]) => Object.values(args || {}));
}
