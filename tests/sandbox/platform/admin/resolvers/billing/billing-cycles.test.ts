import { describe, expect, test } from '@jest/globals';
import {
  type BehaviourSettings,
  createDefaultBehaviour,
} from '../../../../../../sandbox/platform/state/unpublished-behaviour.ts';
import { absent, dayMs, newPlatform, type Platform, paused, weekly } from '../../harness.ts';

const cycleFields = 'cycleIndex status skipped edited cycleStartAt cycleEndAt billingAttemptExpectedDate';

async function cycle(platform: Platform, index: number) {
  const { subscriptionBillingCycle } = await platform.data(
    `query ($index: Int!) { subscriptionBillingCycle(billingCycleInput: { contractId: "${weekly}", selector: { index: $index } }) { ${cycleFields} } }`,
    { index },
  );
  return subscriptionBillingCycle;
}

function edit(selector: string, input: string, contractId = weekly) {
  return `{ subscriptionBillingCycleScheduleEdit(billingCycleInput: { contractId: "${contractId}", selector: ${selector} }, input: { reason: BUYER_INITIATED ${input} }) { billingCycle { ${cycleFields} } userErrors { field code message } } }`;
}

describe('reading', () => {
  test('an absent contract nulls the whole data with an error, as a non-null root does', async () => {
    const answer = await newPlatform().ask(
      `{ subscriptionBillingCycles(contractId: "${absent}", first: 1) { nodes { cycleIndex } } shop { name } }`,
    );
    expect(answer.data).toBeNull();
    expect(answer.errors).toMatchObject([
      { path: ['subscriptionBillingCycles'], extensions: { code: 'RESOURCE_NOT_FOUND' } },
    ]);
  });

  test.each([
    '{ index: 0 }',
    '{ index: -3 }',
    '{ index: 100000 }',
    '{ date: "2001-01-01T00:00:00Z" }',
    '{}',
    '{ index: 1, date: "2026-11-21T00:00:00Z" }',
  ])('the selector %s finds none', async (selector) => {
    const found = await newPlatform().data(
      `{ subscriptionBillingCycle(billingCycleInput: { contractId: "${weekly}", selector: ${selector} }) { cycleIndex } }`,
    );
    expect(found).toEqual({ subscriptionBillingCycle: null });
  });

  test('by date: the cycle that holds it', async () => {
    const found = await newPlatform().data(
      `{ subscriptionBillingCycle(billingCycleInput: { contractId: "${weekly}", selector: { date: "2026-11-21T08:30:00Z" } }) { cycleIndex status } }`,
    );
    expect(found).toEqual({ subscriptionBillingCycle: { cycleIndex: 7, status: 'UNBILLED' } });
  });

  test.each([
    [
      'a date range takes what overlaps it',
      'billingCyclesDateRangeSelector: { startDate: "2026-11-21T00:00:00Z", endDate: "2026-12-03T00:00:00Z" }',
      [7, 8, 9],
    ],
    ['an index range', 'billingCyclesIndexRangeSelector: { startIndex: 2, endIndex: 4 }', [2, 3, 4]],
    ['none: from the first on', '', [1, 2, 3]],
    [
      'before the contract: nothing',
      'billingCyclesDateRangeSelector: { startDate: "2001-01-01T00:00:00Z", endDate: "2002-01-01T00:00:00Z" }',
      [],
    ],
  ])('%s', async (_name, selector, indices) => {
    const first = selector === '' ? 3 : 250;
    const { subscriptionBillingCycles } = await newPlatform().data(
      `{ subscriptionBillingCycles(contractId: "${weekly}", first: ${first}, ${selector}) { nodes { cycleIndex } } }`,
    );
    expect(subscriptionBillingCycles.nodes.map((node: { cycleIndex: number }) => node.cycleIndex)).toEqual(
      indices,
    );
  });

  test.each([
    'billingCyclesIndexRangeSelector: { startIndex: 0, endIndex: 4 }',
    'billingCyclesIndexRangeSelector: { startIndex: 3, endIndex: 2 }',
    'billingCyclesDateRangeSelector: { startDate: "2027-01-01T00:00:00Z", endDate: "2026-01-01T00:00:00Z" }',
  ])('%s is an error', async (selector) => {
    const answer = await newPlatform().ask(
      `{ subscriptionBillingCycles(contractId: "${weekly}", first: 3, ${selector}) { nodes { cycleIndex } } }`,
    );
    expect(answer.errors).toMatchObject([{ extensions: { code: 'INVALID_FIELD_ARGUMENTS' } }]);
  });
});

