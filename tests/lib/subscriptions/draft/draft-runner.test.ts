/**
 * The common behaviour of all draft operations, in addition to operation-cases.ts: the client's selection, and
 * unexpected rejections.
 */
import { describe, expect, test } from '@jest/globals';
import { ServiceError } from '../../../../lib/errors/service-error.ts';
import type { Timeline } from '../../../../lib/timeline/timeline.ts';
import type { ContractRecord } from '../../../../sandbox/platform/state/contract-records.ts';
import { longDay } from '../../../contract/operations/long-day.ts';
import { LINES, lineId } from '../../../contract/world/lines-operation.ts';
import { createOperationWorld, gid, type OperationWorld } from '../../../contract/world/operation-world.ts';
import { noIdempotency } from '../../../graphql/world/harness.ts';

const WEEKLY = 9_101_001;
const CONTRACT = gid('SubscriptionContract', WEEKLY);
describe("the client's selection", () => {
  const CONDITIONAL = `mutation ($contractId: ID!, $note: String, $show: Boolean!, $size: Int!) {
    subscriptionContractNoteUpdate(contractId: $contractId, note: $note) {
      contract @include(if: $show) { lines(first: $size) { nodes { ...Line } } }
      userErrors: contract { note }
      problems: userErrors { code }
    }
  }
  fragment Line on SubscriptionLine { quantity }`;

  test.each([
    [true, { contract: { lines: { nodes: [{ quantity: 1 }] } } }],
    [false, {}],
  ])('included: %s; what uses its variables and fragments is no error', async (show, selected) => {
    const world = createOperationWorld();
    const variables = { contractId: CONTRACT, note: 'Ring twice', show, size: 2 };
    for (const requests of [4, 2]) {
      const { payload, sent, code } = await world.run({ as: 'store', query: CONDITIONAL, variables });
      expect(code).toBeUndefined();
      expect(payload).toEqual({ ...selected, userErrors: { note: 'Ring twice' }, problems: [] });
      expect(sent).toHaveLength(requests);
    }
  });

  test('without the contract there is nothing to read when nothing changes', async () => {
    const world = createOperationWorld();
    const query = `mutation ($contractId: ID!, $show: Boolean!) {
      subscriptionContractNoteUpdate(contractId: $contractId, note: "Ring twice") {
        contract @include(if: $show) { id } userErrors { code }
      }
    }`;
    const variables = { contractId: CONTRACT, show: false };
    for (const requests of [4, 1]) {
      const { payload, sent } = await world.run({ as: 'store', query, variables });
      expect(payload).toEqual({ userErrors: [] });
      expect(sent).toHaveLength(requests);
    }
  });
});

function begin() {
  const world = createOperationWorld();
  const contract = world.contract(WEEKLY);
  const run = (more: { readonly timeline?: Timeline } = {}) =>
    world.run({ as: 'customer', query: LINES, variables: linesFor(contract), ...more });
  const linesFor = (one: ContractRecord) => ({
    contractId: CONTRACT,
    update: [{ lineId: lineId(one), quantity: 5 }],
  });
  return { world, contract, run };
}

const outcomes = (recorded: readonly { readonly outcome: string }[]) =>
  recorded.map(({ outcome }) => outcome);

describe('a coming order that was edited by itself', () => {
  test('refuses the change by its date, and stays as it is', async () => {
    const { world, contract, run } = begin();
    const { content, createdAt } = structuredClone(contract);
    const edit = { content, createdAt, updatedAt: createdAt, concatenated: [] };
    contract.cycleEdits[9] = { skipped: false, billingDate: null, contract: edit };
    const day = longDay(Date.parse(await expectedDate(world, 9)));
    const { payload, recorded } = await run();
    expect(payload.userErrors).toEqual([
      { field: ['contractId'], code: 'HAS_FUTURE_EDITS', message: expect.stringContaining(day) },
    ]);
    expect(contract.content.lines[0]?.quantity).toBe(1);
    expect(contract.cycleEdits[9]?.contract).toEqual(edit);
    expect(outcomes(recorded)).toEqual(['not done']);
  });
});

/** The date of an order, as the platform writes it. */
async function expectedDate({ platform }: OperationWorld, index: number): Promise<string> {
  const id = `gid://shopify/SubscriptionContract/${WEEKLY}`;
  const input = `{ contractId: "${id}", selector: { index: ${index} } }`;
  const { cycle } = await platform.data(
    `{ cycle: subscriptionBillingCycle(billingCycleInput: ${input}) { billingAttemptExpectedDate } }`,
  );
  return cycle.billingAttemptExpectedDate;
}

