/** Counts orders by their final state, at the service and in the oracle. Counts of several stores are added. */
import type { ContractExpectation } from '../oracle/expectation.ts';
import type { ObservedContract } from './compare.ts';

export type Counts = Readonly<Record<string, number>>;

/** Returns the counts of a contract. Totals are in minor units, and their difference is that of each contract, added up. */
export function countOrders(expected: ContractExpectation, observed: ObservedContract): Counts {
  const counts: Record<string, number> = { contracts: 1 };
  const add = (name: string, number = 1) => {
    counts[name] = (counts[name] ?? 0) + number;
  };
  const { currencyCode } = observed;
  for (const { state, priceMinor, tries } of expected.orders) {
    add('orders due');
    add(`oracle ${state}`);
    add(`oracle total ${currencyCode}`, priceMinor ?? 0);
    add('oracle tries', tries.filter(({ by }) => by === 'SERVICE').length);
  }
  for (const { state, priceMinor, tries } of observed.orders) {
    add(`service ${state}`);
    add(`service total ${currencyCode}`, priceMinor ?? 0);
    add('service tries', tries.length);
  }
  const [oracle = 0, service = 0] = ['oracle', 'service'].map((by) => counts[`${by} total ${currencyCode}`]);
  add(`difference of totals ${currencyCode}`, Math.abs(oracle - service));
  return counts;
}

export function addCounts(one: Counts, other: Counts): Counts {
  const sum: Record<string, number> = { ...one };
  for (const [name, number] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + number;
  return sum;
}

/** Returns the counts as lines of text, sorted by name. */
export function printCounts(title: string, counts: Counts): string {
  const lines = Object.entries(counts)
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([name, number]) => `${String(number).padStart(12)}  ${name}`);
  return [title, ...lines].join('\n');
}
