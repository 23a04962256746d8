import { whyNotRepeatable } from '../../../graphql/policy/meaning/repeatable-roots.ts';
import { mark, type SchemaTable } from '../../../graphql/schema/table/schema-table-format.ts';
import type { Roots, RootTerms } from '../compatibility/root-breaks.ts';
import type { GeneratedFile } from '../generated-file.ts';

const SCOPES = { READ: mark.needsRead, WRITE: mark.needsWrite, WEBHOOKS: mark.needsWebhooks };

/** What the policy asks of each root of `table`: held against the last release, and readable by tools. */
export function rootsFile(table: SchemaTable): GeneratedFile {
  const roots: Roots = Object.fromEntries(
    ['QueryRoot', 'Mutation'].flatMap((type) => {
      const entry = table[type];
      const fields = entry !== undefined && 'fields' in entry ? Object.entries(entry.fields) : [];
      return fields.map(([name, [, marks]]) => [`${type}.${name}`, termsOf(type, name, marks)]);
    }),
  );
  return { file: 'graphql/schema/generated/roots.json', text: `${JSON.stringify(roots, null, 2)}\n` };
}

function termsOf(type: string, name: string, marks: number): RootTerms {
  const has = (bit: number) => (marks & bit) !== 0;
  return {
    scopes: Object.entries(SCOPES).flatMap(([scope, bit]) => (has(bit) ? [scope] : [])),
    needsCustomer: has(mark.actingCustomerRequired),
    takesKey: type === 'Mutation' && whyNotRepeatable(name) === undefined,
  };
}
