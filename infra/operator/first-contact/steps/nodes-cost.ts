import { ServiceError } from '../../../../lib/errors/service-error.ts';
import type { Lab } from '../lab.ts';
import { builtFor, finding, type Step } from '../step.ts';

const COUNTS = [1, 10, 100];
/** Far beyond what the platform has given out. */
const FIRST_ABSENT = 9_007_199_254_000_000;
const DOCUMENT =
  'query FirstContactNodes($ids: [ID!]!) { nodes(ids: $ids) { ... on ProductVariant { id product { id } } } }';

export const nodesCost: Step = {
  name: 'nodes-cost',
  claim: '`nodes(ids:)` costs as often as there are ids.',
  does: `Asks for ${COUNTS.join(', ')} variants that do not exist, with an object each, and reads what the platform says they cost.`,
  taken: 'Documents are sized so that they can be asked in either case.',
  see: ['lib/platform/admin-api/query-points.ts'],
  async measure(lab) {
    const costs: number[] = [];
    for (const count of COUNTS) costs.push(await costOf(lab, count));
    const observed = COUNTS.map((count, index) => `${count} ids: ${costs[index]} points`);
    const [one = 0, , most = 0] = costs;
    if (most === one) return builtFor('It costs the same, however many ids.', observed);
    if (most === 100 * one) return finding(true, `Each id costs ${one}.`, observed);
    const words = 'It grows with the ids, by a rule of its own.';
    return most < 100 * one ? builtFor(words, observed) : finding(false, words, observed);
  },
};

async function costOf({ ask, parts }: Lab, count: number): Promise<number> {
  const namespace = parts.target.platformGidNamespace;
  const ids = Array.from(
    { length: count },
    (_, index) => `gid://${namespace}/ProductVariant/${FIRST_ABSENT + index}`,
  );
  try {
    return (await ask(DOCUMENT, { ids })).cost?.requestedQueryCost ?? Number.NaN;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'QUERY_TOO_COMPLEX') throw error;
    return Number(/cost is (\d+)/.exec(error.publicMessage)?.[1] ?? Number.POSITIVE_INFINITY);
  }
}
