/** Pausing, resuming and cancelling: the behaviour in addition to that of every operation (operation-cases.ts). */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { ServiceError } from '../../../../lib/errors/service-error.ts';
import type { AdminOperation } from '../../../../lib/platform/admin-api/admin-client.ts';
import type { Table } from '../../../../lib/storage/table.ts';
import { parseContractRef } from '../../../../lib/subscriptions/contract-ref.ts';
import { createTimedPauseRepository } from '../../../../lib/subscriptions/pause/timed-pauses.ts';
import { DAY_MS, formatIsoInstant } from '../../../../sandbox/platform/state/instant.ts';
import {
  type Acting,
  createOperationWorld,
  gid,
  type OperationWorld,
} from '../../../contract/world/operation-world.ts';
import { NOW_MS, runPlan, store } from '../../../graphql/world/harness.ts';
import { createMemoryTable } from '../../../memory-table.ts';

let table: Table;
let world: OperationWorld;
beforeEach(() => {
  table = createMemoryTable();
  world = createOperationWorld();
});

const WEEKLY = 9_101_001;
const MONTHLY = 9_101_002;
const PAUSED = 9_101_003;
const date = (days: number) => formatIsoInstant(NOW_MS + days * DAY_MS);
const refused = (code: string, field: string) => [{ code, field: [field] }];

/** One of the three mutations with these arguments beside the contract's. */
function ask(mutation: 'Pause' | 'Activate' | 'Cancel', args = '', options: Options = {}) {
  const { as = 'customer', id = WEEKLY } = options;
  const contract = `subscriptionContractId: "${gid('SubscriptionContract', id)}"`;
  const query = `mutation { subscriptionContract${mutation}(${contract} ${args}) {
    contract { status nextBillingDate } userErrors { code field }
  } }`;
  return world.run({ as, query, table: options.table ?? table });
}
type Options = { readonly as?: Acting; readonly id?: number; readonly table?: Table };

const ENDED = expect.objectContaining({ field: 'currentPause.resumesAt', before: date(9), after: null });
const errorsOf = async (pending: ReturnType<typeof ask>) => (await pending).payload.userErrors;
const recordOf = async (pending: ReturnType<typeof ask>) => (await pending).recorded;
const content = (id = WEEKLY) => world.contract(id).content;

/** Reads the stored data of a pause. */
async function remaining(id = WEEKLY) {
  const ref = parseContractRef(store.shopId, gid('SubscriptionContract', id));
  return ref && createTimedPauseRepository({ table, now: () => NOW_MS }).read(ref);
}

