/** Another server has sent the key of an order's attempt before the service does. */
import { expect, test } from '@jest/globals';
import { runStartAtMs } from '../../../lib/billing/settings/run-times.ts';
import { deriveIdempotencyKey } from '../../../lib/subscriptions/charge/find-existing-attempt.ts';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import { answers, at, describeExample } from '../oracle/examples/examples.ts';
import { CALM } from './fault-profile.ts';
import { simulate, type World } from './simulate.ts';

/** The order of the run of 2027-01-05. */
const ORDER_INDEX = 2;

type Contracts = World['emulated']['contracts'];

type KeyUse = {
  readonly contract: number;
  readonly index: number;
  readonly failedCount: number;
  /** How long before the run begins; an hour if it is absent. */
  readonly secondsBefore?: number;
};

/** Charges an order of a contract with the key that the service derives for the order of the first contract. */
async function chargeWithKey(
  { emulated: { platform, contracts } }: World,
  target: Pick<KeyUse, 'contract' | 'failedCount' | 'index'>,
): Promise<void> {
  const [first, charged] = [contracts[0], contracts[target.contract]] as [Contracts[0], Contracts[0]];
  const contract = {
    id: `gid://shopify/SubscriptionContract/${first.record.id}`,
    customerPaymentMethod: {
      id: `gid://shopify/CustomerPaymentMethod/${first.record.content.paymentMethodId}`,
    },
  };
  const failed = { state: { __typename: 'SubscriptionBillingAttemptFailedState' } };
  const nodes = Array.from({ length: target.failedCount }, () => failed);
  const key = deriveIdempotencyKey(contract, { cycleIndex: ORDER_INDEX, billingAttempts: { nodes } });
  const { index } = target;
  await platform.run(`{ subscriptionBillingAttemptCreate(
    subscriptionContractId: "gid://shopify/SubscriptionContract/${charged.record.id}",
    subscriptionBillingAttemptInput: { idempotencyKey: "${key}", billingCycleSelector: { index: ${index} } }) {
      subscriptionBillingAttempt { id } userErrors { code } } }`);
}

test.each<[string, KeyUse, readonly string[]]>([
  ['another contract', { contract: 1, index: ORDER_INDEX, failedCount: 0 }, ['PAYS']],
  ['an older order of the contract', { contract: 0, index: ORDER_INDEX - 1, failedCount: 0 }, ['PAYS']],
  [
    'an older order of the contract seconds before',
    { contract: 0, index: ORDER_INDEX - 1, failedCount: 0, secondsBefore: 10 },
    ['PAYS'],
  ],
  [
    'the order itself, before the try that it was for',
    { contract: 0, index: ORDER_INDEX, failedCount: 1 },
    ['INSUFFICIENT_FUNDS', 'PAYS'],
  ],
])('charges an order once when its key was used for %s', async (_name, target, outcomes) => {
  const { contracts, ...store } = describeExample({
    contract: { createdMs: at('2026-11-05T08:20Z') },
    until: '2027-01-12T00:00Z',
  });
  const [contract] = contracts;
  if (contract === undefined) throw new Error('The example has no contract.');
  const card = { answers: answers(...outcomes) };
  const description = { ...store, contracts: [0, 1].map((id) => ({ ...contract, id, card })) };
  const { emulated, service } = await simulate(
    description,
    { ...CALM, behaviour: { keysRemembered: 'forever' } },
    (world) => {
      const runAtMs = runStartAtMs({ hour: 10 }, world.service.store(), '2027-01-05');
      const atMs = runAtMs - 1000 * (target.secondsBefore ?? 3600);
      world.agenda.add(atMs, () => chargeWithKey(world, target));
    },
  );
  const [{ record }] = emulated.contracts as [Contracts[0]];
  const attempts = emulated.state.attempts
    .ofContract(record.id)
    .filter(({ cycleIndex }) => cycleIndex === ORDER_INDEX);
  const paid = attempts.filter(({ errorCode }) => errorCode === null);
  expect(paid).toHaveLength(1);
  const contractNumber = String(record.id) as ContractNumber;
  const ref = { shopId: service.store().shopId, contractNumber, cycleIndex: ORDER_INDEX };
  const charge = await service.deps.charges.find(ref);
  expect(charge).toMatchObject({
    state: 'CHARGED',
    attemptId: `gid://shopify/SubscriptionBillingAttempt/${paid[0]?.id}`,
  });
});
