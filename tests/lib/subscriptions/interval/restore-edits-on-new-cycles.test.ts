/** Checks that other entries during a change of the interval do not prevent the restoration of edits. */
import { expect, test } from '@jest/globals';
import { restoreEditsOnNewCycles } from '../../../../lib/subscriptions/interval/restore-edits-on-new-cycles.ts';
import type { EventRecord } from '../../../../lib/timeline/event-record.ts';

const NOW_MS = Date.parse('2026-11-21T12:00:00Z');
const SKIPPED = '2026-12-02T08:00:00Z';
const interval = { interval: 'WEEK', intervalCount: 2 };
const cycle = {
  cycleIndex: 8,
  cycleStartAt: '2026-11-25T08:00:01Z',
  cycleEndAt: SKIPPED,
  billingAttemptExpectedDate: SKIPPED,
  skipped: false,
  edited: false,
  status: 'UNBILLED',
};
const page = { nodes: [cycle], pageInfo: { hasNextPage: false, endCursor: null } };

/** Entries that name an order without its date. */
const named = ['changed_elsewhere', 'billing_cycle_edited'];

test.each(named)('%s: the order is named without a date', async (action) => {
  const entry = { action, createdAtMs: NOW_MS, details: { billingCycleIndex: 8 }, changes: [] };
  const sent: object[] = [];
  const dropped = await restoreEditsOnNewCycles(
    {
      now: () => NOW_MS,
      async sendToPlatform({ mutates, variables = {} }) {
        if (mutates) sent.push(variables);
        const contract = { status: 'ACTIVE', billingPolicy: interval };
        const read = { shop: { ianaTimezone: 'UTC' }, contract, byDate: page, byIndex: page };
        const data = mutates ? { edit0: { userErrors: [] } } : read;
        return { data, errors: [] } as never;
      },
    },
    {
      contractId: 'gid://shopify/SubscriptionContract/1',
      edits: [{ cycleIndex: 7, date: SKIPPED, skipped: true, moved: false, originalDate: SKIPPED }],
      pastOrders: [],
      interval,
      reason: 'BUYER_INITIATED',
      entries: [entry as unknown as EventRecord],
      cyclesWithoutOrder: [],
      beganAtMs: NOW_MS,
    },
  );
  expect([dropped, sent]).toMatchObject([[], [{ _svcIndex0: 8, _svcInput0: { skip: true } }]]);
});
