/** Open intents on the contracts of an emulated store, and what the scheduled work makes of them. */

import type { ShopId } from '../../../lib/domain/shop-id.ts';
import {
  requestDeadlineAtMs,
  type SendAdminOperation,
} from '../../../lib/platform/admin-api/admin-client.ts';
import { createSendWithinBudget } from '../../../lib/platform/admin-api/send-within-budget.ts';
import { createScheduledTaskRepository, type ScheduledTask } from '../../../lib/storage/scheduled-tasks.ts';
import type { StoreRecord } from '../../../lib/storage/stores.ts';
import type { Table } from '../../../lib/storage/table.ts';
import { createPauseRecordRepository } from '../../../lib/subscriptions/pause/pause-record.ts';
import { readPauseEnd } from '../../../lib/subscriptions/pause/read-pause-end.ts';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import type { STORE_TIMELINE } from '../../../lib/timeline/read-events.ts';
import type { SettleOpenIntentsDeps } from '../../../lib/timeline/settle/settle-open-intents.ts';
import { createAccessWithout } from '../../../sandbox/platform/state/store-access.ts';
import { appendNow, unsettled } from '../../appending.ts';
import { createOperationWorld } from '../../contract/world/operation-world.ts';
import { store } from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { timelineOver } from './timeline-world.ts';

const HOUR_MS = 3_600_000;
/** Ada's weekly contract. */
export const WEEKLY = 9101001;
export const MONTHLY = 9101002;

export type SettleWorld = ReturnType<typeof createSettleWorld>;

export function createSettleWorld() {
  const { platform, client, contract } = createOperationWorld();
  const { holder } = platform;
  const shopId = 82000000001 as ShopId;
  const timelines = timelineOver(createMemoryTable(), shopId, holder);
  const now = () => holder.nowMs;
  const installed = { ...store, shopId } as StoreRecord;
  let requests = 0;
  const send: SendAdminOperation = (operation) => {
    requests++;
    return client(operation);
  };
  const wait = async (ms: number) => {
    holder.nowMs += ms;
  };
  const gid = (id: number) => `gid://shopify/SubscriptionContract/${id}`;
  const statusFact = (before: string | null, after: string | null) => [
    { coordinate: 'SubscriptionContract.status', field: 'status', before, after },
  ];
  const listOpen = () => timelines.scheduledTasks.listDue('intent', holder.nowMs + HOUR_MS);

  function deps(): SettleOpenIntentsDeps {
    return {
      finishers: {},
      readPauseEnd: (contract) => readPauseEnd(createPauseRecordRepository(timelines), contract),
      table: timelines.table,
      scheduledTasks: timelines.scheduledTasks,
      stores: { find: async () => installed },
      sendWithinBudget: createSendWithinBudget({ send, now, wait }),
      platformGidNamespace: 'shopify',
      logger: timelines.logger,
      now,
    };
  }

  async function left() {
    const items: ScheduledTask[] = [];
    for await (const item of listOpen()) items.push(item);
    return items;
  }

  async function entries(contractName: string) {
    const contracts = [contractName as ContractNumber | typeof STORE_TIMELINE];
    const [page] = await timelines.timeline.readEvents({ shopId, contracts, args: { first: 250 } });
    return (page?.edges ?? []).map(({ record }) => record);
  }

  return {
    timelines,
    shopId,
    contract,
    deps,
    nowMs: now,
    later: (ms: number) => {
      holder.nowMs += ms;
    },
    /** Starts an intent on the status of a contract, by default the weekly one, whose outcome is never recorded. */
    begin: (action: string, before: string | null, after: string | null, contract = WEEKLY) =>
      timelines.begin({ action, contractId: gid(contract), details: {}, changes: statusFact(before, after) }),
    beginFacts: (facts: readonly (readonly [string, string | null, string | null])[]) =>
      timelines.begin({
        action: 'subscription_updated',
        contractId: gid(WEEKLY),
        details: {},
        changes: facts.map(([field, before, after]) => ({ coordinate: 'any', field, before, after })),
      }),
    /** Withdraws this access from the app. */
    withhold: (...scopes: readonly string[]) => {
      platform.store().access = createAccessWithout({ scopes });
    },
    /** The platform changes the weekly contract. */
    change: (mutation: string) =>
      client({
        store: installed,
        document: `mutation { ${mutation}(subscriptionContractId: "${gid(WEEKLY)}") { userErrors { message } } }`,
        variables: {},
        mutates: true,
        deadlineAtMs: requestDeadlineAtMs(now()),
        costKey: mutation,
      }),
    entries: (contractName = String(WEEKLY)) => entries(contractName),
    timeline: async (contractName = String(WEEKLY)) =>
      (await entries(contractName)).map(({ action, outcome }) => `${action} ${outcome}`),
    /** Returns the number of requests that the work has sent. */
    requests: () => requests,
    /** Returns the last run's metrics of open intents. */
    metric: () => timelines.logs.findLast(({ message }) => message === 'open_intents.counted')?.fields,
    /** Returns the unsettled intents. */
    open: async () => unsettled(timelines.table, await left()),
    /** Returns the intents that are unsettled or not appended. */
    left,
    /** A run of the worker that places. */
    place: () => appendNow({ table: timelines.table, now }),
    /** The same work over another table. */
    over: (table: Table) => ({
      table,
      scheduledTasks: createScheduledTaskRepository({ table, now }),
    }),
    /** All as it was when these were open. */
    async restore(open: readonly ScheduledTask[]) {
      for (const { number } of await entries(String(WEEKLY))) {
        await timelines.table.delete({ pk: `TIMELINE#${shopId}#${WEEKLY}`, sk: number });
      }
      for (const item of open) await timelines.scheduledTasks.put(item);
    },
  };
}
