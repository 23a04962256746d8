import { expect, test } from '@jest/globals';
import type { BillingRun } from '../../../../lib/billing/records/run-record.ts';
import { countMerchantRefusalsInRow } from '../../../../lib/billing/run/count-run.ts';

const before: BillingRun = {
  ...{ shopId: 1 as BillingRun['shopId'], version: 1, date: '2026-12-01', status: 'DONE', foundCount: 9 },
  startedAtMs: 1,
};

async function* none() {}

test('reads no charge of the run before when the account has refused none', async () => {
  const readDates: string[] = [];
  const deps = {
    charges: { findMany: async () => [] },
    reminders: { list: none },
    runs: {
      listLines(_shopId: unknown, date: string) {
        readDates.push(date);
        return none();
      },
    },
  };
  const count = (run: BillingRun) =>
    countMerchantRefusalsInRow(deps, { previousRun: run, runsWithRefusals: [] });
  expect([await count(before), readDates]).toEqual([0, []]);
  expect([await count({ ...before, earlierRefusalCount: 3 }), readDates]).toEqual([3, [before.date]]);
});
