/** All mutations with a record. Loaded with the first document that is a mutation. */
import type { MutationRecord } from '../plan/mutation-record.ts';
import { charges } from './charges.ts';
import { contents } from './contents.ts';
import { customers } from './customers.ts';
import { cycles } from './cycles.ts';
import { merchants } from './merchants.ts';
import { status } from './status.ts';

const mutations: readonly MutationRecord[] = [
  ...charges,
  ...contents,
  ...customers,
  ...cycles,
  ...merchants,
  ...status,
];

const byName = new Map(mutations.map((record) => [record.name, record]));

/**
 * Returns the record of the mutation with this name.
 * @returns undefined when the mutation is only forwarded
 */
export function findMutation(name: string): MutationRecord | undefined {
  return byName.get(name);
}