describe('skip and unskip', () => {
  const skip = (name: string, index: number, id = weekly) =>
    `{ subscriptionBillingCycle${name}(billingCycleInput: { contractId: "${id}", selector: { index: ${index} } }) { billingCycle { skipped edited } userErrors { field code } } }`;

  test.each([
    [absent, 7, 'contractId'],
    [weekly, 0, 'selector'],
    [weekly, 3, 'selector'],
  ])('returns INVALID for contract %s, cycle %d', async (id, index, field) => {
    for (const name of ['Skip', 'Unskip']) {
      const { billingCycle, userErrors } = await newPlatform().run(skip(name, index, id));
      expect(billingCycle).toBeNull();
      expect(userErrors).toMatchObject([{ code: 'INVALID', field: expect.arrayContaining([field]) }]);
    }
  });

  test('skips, twice the same, and unskips', async () => {
    const platform = newPlatform();
    for (const [name, skipped] of [
      ['Skip', true],
      ['Skip', true],
      ['Unskip', false],
      ['Unskip', false],
    ] as const) {
      expect(await platform.run(skip(name, 8))).toEqual({
        billingCycle: { skipped, edited: skipped },
        userErrors: [],
      });
      expect((await cycle(platform, 8)).skipped).toBe(skipped);
      expect((await cycle(platform, 7)).skipped).toBe(false);
    }
  });
});

describe('schedule edits', () => {
  test.each([
    ['{ index: 7 }', '', 'EMPTY_BILLING_CYCLE_EDIT_SCHEDULE_INPUT'],
    ['{ index: 0 }', ', skip: true', 'INVALID_CYCLE_INDEX'],
    ['{ index: 9999 }', ', skip: true', 'UPCOMING_CYCLE_LIMIT_EXCEEDED'],
    ['{ date: "2001-01-01T00:00:00Z" }', ', skip: true', 'CYCLE_START_DATE_OUT_OF_RANGE'],
    ['{ index: 7 }', ', skip: true, billingDate: "2026-11-24T00:00:00Z"', 'BILLING_DATE_SET_ON_SKIPPED'],
    ['{ index: 7 }', ', billingDate: "2026-11-30T00:00:00Z"', 'OUT_OF_BOUNDS'],
    ['{ index: 3 }', ', skip: true', 'INVALID'],
  ])('%s with %j is %s', async (selector, input, code) => {
    const { billingCycle, userErrors } = await newPlatform().run(edit(selector, input));
    expect(billingCycle).toBeNull();
    expect(userErrors).toMatchObject([{ code }]);
  });

  test('an absent contract is a user error', async () => {
    expect((await newPlatform().run(edit('{ index: 1 }', ', skip: true', absent))).userErrors).toMatchObject([
      { field: ['billingCycleInput', 'contractId'] },
    ]);
  });

  test('a moved order is on its new day; the cycle keeps its bounds; a skip keeps the day', async () => {
    const platform = newPlatform();
    const before = await cycle(platform, 8);
    const moved = { ...before, edited: true, billingAttemptExpectedDate: '2026-11-30T10:00:00Z' };
    expect(
      (await platform.run(edit('{ index: 8 }', ', billingDate: "2026-11-30T10:00:00Z"'))).billingCycle,
    ).toEqual(moved);
    await platform.run(edit('{ index: 8 }', ', skip: true'));
    expect((await platform.run(edit('{ index: 8 }', ', skip: false'))).billingCycle).toEqual(moved);
    await platform.run(edit('{ index: 8 }', `, billingDate: "${before.cycleEndAt}"`));
    expect(await cycle(platform, 8)).toEqual(before);
  });

  test('edits outlive a pause', async () => {
    const platform = newPlatform();
    await platform.run(edit('{ index: 3 }', ', skip: true', paused));
    await platform.run(
      `{ subscriptionContractActivate(subscriptionContractId: "${paused}") { contract { status } } }`,
    );
    const { subscriptionBillingCycle } = await platform.data(
      `{ subscriptionBillingCycle(billingCycleInput: { contractId: "${paused}", selector: { index: 3 } }) { skipped } }`,
    );
    expect(subscriptionBillingCycle.skipped).toBe(true);
  });

  test('a schedule edit outdates no draft', async () => {
    const platform = newPlatform();
    const { draft } = await platform.run(
      `{ subscriptionContractUpdate(contractId: "${weekly}") { draft { id } } }`,
    );
    await platform.run(edit('{ index: 8 }', ', skip: true'));
    const committed = await platform.run(
      `{ subscriptionDraftCommit(draftId: "${draft.id}") { contract { id } userErrors { code } } }`,
    );
    expect(committed.userErrors).toEqual([]);
  });
});

