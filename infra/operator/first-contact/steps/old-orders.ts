import { errorWords } from '../platform-answer.ts';
import { hasScope } from '../read-shop.ts';
import { finding, type Step } from '../step.ts';

const DAY_MS = 86_400_000;
const SCOPE = 'read_all_orders';
const DOCUMENT = `query FirstContactOldOrders($query: String!) {
  orders(first: 1, sortKey: CREATED_AT, query: $query) { nodes { id createdAt } }
}`;

export const oldOrders: Step = {
  name: 'old-orders',
  claim: `Orders older than 60 days are hidden without ${SCOPE}, and seen with it.`,
  does: 'Looks for one order that is older than 60 days.',
  taken:
    'Orders made are counted by billed cycles, so that hidden orders count; a hidden order of the checkout counts one less.',
  see: ['lib/subscriptions/orders-made.ts'],
  async measure({ ask, parts, shop, contracts }) {
    const before = new Date(parts.now() - 61 * DAY_MS).toISOString().slice(0, 10);
    const { data, errors } = await ask(DOCUMENT, { query: `created_at:<'${before}'` });
    const page = data?.orders as
      | { readonly nodes: readonly { readonly createdAt: string }[] }
      | null
      | undefined;
    const isGranted = hasScope(shop, SCOPE);
    const granted = `${SCOPE}: ${isGranted ? 'granted' : 'not granted'}`;
    if (!page) return { verdict: 'not measured', words: errorWords(errors), observed: [granted] };
    const [oldest] = page.nodes;
    const observed = [
      granted,
      oldest === undefined ? `no order before ${before}` : `an order of ${oldest.createdAt.slice(0, 10)}`,
    ];
    if (isGranted)
      return {
        verdict: 'not measured',
        words: `The grant has ${SCOPE}, and ${oldest === undefined ? 'the store has no order that old' : 'they are seen'}: whether they are hidden without it, a grant without it tells.`,
        observed,
      };
    if (oldest !== undefined) return finding(false, 'They are seen without it.', observed);
    const old = contracts.find(({ createdAt }) => createdAt < before);
    if (old === undefined)
      return {
        verdict: 'not measured',
        words: `The store shows no order that old; it was made on ${shop.createdAt.slice(0, 10)}.`,
        observed,
      };
    return finding(
      true,
      `Contract ${old.id} is of ${old.createdAt.slice(0, 10)}, and its orders are not among them.`,
      observed,
    );
  },
};