describe('before the commit', () => {
  test('a lost answer to the opening is asked for again', async () => {
    const { world, contract, run } = begin();
    world.fail({ kind: 'lost after', at: 'subscriptionContractUpdate' });
    const { payload, recorded } = await run();
    expect(payload.userErrors).toEqual([]);
    expect(contract.content.lines[0]?.quantity).toBe(5);
    expect(outcomes(recorded)).toEqual(['done']);
  });

  test.each(['lost before', 'lost after'] as const)(
    '%s: a lost change is no unknown outcome',
    async (kind) => {
      const { world, contract, run } = begin();
      world.fail({ kind, at: 'subscriptionDraftLineUpdate' });
      const { code, payload, sent } = await run();
      expect([code, payload]).toEqual(['PLATFORM_UNAVAILABLE', null]);
      expect(sent.flat()).not.toContain('subscriptionDraftCommit');
      expect(contract.content.lines[0]?.quantity).toBe(1);
    },
  );

  test('without an intent the platform is not asked to change anything', async () => {
    const { contract, run } = begin();
    const content = structuredClone(contract);
    const timeline: Timeline = {
      begin: () => () => Promise.reject(new ServiceError('TEMPORARILY_UNAVAILABLE')),
      readEvents: () => Promise.reject(new Error('not read')),
      findEvents: () => Promise.reject(new Error('not read')),
      idempotency: noIdempotency,
    };
    const { code, sent } = await run({ timeline });
    expect(code).toBe('TEMPORARILY_UNAVAILABLE');
    expect(sent).toEqual([['subscriptionContract']]);
    expect(contract).toEqual(content);
  });
});

test('throttled at the commit for good: nothing is changed, and the intent goes', async () => {
  const { world, contract, run } = begin();
  world.fail({ kind: 'stale', at: 'subscriptionDraftCommit', change: () => world.throttle(1000) });
  const reported: string[] = [];
  const ending = (outcome: string) => async () => void reported.push(outcome);
  const open = {
    settleAsDone: ending('done'),
    recordAlso: async () => undefined,
    settleAsObserved: ending('seen'),
    settleWithAttempt: ending('attempted'),
    settleAsNotDone: ending('not done'),
  };
  const timeline: Timeline = {
    begin: () => async () => open,
    readEvents: () => Promise.reject(new Error('not read')),
    findEvents: () => Promise.reject(new Error('not read')),
    idempotency: noIdempotency,
  };
  const { code } = await run({ timeline });
  expect([code, reported]).toEqual(['THROTTLED', ['not done']]);
  expect(contract.content.lines[0]?.quantity).toBe(1);
});

describe('somebody else commits first', () => {
  test('three times: the fourth try is done, and it alone has an entry', async () => {
    const { world, contract, run } = begin();
    world.fail({ kind: 'stale', at: 'subscriptionDraftCommit', times: 3 });
    const { payload, recorded } = await run();
    expect(payload.userErrors).toEqual([]);
    expect(contract.content.lines[0]?.quantity).toBe(5);
    expect(outcomes(recorded)).toEqual(['not done', 'not done', 'not done', 'done']);
  });

  test('the very same change: there is nothing left to do, and no entry', async () => {
    const { world, contract, run } = begin();
    const [line] = contract.content.lines;
    world.fail({
      kind: 'stale',
      at: 'subscriptionDraftCommit',
      change: () => void Object.assign(line ?? {}, { quantity: 5 }),
    });
    const { payload, recorded, sent } = await run();
    expect(payload.contract.lines.nodes).toMatchObject([{ quantity: 5 }]);
    expect(outcomes(recorded)).toEqual(['not done']);
    expect(sent.filter((roots) => roots.includes('subscriptionDraftCommit'))).toHaveLength(1);
  });

  test.each(['subscriptionContractUpdate', 'subscriptionDraftCommit'])(
    'a cancellation, seen by %s: the contract has ended',
    async (at) => {
      const { world, contract, run } = begin();
      const cancel = () => void Object.assign(contract.content, { status: 'CANCELLED' });
      world.fail({ kind: 'stale', at, change: cancel });
      const { payload, recorded } = await run();
      expect(payload.userErrors).toMatchObject([{ field: ['contractId'], code: 'CONTRACT_TERMINATED' }]);
      expect(contract.content.lines[0]?.quantity).toBe(1);
      expect(outcomes(recorded)).toEqual(['not done']);
    },
  );
});
