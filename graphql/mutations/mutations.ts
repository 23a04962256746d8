/** All mutations with a record. Loaded with the first document that is a mutation. */
import type { MutationRecord } from '../plan/mutation-record.ts';
import { CHARGE_MUTATIONS } from './charges.ts';
import { CONTRACT_CONTENT_MUTATIONS } from './contents.ts';
import { CUSTOMER_MUTATIONS } from './customers.ts';
import { CYCLE_MUTATIONS } from './cycles.ts';
import { MERCHANT_MUTATIONS } from './merchants.ts';
import { STATUS_MUTATIONS } from './status.ts';

const MUTATION_RECORDS: readonly MutationRecord[] = [
  ...CHARGE_MUTATIONS,
  ...CONTRACT_CONTENT_MUTATIONS,
  ...CUSTOMER_MUTATIONS,
  ...CYCLE_MUTATIONS,
  ...MERCHANT_MUTATIONS,
  ...STATUS_MUTATIONS,
];

const MUTATION_RECORD_BY_NAME = new Map(MUTATION_RECORDS.map((record) => [record.name, record]));

/**
 * Returns the record of the mutation with this name.
 * @returns undefined when the mutation is only forwarded
 */
export function findMutation(name: string): MutationRecord | undefined {
  return MUTATION_RECORD_BY_NAME.get(name);
}
