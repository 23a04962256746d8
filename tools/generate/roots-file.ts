import { findMutation } from '../../graphql/mutations/mutations.ts';
import { findIdempotencyKeyRefusal } from '../../graphql/plan/mutation-record.ts';
import { POLICY_FLAGS, type SchemaTable } from '../../graphql/schema/table/schema-table-format.ts';
import type { RequirementsByRoot, RootRequirements } from '../compatibility/root-breaks.ts';
import type { GeneratedFile } from '../generated-file.ts';

const SCOPE_FLAGS = {
  READ: POLICY_FLAGS.needsRead,
  WRITE: POLICY_FLAGS.needsWrite,
  WEBHOOKS: POLICY_FLAGS.needsWebhooks,
  BILLING: POLICY_FLAGS.needsBilling,
};

/**
 * Returns the policy's requirements for each root of `table`: compared with the last release, and readable by tools.
 */
export function generateRootsFile(table: SchemaTable): GeneratedFile {
  const requirementsByRoot: RequirementsByRoot = Object.fromEntries(
    ['QueryRoot', 'Mutation'].flatMap((type) => {
      const entry = table[type];
      const fieldEntries = entry !== undefined && 'fields' in entry ? Object.entries(entry.fields) : [];
      return fieldEntries.map(([name, [, flags = 0]]) => [
        `${type}.${name}`,
        readRootRequirements(type, name, flags),
      ]);
    }),
  );
  return {
    file: 'graphql/schema/generated/roots.json',
    text: `${JSON.stringify(requirementsByRoot, null, 2)}\n`,
  };
}

function readRootRequirements(type: string, name: string, flags: number): RootRequirements {
  const hasFlag = (flag: number) => (flags & flag) !== 0;
  return {
    scopes: Object.entries(SCOPE_FLAGS).flatMap(([scope, flag]) => (hasFlag(flag) ? [scope] : [])),
    needsCustomer: hasFlag(POLICY_FLAGS.actingCustomerRequired),
    takesKey: type === 'Mutation' && findIdempotencyKeyRefusal(findMutation, name) === undefined,
  };
}
