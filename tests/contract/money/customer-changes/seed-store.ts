/** A random store in the emulated platform: catalogue, plans, codes, delivery rates and subscriptions. */
import { RESCHEDULING_KINDS } from '../../../../sandbox/platform/state/billing-cycles.ts';
import type { ContractRecord, DiscountRecord } from '../../../../sandbox/platform/state/contract-records.ts';
import { DAY_MS } from '../../../../sandbox/platform/state/instant.ts';
import { addRequestedSeeds } from '../../../../sandbox/platform/state/seed/seed-from-request.ts';
import type { StoreState } from '../../../../sandbox/platform/state/state.ts';
import { NOW_MS } from '../../../graphql/world/harness.ts';
import { discountByHand } from '../../world/discount-by-hand.ts';
import { deliveryOptionPrices } from '../delivery-table.ts';
import {
  CODES,
  deliveryRates,
  discountRecord,
  OPTIONS,
  PRODUCTS,
  priceByHand,
  type Store,
  type Subscription,
  VARIANTS,
} from './gifts.ts';

const GROUP = 8_309_001;
const CONTRACTS = [9_101_001, 9_101_002] as const;
/** Ada and Carla, each with one subscription. */
export const OWNERS = [7_001_001, 7_001_003] as const;

export const planIdAt = (index: number) => GROUP * 100 + index + 1;
const variantIdAt = (index: number) => VARIANTS[index] ?? 0;

/** Replaces the contents of the store, and returns its subscriptions. */
export function seedStore(store: StoreState, drawn: Store): ContractRecord[] {
  store.currencyCode = drawn.currency;
  // The platform counts a new interval in either way.
  store.rescheduling =
    RESCHEDULING_KINDS[drawn.plans.length % RESCHEDULING_KINDS.length] ?? RESCHEDULING_KINDS[0];
  for (const records of [store.orders, store.attempts]) records.clear();
  store.contracts.clear();
  store.discountCodes.clear();
  for (const [index, { percentage, limit, isRejected }] of drawn.codes.entries()) {
    const code = CODES[index]?.toUpperCase() ?? '';
    const rejectionReason = isRejected === 0 ? 'CURRENTLY_INACTIVE' : null;
    const ofPayments = limit !== null && { recurringCycleLimit: limit };
    store.discountCodes.set(code, { code, percentage, rejectionReason, ...ofPayments });
  }
  const { plans, rates } = drawn;
  if (rates !== null)
    store.deliveryRates = OPTIONS.flatMap((code, index) => deliveryRates(code, rates[index] ?? rates[0]));
  addRequestedSeeds(
    store,
    {
      products: PRODUCTS.map((id, index) => ({
        ...{
          id,
          title: `Product ${id}`,
          description: '',
          type: 'Coffee',
          asset: 'coffee-bag',
          optionName: 'Size',
        },
        variants: [0, 1].map((at): [string, string, number] => [
          `${at}`,
          `V-${id}-${at}`,
          drawn.catalogue[index * 2 + at] ?? 100,
        ]),
      })),
      sellingPlanGroups: [{ id: GROUP, name: 'All', productIds: PRODUCTS, plans }],
    },
    NOW_MS,
  );
  return drawn.subscriptions.map((subscription, index) =>
    seedSubscription(store, { drawn, subscription, index }),
  );
}

type Seed = { readonly drawn: Store; readonly subscription: Subscription; readonly index: number };

function seedSubscription(store: StoreState, { drawn, subscription, index }: Seed): ContractRecord {
  const planIndex = subscription.plan % drawn.plans.length;
  const plan = drawn.plans[planIndex];
  const [unit, count] = plan?.billing ?? ['WEEK', 1];
  const lengthDays = { DAY: 1, WEEK: 7, MONTH: 30.5, YEAR: 365 }[unit] * count;
  const id = CONTRACTS[index] ?? 0;
  const customerId = OWNERS[index] ?? OWNERS[0];
  addRequestedSeeds(
    store,
    {
      subscriptions: [
        {
          id,
          customerId,
          createdMs: NOW_MS - Math.ceil((subscription.cyclesOver * lengthDays + 1.4) * DAY_MS),
          planId: planIdAt(planIndex),
          history: true,
          lines: subscription.lines.map(({ variant, quantity, kind }) => ({
            variantId: variantIdAt(variant),
            quantity,
            ...(kind === 'no plan' && { planId: null }),
          })),
        },
      ],
    },
    NOW_MS,
  );
  const contract = store.contracts.get(id);
  if (contract === undefined) throw new Error('The subscription was not added.');
  const { content } = contract;
  for (const [at, line] of subscription.lines.entries()) {
    const record = content.lines[at];
    if (record !== undefined) priceByHand(record, line);
  }
  const storesPrice = deliveryOptionPrices(store, content).get('standard') ?? 0;
  content.deliveryPriceMinor = subscription.deliveryPrice ?? storesPrice;
  for (const at of subscription.codes) content.discounts.push(...codeRecords(drawn, at));
  for (const discount of subscription.discounts) content.discounts.push(discountRecord(content, discount));
  return contract;
}

/** A code as the platform stores it on a contract; none, if it does not count. */
function codeRecords({ codes }: Store, at: number): DiscountRecord[] {
  const [code, name] = [codes[at], CODES[at]?.toUpperCase() ?? ''];
  if (code === undefined || code.isRejected === 0) return [];
  return [
    discountByHand({
      ...{ id: `0c0c0c0c-0000-4000-a000-00000000000${at}`, title: name, redeemCode: name },
      ...{ type: 'CODE_DISCOUNT', value: { percentage: code.percentage }, recurringCycleLimit: code.limit },
    }),
  ];
}