describe('unpublished behaviour of schedule edits', () => {
  const inWay = (way: Partial<BehaviourSettings>) => {
    const platform = newPlatform();
    platform.store().unpublished = { ...createDefaultBehaviour(), ...way };
    return platform;
  };

  test.each([
    ['instant', '2026-12-02T10:00:00Z', 'OUT_OF_BOUNDS'],
    ['day', '2026-12-02T10:00:00Z', undefined],
    // The last day in New York, and the day after it.
    ['day', '2026-12-03T04:59:59Z', undefined],
    ['day', '2026-12-03T05:00:00Z', 'OUT_OF_BOUNDS'],
    // The first day, and the day before it.
    ['day', '2026-11-25T05:00:00Z', undefined],
    ['day', '2026-11-25T04:59:59Z', 'OUT_OF_BOUNDS'],
  ] as const)('with the bounds of an %s, a move to %s returns %s', async (cycleBounds, date, code) => {
    const platform = inWay({ cycleBounds });
    expect(await cycle(platform, 8)).toMatchObject({
      cycleStartAt: '2026-11-25T08:00:01Z',
      cycleEndAt: '2026-12-02T08:00:00Z',
    });
    const { userErrors } = await platform.run(edit('{ index: 8 }', `, billingDate: "${date}"`));
    expect(userErrors[0]?.code).toBe(code);
  });

  test.each([
    ['kept', '2026-11-30T10:00:00Z'],
    ['dropped', '2026-12-02T08:00:00Z'],
  ] as const)('the date of a skipped order is %s', async (skippedDates, date) => {
    const platform = inWay({ skippedDates });
    await platform.run(edit('{ index: 8 }', ', billingDate: "2026-11-30T10:00:00Z"'));
    await platform.run(edit('{ index: 8 }', ', skip: true'));
    const { billingCycle } = await platform.run(edit('{ index: 8 }', ', skip: false'));
    expect(billingCycle).toMatchObject({ skipped: false, billingAttemptExpectedDate: date });
  });

  test.each([
    ['keeps', '2026-11-30T10:00:00Z'],
    ['recounts', '2026-12-02T08:00:00Z'],
  ] as const)(
    'the platform %s the cycles after a commit of the same policy',
    async (samePolicyCommit, date) => {
      const platform = inWay({ samePolicyCommit });
      await platform.run(edit('{ index: 8 }', ', billingDate: "2026-11-30T10:00:00Z"'));
      await platform.run(edit('{ index: 9 }', ', skip: true'));
      const commit = async (input: string) => {
        const { draft } = await platform.run(
          `{ subscriptionContractUpdate(contractId: "${weekly}") { draft { id } userErrors { code } } }`,
        );
        await platform.run(
          `{ subscriptionDraftUpdate(draftId: "${draft.id}", input: { ${input} }) { userErrors { code } } }`,
        );
        await platform.run(
          `{ subscriptionDraftCommit(draftId: "${draft.id}") { contract { id } userErrors { code } } }`,
        );
      };
      await commit('note: "A note"');
      expect(await cycle(platform, 8)).toMatchObject({ billingAttemptExpectedDate: '2026-11-30T10:00:00Z' });
      await commit('billingPolicy: { interval: WEEK, intervalCount: 1 }');
      expect(await cycle(platform, 8)).toMatchObject({ billingAttemptExpectedDate: date });
      expect(await cycle(platform, 9)).toMatchObject({ skipped: true });
    },
  );

  test.each([
    ['year', 'UPCOMING_CYCLE_LIMIT_EXCEEDED'],
    ['none', undefined],
  ] as const)('with the reach %s, an edit more than a year ahead returns %s', async (editReach, code) => {
    const platform = inWay({ editReach });
    expect((await platform.run(edit('{ index: 59 }', ', skip: true'))).userErrors).toEqual([]);
    expect((await platform.run(edit('{ index: 61 }', ', skip: true'))).userErrors[0]?.code).toBe(code);
  });
});

