/** The change of the interval in tests: of Ada's weekly contract, to two weeks. */

import type { OperationCase } from '../contract/world/operation-cases.ts';
import { createMemoryTable } from '../memory-table.ts';
import { INTERVAL, policiesOf } from './interval-world.ts';

const FORTNIGHT = { interval: 'WEEK', intervalCount: 2 };

export const intervalCase: OperationCase = {
  query: INTERVAL,
  variables: () => ({ interval: FORTNIGHT }),
  contractArgument: 'contractId',
  fact: policiesOf,
  after: ['2 WEEK', '2 WEEK'],
  payload: { contract: { billingPolicy: FORTNIGHT, deliveryPolicy: FORTNIGHT }, droppedEdits: [] },
  changesBy: 'subscriptionDraftCommit',
  // A single read of the plans of the lines.
  requests: { change: 5, retry: 2 },
  action: 'subscription_interval_updated',
  table: createMemoryTable,
};
