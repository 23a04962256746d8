/** Pausing, resuming and cancelling; moving, skipping and charging one order. */
import { expect } from '@jest/globals';
import { findCycleAt, findCycleByIndex } from '../../../../sandbox/platform/state/billing-cycles.ts';
import type { ContractRecord } from '../../../../sandbox/platform/state/contract-records.ts';
import { DAY_MS, formatIsoInstant } from '../../../../sandbox/platform/state/instant.ts';
import { describeOperation } from '../../../contract/world/operation-cases.ts';
import { NOW_MS } from '../../../graphql/world/harness.ts';
import { createMemoryTable } from '../../../memory-table.ts';

const ERRORS = 'userErrors { field message code }';
const table = createMemoryTable;
const statusOf = ({ content }: ContractRecord) => content.status;
const date = (days: number) => formatIsoInstant(NOW_MS + days * DAY_MS);
const contractArgument = 'subscriptionContractId';

describeOperation('subscriptionContractPause', {
  query: `mutation ($contractId: ID!, $until: DateTime, $reason: String) {
    subscriptionContractPause(subscriptionContractId: $contractId, until: $until, reason: $reason) {
      contract { status } ${ERRORS}
    }
  }`,
  variables: () => ({ until: date(30), reason: 'away' }),
  contractArgument,
  table,
  fact: statusOf,
  after: 'PAUSED',
  payload: { contract: { status: 'PAUSED' } },
  changesBy: 'subscriptionContractPause',
  requests: { change: 2, retry: 2 },
  action: 'subscription_paused',
});

describeOperation('subscriptionContractActivate', {
  query: `mutation ($contractId: ID!) {
    subscriptionContractActivate(subscriptionContractId: $contractId) { contract { status } ${ERRORS} }
  }`,
  variables: () => ({}),
  contractArgument,
  table,
  prepare: (_world, { content }) => {
    content.status = 'PAUSED';
  },
  fact: statusOf,
  after: 'ACTIVE',
  payload: { contract: { status: 'ACTIVE' } },
  changesBy: 'subscriptionContractActivate',
  requests: { change: 2, retry: 2 },
  action: 'subscription_resumed',
});

describeOperation('subscriptionContractActivate with a date', {
  query: `mutation ($contractId: ID!, $date: DateTime) {
    subscriptionContractActivate(subscriptionContractId: $contractId, nextBillingDate: $date) {
      contract { status nextBillingDate } ${ERRORS}
    }
  }`,
  variables: () => ({ date: date(20) }),
  contractArgument,
  table,
  prepare: (_world, { content }) => {
    content.status = 'PAUSED';
  },
  fact: ({ content }) => [content.status, content.nextBillingDate],
  after: ['ACTIVE', date(20)],
  payload: { contract: { status: 'ACTIVE', nextBillingDate: date(20) } },
  changesBy: 'subscriptionDraftCommit',
  requests: { change: 6, retry: 2 },
  action: 'subscription_resumed',
});

describeOperation('subscriptionContractCancel', {
  query: `mutation ($contractId: ID!, $reason: SubscriptionCancellationReasonInput) {
    subscriptionContractCancel(subscriptionContractId: $contractId, reason: $reason) {
      contract { status } ${ERRORS}
    }
  }`,
  variables: () => ({ reason: { code: 'MOVED', comment: 'to Bern' } }),
  contractArgument,
  table,
  endedStatus: 'EXPIRED',
  fact: statusOf,
  after: 'CANCELLED',
  payload: { contract: { status: 'CANCELLED' } },
  changesBy: 'subscriptionContractCancel',
  requests: { change: 2, retry: 2 },
  action: 'subscription_cancelled',
});

/** Index of the order after the coming one, so that a move and a skip lie ahead. */
const nextIndex = (contract: ContractRecord) => (findCycleAt(contract, NOW_MS)?.index ?? 0) + 1;

function next(contract: ContractRecord) {
  const cycle = findCycleByIndex(contract, nextIndex(contract));
  if (cycle === null) throw new Error('the contract has no next cycle');
  return cycle;
}

/** A day before its own. */
const earlier = (contract: ContractRecord) => formatIsoInstant(next(contract).endMs - DAY_MS);

describeOperation('subscriptionBillingCycleReschedule', {
  query: `mutation ($contractId: ID!, $index: Int!, $date: DateTime!) {
    subscriptionBillingCycleReschedule(contractId: $contractId, billingCycleIndex: $index, billingDate: $date) {
      billingCycle { edited } contract { status } ${ERRORS}
    }
  }`,
  variables: (contract) => ({ index: nextIndex(contract), date: earlier(contract) }),
  contractArgument: 'contractId',
  table,
  fact: (contract) => next(contract).expectedMs === next(contract).endMs - DAY_MS,
  after: true,
  payload: { billingCycle: { edited: true }, contract: { status: 'ACTIVE' } },
  changesBy: 'subscriptionBillingCycleScheduleEdit',
  requests: { change: 2, retry: 2 },
  action: 'billing_cycle_rescheduled',
});

describeOperation('subscriptionBillingCycleSkip', {
  query: `mutation ($contractId: ID!, $index: Int!) {
    subscriptionBillingCycleSkip(contractId: $contractId, billingCycleIndex: $index) {
      billingCycle { skipped } ${ERRORS}
    }
  }`,
  variables: (contract) => ({ index: nextIndex(contract) }),
  contractArgument: 'contractId',
  table,
  fact: (contract) => next(contract).skipped,
  after: true,
  payload: { billingCycle: { skipped: true } },
  changesBy: 'subscriptionBillingCycleScheduleEdit',
  requests: { change: 2, retry: 2 },
  action: 'billing_cycle_skipped',
});

const currentIndex = (contract: ContractRecord) => nextIndex(contract) - 1;

describeOperation('subscriptionBillingCycleCharge', {
  query: `mutation ($contractId: ID!, $index: Int!) {
    subscriptionBillingCycleCharge(subscriptionContractId: $contractId, billingCycleSelector: { index: $index }) {
      subscriptionBillingAttempt { idempotencyKey ready } ${ERRORS}
    }
  }`,
  variables: (contract) => ({ index: currentIndex(contract) }),
  contractArgument,
  table,
  actors: ['store', 'store for a customer'],
  prepare: ({ platform }, contract) => {
    const store = platform.store();
    store.chargeDelaySeconds = 3600;
    const billingDate = formatIsoInstant(NOW_MS + DAY_MS / 2);
    contract.cycleEdits[currentIndex(contract)] = { skipped: false, billingDate, contract: null };
  },
  fact: (contract, { platform }) =>
    [...platform.store().attempts.values()].filter(
      ({ contractId, cycleIndex }) => contractId === contract.id && cycleIndex === currentIndex(contract),
    ).length,
  after: 1,
  payload: {
    subscriptionBillingAttempt: {
      idempotencyKey: expect.stringMatching(/^charge-9101001-[0-9]+-0-[0-9a-f]{8}$/),
      ready: false,
    },
  },
  changesBy: 'subscriptionBillingAttemptCreate',
  requests: { change: 2, retry: 2 },
  action: 'billing_cycle_charged',
  isCertain: true,
  absentCode: 'CONTRACT_NOT_FOUND',
});