describe('pausing', () => {
  test.each([
    ['until yesterday', `until: "${date(-1)}"`, 'DATE_IN_PAST', 'until'],
    ['until now', `until: "${formatIsoInstant(NOW_MS)}"`, 'DATE_IN_PAST', 'until'],
    ['for more than a year', `until: "${date(366)}"`, 'DATE_TOO_FAR', 'until'],
  ])('%s is refused, and nothing is changed', async (_name, args, code, field) => {
    const { payload, sent, recorded } = await ask('Pause', args);
    expect(payload).toEqual({ contract: null, userErrors: refused(code, field) });
    expect([sent.length, recorded, content().status, await remaining()]).toEqual([
      1,
      [],
      'ACTIVE',
      undefined,
    ]);
  });

  test('a year ahead is not too far', async () => {
    expect(await errorsOf(ask('Pause', `until: "${date(365)}"`))).toEqual([]);
  });

  test('stores who paused, why and until when', async () => {
    const { recorded } = await ask('Pause', `until: "${date(9)}", reason: "away"`, {
      as: 'store for a customer',
    });
    expect(recorded).toMatchObject([
      {
        details: { until: date(9), reason: 'away' },
        changes: [
          { field: 'status', before: 'ACTIVE', after: 'PAUSED' },
          { field: 'currentPause.resumesAt', before: null, after: date(9) },
        ],
      },
    ]);
    expect(await remaining()).toMatchObject({
      pausedAtMs: NOW_MS,
      pausedBy: { kind: 'CUSTOMER', customerId: 7001001 },
      resumesAtMs: NOW_MS + 9 * DAY_MS,
      reason: 'away',
    });
  });

  test('replaces end and reason of a pause, with an entry, and keeps who paused', async () => {
    await ask('Pause', `until: "${date(9)}", reason: "away"`);
    const again = await ask('Pause', `until: "${date(20)}"`, { as: 'store' });
    expect(again.sent).toHaveLength(2);
    expect(again.sent.flat()).not.toContain('subscriptionContractPause');
    expect(again.recorded).toMatchObject([
      {
        changes: [
          { field: 'currentPause.resumesAt', before: date(9), after: date(20) },
          { field: 'currentPause.reason', before: null, after: null },
        ],
        outcome: 'done',
      },
    ]);
    const pause = await remaining();
    expect(pause).toMatchObject({ pausedBy: { kind: 'CUSTOMER' }, setBy: { kind: 'MERCHANT' } });
    expect([pause?.resumesAtMs, pause?.reason]).toEqual([NOW_MS + 20 * DAY_MS, undefined]);
    expect(await recordOf(ask('Pause'))).toMatchObject([{ changes: [{ before: date(20), after: null }] }]);
    expect((await remaining())?.resumesAtMs).toBeUndefined();
    expect(await recordOf(ask('Pause'))).toEqual([]);
  });

  test.each([
    ['the reason', `until: "${date(9)}", reason: "ill"`, ['currentPause.reason']],
    ['the end', `until: "${date(8)}", reason: "away"`, ['currentPause.resumesAt']],
    ['both', '', ['currentPause.resumesAt', 'currentPause.reason']],
  ])('records only what changes when a pause gets another value of %s', async (_name, args, fields) => {
    await ask('Pause', `until: "${date(9)}", reason: "away"`);
    const [reported] = await recordOf(ask('Pause', args));
    expect(reported?.changes.map(({ field }) => field)).toEqual(fields);
    const reason = reported?.changes.find(({ field }) => field === 'currentPause.reason');
    expect([reason?.before ?? null, reason?.after ?? null]).toEqual([null, null]);
  });

  test('stores the end, but not who paused and when, for a contract that was paused externally', async () => {
    expect(await recordOf(ask('Pause', '', { id: PAUSED }))).toEqual([]);
    expect(await remaining(PAUSED)).toBeUndefined();
    await ask('Pause', `until: "${date(9)}"`, { id: PAUSED });
    const pause = await remaining(PAUSED);
    expect(pause).toMatchObject({ resumesAtMs: NOW_MS + 9 * DAY_MS, setBy: { kind: 'CUSTOMER' } });
    expect([pause?.pausedAtMs, pause?.pausedBy]).toEqual([undefined, undefined]);
  });

  test('stores no pause that the platform refuses', async () => {
    const change = () => {
      content().status = 'CANCELLED';
    };
    world.fail({ kind: 'stale', at: 'subscriptionContractPause', change });
    const { payload, recorded } = await ask('Pause', `until: "${date(9)}"`);
    expect(payload.userErrors).toEqual(refused('CONTRACT_TERMINATED', 'subscriptionContractId'));
    expect([recorded, await remaining()]).toMatchObject([[{ outcome: 'not done' }], undefined]);
  });

  test('sends no pause to the platform when it cannot be stored', async () => {
    const put = () => Promise.reject(new ServiceError('TEMPORARILY_UNAVAILABLE'));
    const { code, sent } = await ask('Pause', `until: "${date(9)}"`, { table: { ...table, put } });
    expect([code, sent]).toEqual(['TEMPORARILY_UNAVAILABLE', [['subscriptionContract']]]);
  });

  test('returns OUTCOME_UNKNOWN and leaves the intent open when the platform does not respond to a new end', async () => {
    await ask('Pause', `until: "${date(9)}"`);
    const put: Table['put'] = (...item) => {
      world.fail({ kind: 'lost before', at: 'subscriptionContract', times: 100 });
      return table.put(...item);
    };
    const { code, payload } = await ask('Pause', `until: "${date(20)}"`, { table: { ...table, put } });
    expect([code, payload]).toEqual(['OUTCOME_UNKNOWN', null]);
    expect((await remaining())?.resumesAtMs).toBe(NOW_MS + 20 * DAY_MS);
  });
});

describe('resuming', () => {
  test.each([
    ['by itself', ''],
    ['with a date, in one draft', `nextBillingDate: "${date(20)}"`],
  ])('deletes the pause and records that its end is gone when it is resumed %s', async (_name, args) => {
    await ask('Pause', `until: "${date(9)}"`);
    const { payload, recorded } = await ask('Activate', args);
    expect(payload.userErrors).toEqual([]);
    expect(recorded[0]?.changes).toContainEqual(ENDED);
    expect([content().status, await remaining()]).toEqual(['ACTIVE', undefined]);
  });

  test('resumes a failed contract', async () => {
    content().status = 'FAILED';
    const { payload, recorded } = await ask('Activate', '', { as: 'store' });
    expect(payload.contract.status).toBe('ACTIVE');
    expect(recorded).toMatchObject([{ changes: [{ before: 'FAILED', after: 'ACTIVE' }] }]);
  });

  test('changes the date of an active contract, and records it as such', async () => {
    const before = content().nextBillingDate;
    const { payload, recorded } = await ask('Activate', `nextBillingDate: "${date(20)}"`);
    expect(payload).toMatchObject({ contract: { nextBillingDate: date(20) }, userErrors: [] });
    expect(recorded).toMatchObject([
      {
        action: 'subscription_next_billing_date_updated',
        changes: [
          { field: 'nextBillingDate', before, after: date(20) },
          { field: 'billingCycles.10.billingAttemptExpectedDate', after: date(20) },
          ...[7, 8, 9].map((index) => ({ field: `billingCycles.${index}.skipped`, after: 'true' })),
        ],
      },
    ]);
  });

  test('changes nothing for a date in the past', async () => {
    const { payload, recorded } = await ask('Activate', `nextBillingDate: "${date(-1)}"`, { id: PAUSED });
    expect(payload.userErrors).toEqual(refused('DATE_IN_PAST', 'nextBillingDate'));
    expect([recorded, content(PAUSED).status]).toEqual([[], 'PAUSED']);
  });
});

