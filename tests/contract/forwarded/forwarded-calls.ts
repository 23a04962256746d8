/** Platform mutations that change contracts, as a client sends them that selects little of the payload. */

import { expect } from '@jest/globals';
import type { Table } from '../../../lib/storage/table.ts';
import type { Timeline } from '../../../lib/timeline/timeline.ts';
import { ADA, noIdempotency } from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { type Acting, gid, type OperationWorld } from '../world/operation-world.ts';

export const WEEKLY = 9_101_001;
export const PAUSED = 9_101_003;
export const ABSENT = 1;
export const DAY_MS = 86_400_000;
const MERCHANT: Acting = 'store';
export const contract = gid('SubscriptionContract', WEEKLY);
export const cycle = (index: number) => ({ contractId: contract, selector: { index } });
export const ERRORS = 'userErrors { field message }';

export type Call = readonly [
  field: string,
  args: string,
  declared: string,
  variables: Record<string, unknown>,
];

/** Returns the mutation of one field with a minimal selection. */
export function call(
  world: OperationWorld,
  [field, args, declared, variables]: Call,
  {
    as = MERCHANT,
    selection = '__typename',
    timeline,
    table = createMemoryTable(),
  }: { as?: Acting; selection?: string; timeline?: Timeline; table?: Table } = {},
) {
  const query = `mutation(${declared}) { ${field}(${args}) { ${selection} } }`;
  return world.run({ as, query, variables, table, ...(timeline && { timeline }) });
}

export const status = (name: string, id: number): Call => [
  `subscriptionContract${name}`,
  'subscriptionContractId: $id',
  '$id: ID!',
  { id: gid('SubscriptionContract', id) },
];
export const scheduleEdit = (input: object, index = 9): Call => [
  'subscriptionBillingCycleScheduleEdit',
  'billingCycleInput: $cycle, input: $input',
  '$cycle: SubscriptionBillingCycleInput!, $input: SubscriptionBillingCycleScheduleEditInput!',
  { cycle: cycle(index), input: { reason: 'MERCHANT_INITIATED', ...input } },
];

/** Returns the due time of a cycle of the weekly contract, in epoch milliseconds. */
export async function dateOf(world: OperationWorld, index: number): Promise<number> {
  const { data } = await world.platform.ask(
    `query($id: ID!) { subscriptionBillingCycle(billingCycleInput: { contractId: $id, selector: { index: ${index} } }) {
      billingAttemptExpectedDate } }`,
    { id: contract.replace('platform', 'shopify') },
  );
  return Date.parse(data.subscriptionBillingCycle.billingAttemptExpectedDate);
}

/** Opens a draft of the weekly contract and changes it. */
export async function draftWith(world: OperationWorld, input: object): Promise<Call> {
  const opened = await call(
    world,
    ['subscriptionContractUpdate', 'contractId: $id', '$id: ID!', { id: contract }],
    { selection: 'draft { id }' },
  );
  const id = opened.payload.draft.id as string;
  const changed = await call(
    world,
    [
      'subscriptionDraftUpdate',
      'draftId: $id, input: $input',
      '$id: ID!, $input: SubscriptionDraftInput!',
      { id, input },
    ],
    { selection: ERRORS },
  );
  expect([opened.recorded, changed.recorded, changed.payload.userErrors]).toEqual([[], [], []]);
  return ['subscriptionDraftCommit', 'draftId: $id', '$id: ID!', { id }];
}

/** Returns the mutation that creates a contract with the payment method and the variant of the weekly one. */
export function newContract(world: OperationWorld): Call {
  const { paymentMethodId, lines } = world.contract(WEEKLY).content;
  const monthly = { interval: 'MONTH', intervalCount: 1 };
  const address = { address1: '1 A Street', city: 'Bath', countryCode: 'US', zip: '04530' };
  const productVariantId = gid('ProductVariant', lines[0]?.variantId ?? 0);
  const input = {
    customerId: gid('Customer', ADA),
    currencyCode: 'USD',
    nextBillingDate: '2026-12-24T09:00:00Z',
    contract: {
      status: 'ACTIVE',
      paymentMethodId: gid('CustomerPaymentMethod', paymentMethodId ?? ''),
      ...{ billingPolicy: monthly, deliveryPolicy: monthly, deliveryPrice: '0' },
      deliveryMethod: { shipping: { address } },
    },
    lines: [{ line: { productVariantId, quantity: 1, currentPrice: '9.00' } }],
  };
  const declared = '$input: SubscriptionContractAtomicCreateInput!';
  return ['subscriptionContractAtomicCreate', 'input: $input', declared, { input }];
}

/** Creates a timeline that calls the function when an intent is recorded. */
export function recorderOf(onIntent: () => void) {
  const reported: { action: string; outcome: string }[] = [];
  const timeline: Timeline = {
    begin:
      () =>
      async ({ action }) => {
        const change = { action, outcome: 'open' };
        reported.push(change);
        onIntent();
        const ending = (outcome: string) => async () => void Object.assign(change, { outcome });
        const attempted = ending('done');
        const recordAlso = async () => undefined;
        return {
          recordAlso,
          settleAsDone: ending('done'),
          settleAsObserved: ending('seen'),
          settleWithAttempt: attempted,
          settleAsNotDone: ending('not done'),
        };
      },
    readEvents: async () => [],
    findEvents: async () => [],
    idempotency: noIdempotency,
  };
  return { ...timeline, reported };
}
