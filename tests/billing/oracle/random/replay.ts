/** Does at the emulated platform what a description and its expectation say: events, and the attempts of the service. */

import { createScheduleSegment } from '../../../../sandbox/platform/state/billing-cycles.ts';
import type { ContractRecord } from '../../../../sandbox/platform/state/contract-records.ts';
import type { OutcomeStep } from '../../../../sandbox/platform/state/customer-records.ts';
import { formatIsoInstant } from '../../../../sandbox/platform/state/instant.ts';
import { type Json, newPlatform, type Platform } from '../../../sandbox/platform/admin/harness.ts';
import type { Answer, ContractDescription, ContractEvent, StoreDescription } from '../description.ts';
import type { ContractExpectation } from '../expectation.ts';

type Replay = {
  readonly store: StoreDescription;
  readonly contract: ContractDescription;
  readonly expected: ContractExpectation;
  readonly untilMs: number;
  readonly paceMs: number;
};

const STATUS_MUTATIONS = {
  ...{ activate: 'Activate', pause: 'Pause', fail: 'Fail', cancel: 'Cancel', expire: 'Expire' },
} as const;

/** Returns the refused attempts of the service, the final status, and each order with the codes of the service's attempts. */
export async function replayContract({ store, contract, expected, untilMs, paceMs }: Replay) {
  const platform = newPlatform();
  const record = addContract(platform, store, contract);
  const id = `gid://shopify/SubscriptionContract/${record.id}`;
  const refused: string[] = [];
  const tries = expected.orders.flatMap(({ index, tries: own }) =>
    own.flatMap(({ by, earliestMs }) => (by === 'SERVICE' ? [{ index, atMs: earliestMs + paceMs }] : [])),
  );
  const steps = [
    ...contract.events.map((event) => ({
      atMs: event.atMs,
      act: async () => {
        if (event.kind === 'card') record.outcomes = toOutcomeSteps(event.card.answers);
        else await runContractEvent(platform, record, event);
      },
    })),
    ...tries.map(({ index, atMs }) => ({
      atMs,
      act: async () => {
        const { userErrors } = await runAttempt(platform, { id, index, key: `service-${index}-${atMs}` });
        for (const { code } of userErrors) refused.push(`${index} ${code}`);
      },
    })),
  ].sort((one, other) => one.atMs - other.atMs);
  for (const { atMs, act } of steps) {
    platform.holder.nowMs = atMs;
    // An attempt that has ended by then is settled first.
    await platform.data('{ shop { id } }');
    await act();
  }
  platform.holder.nowMs = untilMs;
  await platform.data('{ shop { id } }');
  const orders = expected.orders.map(({ index }) => ({
    index,
    isBilled: record.billedCycles.includes(index),
    codes: [...platform.store().attempts.values()]
      .filter(({ contractId, cycleIndex }) => contractId === record.id && cycleIndex === index)
      .filter(({ idempotencyKey }) => idempotencyKey.startsWith('service-'))
      .map(({ completedAt, errorCode }) => (completedAt === null ? null : (errorCode ?? 'PAYS'))),
  }));
  return { refused, status: record.content.status, orders };
}

function addContract(
  platform: Platform,
  { earlyWithoutIndex = 'refused' }: StoreDescription,
  { createdMs, policy, billedCount, status, card }: ContractDescription,
): ContractRecord {
  const store = platform.store();
  const template = store.contracts.get(9101001);
  if (template === undefined) throw new Error('The seed has no contract.');
  const { hasEmptyCycle = false, ...frequency } = policy;
  const anchors = frequency.anchors.map((anchor) => ({ ...anchor, cutoffDay: null }));
  const severalAnchors = hasEmptyCycle ? 'emptyCycle' : 'alternate';
  store.unpublished = { ...store.unpublished, severalAnchors, earlyWithoutIndex, editReach: 'none' };
  const content = structuredClone(template.content);
  const start = { fromIndex: 1, startAt: formatIsoInstant(createdMs) };
  const record: ContractRecord = {
    ...{ ...template, id: 9_900_001, createdAt: start.startAt, cycleEdits: {} },
    content: { ...content, status, lines: content.lines.map((line) => ({ ...line, variantId: null })) },
    schedule: [createScheduleSegment(store, { ...start, policy: { ...frequency, anchors } })],
    billedCycles: Array.from({ length: billedCount }, (_, at) => at + 1),
    outcomes: toOutcomeSteps(card.answers),
  };
  store.contracts.set(record.id, record);
  return record;
}

function toOutcomeSteps(answers: readonly Answer[]): OutcomeStep[] {
  return answers.map(({ outcome, seconds }, at) => ({
    ...{ answer: outcome, delaySeconds: seconds },
    ...(at < answers.length - 1 && { count: 1 }),
  }));
}

type AttemptOfCycle = { readonly id: string; readonly index: number | null; readonly key: string };

function runAttempt(platform: Platform, { id, index, key }: AttemptOfCycle): Promise<Json> {
  const input = { idempotencyKey: key, ...(index !== null && { billingCycleSelector: { index } }) };
  return platform.run(ATTEMPT_MUTATION, { id, input });
}

// Values are variables: the platform parses and validates each text of a document once.
const ATTEMPT_MUTATION = `($id: ID!, $input: SubscriptionBillingAttemptInput!) {
  subscriptionBillingAttemptCreate(subscriptionContractId: $id, subscriptionBillingAttemptInput: $input) { userErrors { code } } }`;
const SCHEDULE_EDIT_MUTATION = `($cycle: SubscriptionBillingCycleInput!, $date: DateTime!) {
  subscriptionBillingCycleScheduleEdit(billingCycleInput: $cycle, input: { reason: DEV_INITIATED, billingDate: $date }) { userErrors { message } } }`;
const formatSkipMutation = (name: string) =>
  `($cycle: SubscriptionBillingCycleInput!) { subscriptionBillingCycle${name}(billingCycleInput: $cycle) { userErrors { message } } }`;
const formatStatusMutation = (name: string) =>
  `($id: ID!) { subscriptionContract${name}(subscriptionContractId: $id) { userErrors { code } } }`;

/** Runs the mutation of an event, if it has one. A refused event changes nothing, as the oracle expects. */
export async function runContractEvent(
  platform: Platform,
  record: ContractRecord,
  event: ContractEvent,
): Promise<void> {
  const id = `gid://shopify/SubscriptionContract/${record.id}`;
  const toCycle = (index: number) => ({ contractId: id, selector: { index } });
  if (event.kind === 'skip') await platform.run(formatSkipMutation('Skip'), { cycle: toCycle(event.index) });
  else if (event.kind === 'unskip')
    await platform.run(formatSkipMutation('Unskip'), { cycle: toCycle(event.index) });
  else if (event.kind === 'move') {
    const date = formatIsoInstant(event.toMs);
    await platform.run(SCHEDULE_EDIT_MUTATION, { cycle: toCycle(event.index), date });
  } else if (event.kind === 'charge') {
    const key = `job-${record.id}-${event.atMs}-${event.index}`;
    await runAttempt(platform, { id, index: event.index, key });
  } else if (event.kind in STATUS_MUTATIONS) {
    const name = STATUS_MUTATIONS[event.kind as keyof typeof STATUS_MUTATIONS];
    await platform.run(formatStatusMutation(name), { id });
  }
}
