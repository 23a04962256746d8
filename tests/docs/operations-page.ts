/** The examples of docs/operations.md in a form that runs on the seeded store. */
import { readFileSync } from 'node:fs';
import { DAY_MS, formatIsoInstant, HOUR_MS } from '../../sandbox/platform/state/instant.ts';
import { discountByHand } from '../contract/world/discount-by-hand.ts';
import { gid, type OperationWorld } from '../contract/world/operation-world.ts';
import { NOW_MS } from '../graphql/world/harness.ts';

/** The page's text. */
export const PAGE = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
const EXAMPLE = /^### (\S+)\n+```graphql (customer|store)\n([^`]+)```/gm;
const WEEKLY = 9_101_001;
/** The cycle that runs at the time of the tests ends four days later. */
const CURRENT = 7;
const CARD = 'c0ffee';
const DISCOUNT = '0f0f0f0f-0000-4000-a000-00000000000d';

/** The mutations, with a caller who may run them. */
export const examples = [...PAGE.matchAll(EXAMPLE)].map(([, name = '', as, document = '']) => ({
  name,
  as: as as 'customer' | 'store',
  query: filled(document),
}));

const QUERIES = PAGE.slice(PAGE.indexOf('## Queries'), PAGE.indexOf('## Mutations'));
/** The page's queries in the form for a customer. */
export const queries = [...QUERIES.matchAll(/```graphql customer\n([^`]+)```/g)].map(
  ([, query = '']) => query,
);

function filled(document: string): string {
  return document
    .replace('PAYMENT_METHOD', gid('CustomerPaymentMethod', CARD))
    .replace('"DAY"', `"${formatIsoInstant(NOW_MS + 20 * DAY_MS).slice(0, 10)}"`)
    .replace('NEXT_ORDER', formatIsoInstant(NOW_MS + 3 * DAY_MS + 20 * HOUR_MS))
    .replace('DATE', formatIsoInstant(NOW_MS + 20 * DAY_MS))
    .replace('IN_CYCLE_8', formatIsoInstant(NOW_MS + 10 * DAY_MS))
    .replace('LATER_DAY', formatIsoInstant(NOW_MS + 6 * DAY_MS).slice(0, 10))
    .replace('DISCOUNT', gid('SubscriptionManualDiscount', DISCOUNT));
}

/** Adds the data that an example needs to the seed: a second card, a discount; a due order. */
export function prepare({ platform, contract }: OperationWorld, name: string): void {
  const { content, cycleEdits } = contract(WEEKLY);
  if (name === 'subscriptionBillingCycleCharge') {
    cycleEdits[CURRENT] = {
      skipped: false,
      billingDate: formatIsoInstant(NOW_MS + DAY_MS / 2),
      contract: null,
    };
  }
  const { paymentMethods } = platform.store();
  const card = paymentMethods.get(content.paymentMethodId ?? '');
  if (card === undefined) throw new Error('The contract has no card.');
  paymentMethods.set(CARD, { ...card, id: CARD });
  content.discounts.push(discountByHand({ id: DISCOUNT, title: 'Goodwill' }));
}