test('a planned refusal of one mutation leaves the others of the document', async () => {
  const platform = newPlatform();
  const roots = [8, 9, 10].map(
    (index) => `c${index}: ${edit(`{ index: ${index} }`, ', skip: true').slice(1, -1)}`,
  );
  const body = JSON.stringify({ query: `mutation { ${roots.join(' ')} }` });
  const { data } = JSON.parse((await platform.send(body, { refusedMutationNumber: 2 })).body);
  expect(data).toMatchObject({
    c8: { billingCycle: { skipped: true }, userErrors: [] },
    c9: { billingCycle: null, userErrors: [{ code: 'INVALID' }] },
    c10: { billingCycle: { skipped: true }, userErrors: [] },
  });
  expect((await cycle(platform, 9)).skipped).toBe(false);
});

describe('taking edits back', () => {
  const one = (index: number) =>
    `{ subscriptionBillingCycleEditDelete(billingCycleInput: { contractId: "${weekly}", selector: { index: ${index} } }) { billingCycles { cycleIndex edited } userErrors { code } } }`;
  const all = `{ subscriptionBillingCycleEditsDelete(contractId: "${weekly}", targetSelection: ALL) { billingCycles { cycleIndex } userErrors { code } } }`;

  test('returns NO_CYCLE_EDITS without edits', async () => {
    const platform = newPlatform();
    expect((await platform.run(one(8))).userErrors).toEqual([{ code: 'NO_CYCLE_EDITS' }]);
    expect((await platform.run(all)).userErrors).toEqual([{ code: 'NO_CYCLE_EDITS' }]);
  });

  test('deletes one edit, then all', async () => {
    const platform = newPlatform();
    for (const index of [8, 9, 10]) await platform.run(edit(`{ index: ${index} }`, ', skip: true'));
    expect((await platform.run(one(9))).billingCycles).toEqual([{ cycleIndex: 9, edited: false }]);
    expect((await platform.run(all)).billingCycles).toEqual([{ cycleIndex: 8 }, { cycleIndex: 10 }]);
    expect((await cycle(platform, 8)).skipped).toBe(false);
  });
});

test('time goes on: the next cycle is the current one', async () => {
  const platform = newPlatform();
  platform.holder.nowMs += 7 * dayMs;
  const found = await platform.data(
    `query ($date: DateTime!) { subscriptionBillingCycle(billingCycleInput: { contractId: "${weekly}", selector: { date: $date } }) { cycleIndex } }`,
    {
      date: new Date(platform.holder.nowMs).toISOString(),
    },
  );
  expect(found.subscriptionBillingCycle.cycleIndex).toBe(8);
});
