/** What a change of the interval refuses: at the client's own argument, with nothing changed and nothing told. */
import { describe, expect, test } from '@jest/globals';
import type { Anchor } from '../../infra/local/platform/state/catalogue-records.ts';
import type { ContractRecord } from '../../infra/local/platform/state/contract-records.ts';
import { dayMs, isoInstant } from '../../infra/local/platform/state/instant.ts';
import { NOW_MS, type PlanRequest } from '../graphql/plan/harness.ts';
import { createMemoryTable } from '../memory-table.ts';
import { createIntervalWorld, MONTHLY, MONTHLY_PLAN, PLAN, PREPAID_PLAN } from './interval-world.ts';
import { gid } from './operation-world.ts';

const begin = (contract?: number) =>
  createIntervalWorld({ table: createMemoryTable(), ...(contract && { contract }) });
const every = (intervalCount: number, interval: string) => ({ interval: { interval, intervalCount } });
const days = (count: number) => isoInstant(NOW_MS + count * dayMs);
const monday: Anchor = { type: 'WEEKDAY', day: 1, month: null, cutoffDay: 2 };

type Refusal = {
  readonly variables: object;
  readonly code: string;
  readonly field: readonly string[];
  readonly as?: PlanRequest['as'];
  readonly contract?: number;
  readonly prepare?: (contract: ContractRecord) => void;
  readonly message?: string;
};

const closeBy: Refusal['prepare'] = (contract) => {
  // The sixth order of this rhythm is due in 40 hours.
  const startAt = isoInstant(NOW_MS - 40 * dayMs - dayMs / 3);
  contract.schedule = [{ fromIndex: 1, startAt, policy: contract.content.billingPolicy }];
  contract.billedCycles = [1, 2, 3, 4, 5];
};

const refusals: Record<string, Refusal> = {
  'neither interval nor plan': { variables: {}, code: 'INVALID', field: ['interval'] },
  'a date alone': { variables: { date: days(5) }, code: 'INVALID', field: ['interval'] },
  'a count of zero': { variables: every(0, 'WEEK'), code: 'INVALID', field: ['interval', 'intervalCount'] },
  'a negative count': {
    variables: every(-1, 'WEEK'),
    code: 'INVALID',
    field: ['interval', 'intervalCount'],
    as: 'store',
  },
  'an interval that no plan of the line has': {
    variables: every(3, 'WEEK'),
    code: 'INTERVAL_NOT_OFFERED',
    field: ['interval'],
  },
  'an interval that only one of two lines has': {
    variables: every(3, 'MONTH'),
    code: 'INTERVAL_NOT_OFFERED',
    field: ['interval'],
    contract: MONTHLY,
    as: 'store for a customer',
  },
  'a plan of another product': {
    variables: { plan: PREPAID_PLAN },
    code: 'INTERVAL_NOT_OFFERED',
    field: ['sellingPlanId'],
  },
  'a plan and another interval': {
    variables: { plan: PLAN, ...every(1, 'MONTH') },
    code: 'INTERVAL_NOT_OFFERED',
    field: ['interval'],
  },
  'no such plan': {
    variables: { plan: gid('SellingPlan', 1) },
    code: 'INVALID',
    field: ['sellingPlanId'],
    as: 'store',
  },
  'a date that is past': {
    variables: { ...every(2, 'WEEK'), date: days(-1) },
    code: 'DATE_IN_PAST',
    field: ['nextBillingDate'],
  },
  'a date more than a year ahead': {
    variables: { ...every(2, 'WEEK'), date: days(367) },
    code: 'DATE_TOO_FAR',
    field: ['nextBillingDate'],
  },
  'anchors of another unit': {
    variables: every(1, 'MONTH'),
    code: 'ANCHORS_DO_NOT_FIT',
    field: ['interval'],
    prepare: ({ content }) => {
      content.billingPolicy.anchors = [monday];
    },
    message: 'billing on Monday',
  },
  'anchors that a plan does not fit': {
    variables: { plan: MONTHLY_PLAN },
    code: 'ANCHORS_DO_NOT_FIT',
    field: ['sellingPlanId'],
    as: 'store',
    prepare: ({ content }) => {
      content.deliveryPolicy.anchors = [monday];
    },
    message: 'delivery on Monday',
  },
  'an order within 48 hours': {
    variables: every(2, 'WEEK'),
    code: 'ORDER_TOO_CLOSE',
    field: ['contractId'],
    prepare: closeBy,
    message: 'An order is due within 48 hours',
  },
  'a prepaid rhythm that cannot be spread': {
    variables: every(4, 'WEEK'),
    code: 'INVALID',
    field: ['interval'],
    as: 'store',
    prepare: ({ content }) => {
      content.billingPolicy = { ...content.billingPolicy, interval: 'MONTH', intervalCount: 3 };
      content.deliveryPolicy = { ...content.deliveryPolicy, interval: 'MONTH', intervalCount: 1 };
    },
    message: '3 deliveries',
  },
  'a plan for a contract in another currency, where the line has no price to start from': {
    variables: { plan: PLAN },
    code: 'CURRENCY_NOT_SUPPORTED',
    field: ['sellingPlanId'],
    prepare: ({ content }) => {
      content.currencyCode = 'CAD';
      for (const line of content.lines) line.pricingPolicy = null;
    },
  },
};

describe('refused, at the client’s own argument; nothing is changed and nothing told', () => {
  test.each(Object.entries(refusals))('%s', async (_name, refusal) => {
    const { variables, code, field, as = 'customer', contract: id, prepare, message = '' } = refusal;
    const world = begin(id);
    prepare?.(world.contract);
    const content = structuredClone(world.contract);
    const { payload } = await world.change(variables, as);
    expect(payload).toMatchObject({ contract: null, droppedEdits: [], userErrors: [{ field, code }] });
    expect(payload.userErrors[0].message).toContain(message);
    expect(world.contract).toEqual(content);
    // Neither an entry nor an intent that is still open.
    expect([await world.settle(), await world.story()]).toEqual([0, []]);
  });
});
