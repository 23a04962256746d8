/**
 * The customers' part of the schema contains only what has `@customer`. Customers' documents are validated against it,
 * so a client cannot distinguish a closed name from an unknown one.
 */
import type { TypeSource } from './build-schema.ts';
import {
  type ArgumentEntry,
  type FieldEntry,
  POLICY_FLAGS,
  type SchemaTable,
  type TypeEntry,
} from './schema-table-format.ts';

const isOpenToCustomers = ([, flags = 0]: FieldEntry | ArgumentEntry): boolean =>
  (flags & POLICY_FLAGS.customer) !== 0;

function selectOpenEntries<Entry extends FieldEntry | ArgumentEntry>(
  entries: Readonly<Record<string, Entry>>,
) {
  return Object.fromEntries(
    Object.entries(entries).filter(([, entry]) => isOpenToCustomers(entry)),
  ) as Record<string, Entry>;
}

function selectOpenField([type, flags, args, ...rest]: FieldEntry): FieldEntry {
  return [type, flags, args ? selectOpenEntries(args) : 0, ...rest] as FieldEntry;
}

function selectOpenType(entry: TypeEntry, isCustomerType: (name: string) => boolean): TypeEntry {
  switch (entry.kind) {
    case 'OBJECT':
    case 'INTERFACE': {
      const openFields = Object.entries(selectOpenEntries(entry.fields)).map(([name, field]) => [
        name,
        selectOpenField(field),
      ]);
      return {
        ...entry,
        interfaces: (entry.interfaces ?? []).filter(isCustomerType),
        fields: Object.fromEntries(openFields),
      };
    }
    case 'INPUT':
      return { ...entry, inputFields: selectOpenEntries(entry.inputFields) };
    case 'UNION':
      return { ...entry, members: entry.members.filter(isCustomerType) };
    default:
      return entry;
  }
}

/**
 * Returns the part of `table` that customer accounts may use. It contains each type that it mentions, and makes each
 * entry on demand.
 */
export function selectCustomerTypes(table: SchemaTable): TypeSource {
  const isCustomerType = (name: string) => ((table[name]?.flags ?? 0) & POLICY_FLAGS.customer) !== 0;
  return {
    names: Object.keys(table).filter(isCustomerType),
    entryOf(name) {
      const typeEntry = Object.hasOwn(table, name) && isCustomerType(name) ? table[name] : undefined;
      return typeEntry && selectOpenType(typeEntry, isCustomerType);
    },
  };
}