describe('cancelling', () => {
  test.each([
    ['customer', refused('MINIMUM_NOT_REACHED', 'subscriptionContractId')],
    ['store for a customer', refused('MINIMUM_NOT_REACHED', 'subscriptionContractId')],
    ['store', []],
  ] as const)('applies the minimum of orders to a cancellation as a %s', async (as, errors) => {
    const { orders } = world.platform.store();
    const billed = [...orders.values()].filter(({ contractId }) => contractId === MONTHLY).length;
    content(MONTHLY).billingPolicy.minCycles = billed + 1;
    expect(await errorsOf(ask('Cancel', '', { as, id: MONTHLY }))).toEqual(errors);
    expect(content(MONTHLY).status).toBe(errors.length === 0 ? 'CANCELLED' : 'ACTIVE');
    content(MONTHLY).billingPolicy.minCycles = billed;
    expect(await errorsOf(ask('Cancel', '', { as, id: MONTHLY }))).toEqual([]);
    expect(content(MONTHLY).status).toBe('CANCELLED');
  });

  test('counts orders that are too old to be visible, and no skipped cycles', async () => {
    const contract = world.contract(MONTHLY);
    // The view of an app without read_all_orders on orders older than 60 days.
    world.platform.store().orders.clear();
    contract.originOrderId = null;
    contract.billedCycles = [1, 2];
    contract.cycleEdits = { 3: { skipped: true, billingDate: null, contract: null } };
    contract.content.billingPolicy.minCycles = 3;
    expect(await errorsOf(ask('Cancel', '', { id: MONTHLY }))).toMatchObject([
      { code: 'MINIMUM_NOT_REACHED' },
    ]);
    contract.content.billingPolicy.minCycles = 2;
    expect(await errorsOf(ask('Cancel', '', { id: MONTHLY }))).toEqual([]);
  });

  test.each([
    ['reason: { code: QUALITY, comment: "stale" }', 'QUALITY', 'The product is not good enough. stale'],
    ['reason: { code: OTHER, comment: "moving" }', 'OTHER', 'moving'],
    ['reason: { code: OTHER }', 'OTHER', null],
  ])('records the reason of a cancellation in plain words with %s', async (args, reasonCode, reason) => {
    expect(await recordOf(ask('Cancel', args))).toMatchObject([{ details: { reasonCode, reason } }]);
  });

  test('deletes the pause of a cancelled contract, and records that its end is gone', async () => {
    await ask('Pause', `until: "${date(9)}"`);
    const [reported] = await recordOf(ask('Cancel'));
    expect(reported?.changes).toContainEqual(ENDED);
    expect([content().status, await remaining()]).toEqual(['CANCELLED', undefined]);
  });
});

describe('documents of the platform', () => {
  test.each([
    ['subscriptionContractPause', 'PAUSED'],
    ['subscriptionContractActivate', 'ACTIVE'],
    ['subscriptionContractCancel', 'CANCELLED'],
  ])('%s runs unchanged', async (mutation, status) => {
    const query = `mutation change($id: ID!, $actor: SubscriptionActor) {
      renamed: ${mutation}(subscriptionContractId: $id, actor: $actor) {
        contract { id status customer { id } } again: contract { lines(first: 1) { nodes { quantity } } }
        userErrors { field message code __typename }
      }
    }`;
    const id = gid('SubscriptionContract', status === 'ACTIVE' ? PAUSED : WEEKLY);
    const pending = await world.run({ as: 'store', query, variables: { id, actor: 'PARTNER' }, table });
    expect(pending.payload).toMatchObject({
      contract: { id, status, customer: { id: expect.stringMatching(/^gid:\/\/platform\/Customer/) } },
      again: { lines: { nodes: [{ quantity: expect.any(Number) }] } },
      userErrors: [],
    });
  });

  test.each([
    ['store', 'PARTNER', ''],
    ['store', 'MERCHANT', ''],
    ['store for a customer', 'CUSTOMER', ''],
    ['store', 'PARTNER', `, nextBillingDate: "${date(20)}"`],
    ['store for a customer', 'CUSTOMER', `, nextBillingDate: "${date(20)}"`],
  ] as const)('names the actor to the platform as a %s: %s', async (as, actor, more) => {
    const given = as === 'store' && actor === 'MERCHANT' ? '' : ', actor: PARTNER';
    const { sent } = await runPlan({
      as,
      query: `mutation { subscriptionContractActivate(subscriptionContractId: "${gid('SubscriptionContract', PAUSED)}"${given}${more}) {
        userErrors { code } } }`,
      table,
      standIn: (operation) => world.client(operation as AdminOperation),
    });
    expect(sent[1]?.variables._svcActor).toBe(actor);
  });
});
