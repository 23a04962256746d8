/** The policies of ids in arguments and input fields, read from the schema's table: documents of tests hold ids by them. */
import type { IdPolicy } from '../../../graphql/schema/field-policy.ts';
import { schemaTable } from '../../../graphql/schema/generated/schema-table.ts';
import type { ArgumentEntry } from '../../../graphql/schema/table/schema-table-format.ts';

/** The policy of an argument's ids; undefined if the argument takes no id itself. */
export function argumentIds(typeName: string, fieldName: string, argument: string): IdPolicy | undefined {
  const type = schemaTable[typeName];
  const isComposite = type?.kind === 'OBJECT' || type?.kind === 'INTERFACE';
  const args = isComposite ? type.fields[fieldName]?.[2] : undefined;
  return idsOf(args ? args[argument] : undefined);
}

/** The policy of an input field's ids; undefined if the field takes no id itself. */
export function inputFieldIds(typeName: string, fieldName: string): IdPolicy | undefined {
  const type = schemaTable[typeName];
  return idsOf(type?.kind === 'INPUT' ? type.inputFields[fieldName] : undefined);
}

function idsOf(entry: ArgumentEntry | undefined): IdPolicy | undefined {
  const [, , , , owner, types] = entry ?? [];
  return owner ? { owner, types: types || undefined } : undefined;
}
