/** All mutations with a record. Loaded with the first document that is a mutation. */
import type { MutationRecord } from '../plan/mutation-record.ts';
import { chargeMutations } from './charges.ts';
import { contractContentMutations } from './contents.ts';
import { customerMutations } from './customers.ts';
import { cycleMutations } from './cycles.ts';
import { merchantMutations } from './merchants.ts';
import { statusMutations } from './status.ts';

const mutationRecords: readonly MutationRecord[] = [
  ...chargeMutations,
  ...contractContentMutations,
  ...customerMutations,
  ...cycleMutations,
  ...merchantMutations,
  ...statusMutations,
];

const recordsByName = new Map(mutationRecords.map((record) => [record.name, record]));

/**
 * Returns the record of the mutation with this name.
 * @returns undefined when the mutation is only forwarded
 */
export function findMutation(name: string): MutationRecord | undefined {
  return recordsByName.get(name);
}
