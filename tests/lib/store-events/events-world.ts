/**
 * A contract that the service and other apps change, with or without webhooks, and the reconciliation by a new worker.
 * The oracle has its own log: who changed which field, and when the worker read the contract.
 */
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import { UTC } from '../../../lib/domain/time-zone.ts';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import { type ChangedObject, createInbox } from '../../../lib/storage/inbox/inbox.ts';
import type { CustomerHash, HashedCustomer } from '../../../lib/storage/privacy/tombstones.ts';
import { createScheduledTaskRepository } from '../../../lib/storage/scheduled-tasks.ts';
import { createStoreRepository, type StoreRecord, toStoreItems } from '../../../lib/storage/stores.ts';
import { readStream } from '../../../lib/storage/stream/read-stream.ts';
import { observeContracts } from '../../../lib/store-events/contracts/observe-contracts.ts';
import { readQueuedChanges } from '../../../lib/store-events/contracts/queued-changes.ts';
import { createTopicGroupProcessors, processInbox } from '../../../lib/store-events/inbox/process-inbox.ts';
import { reconcileStore } from '../../../lib/store-events/reconciliation/reconcile-store.ts';
import { createPostponementRepository } from '../../../lib/subscriptions/order-dates/postponements.ts';
import { createTimedPauseRepository } from '../../../lib/subscriptions/pause/timed-pauses.ts';
import type { ContractNumber, EventRecord } from '../../../lib/timeline/event-record.ts';
import { createFact, type FactChange } from '../../../lib/timeline/facts.ts';
import { settleIntentAsEntry } from '../../../lib/timeline/intent.ts';
import type { OpenChange } from '../../../lib/timeline/run-change.ts';
import { readStreamAsWebhooks } from '../../../lib/webhooks/deliver/read-stream-as-webhooks.ts';
import type { WebhookPayload } from '../../../lib/webhooks/to-webhook-payload.ts';
import { appendNow } from '../../appending.ts';
import { createOperationWorld } from '../../contract/world/operation-world.ts';
import { sendImmediately } from '../../contract/world/reading-of.ts';
import { store } from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { tableOf } from '../../rights/guarded-table.ts';
import { faulty } from '../stores/world/faults.ts';
import { timelineOver } from '../timeline/timeline-world.ts';
import { worldFacts } from './world-facts.ts';

export const WEEKLY = 9101001;
const SHOP = 82000000001 as ShopId;

export function createEventsWorld(id = WEEKLY) {
  const world = createOperationWorld();
  const { holder } = world.platform;
  const base = createMemoryTable();
  const timelines = timelineOver(base, SHOP, holder);
  const table = faulty(tableOf('store-events', base), 'table', timelines.faults);
  const now = () => holder.nowMs;
  const contract = world.contract(id);
  const webhookWay = { by: 'api', uri: 'https://service.example/platform/webhooks' } as const;
  const installed = { ...store, shopId: SHOP, timeZone: UTC, webhookWay } as StoreRecord;
  /** Its status is the table's. */
  async function readInstalled(): Promise<StoreRecord> {
    return (await createStoreRepository({ table, parts: ['grant'] }).find(SHOP)) ?? installed;
  }

  let isRefused = false;
  let isErased = false;
  const inbox = createInbox({ table: base, now, newId: () => crypto.randomUUID() });

  const paymentMethods = [...world.platform.store().paymentMethods.keys()].slice(0, 3).map(String);
  const facts = worldFacts(contract, { nowMs: now(), paymentMethods });
  const fact = (field: string) => {
    const found = facts[field];
    if (found === undefined) throw new Error(`no fact ${field}`);
    return found;
  };

  function deps() {
    return {
      stores: { find: async () => readInstalled() },
      logger: timelines.logger,
      table,
      scheduledTasks: createScheduledTaskRepository({ table, now }),
      tombstones: {
        hashOf: async ({ shopId }: { readonly shopId: ShopId }) => ({
          shopId,
          hash: 'a-hash' as CustomerHash,
        }),
        find: async (person: HashedCustomer) =>
          isErased ? { ...person, erasedAtMs: 0, expiresAt: 0 } : undefined,
      },
      postponements: createPostponementRepository({ table, now }),
      timedPauses: createTimedPauseRepository({ table, now }),
      sendWithinBudget: isRefused
        ? () => Promise.reject(new ServiceError('STORE_DISCONNECTED'))
        : sendImmediately(world),
      platformGidNamespace: 'shopify',
      now,
    };
  }

  return {
    /** The store is in the table, too. */
    async install() {
      const grant = { keyClaims: {}, platformVersionId: 'v1' };
      for (const item of toStoreItems({ ...installed, ...grant })) await base.put(item);
    },
    world,
    contract,
    base,
    faults: timelines.faults,
    logs: timelines.logs,
    fields: Object.keys(facts),
    fact,
    value: (field: string) => fact(field).get(),
    later: (ms: number) => {
      holder.nowMs += ms;
    },
    nowMs: now,
    /** Changes a field like another app. */
    changeExternally: (field: string, text: string | null) => {
      fact(field).set(text);
      // Changes of the contract itself are counted, those of its orders are not.
      if (!field.startsWith('billingCycles.')) contract.revisionId += 1;
    },
    /** Starts a change of the service. `settle`: its outcome is not recorded, and the scheduled work settles it. */
    async begin(
      field: string,
      after: string | null,
      action = 'subscription_updated',
    ): Promise<OpenChange & { settle(outcome?: EventRecord['outcome']): Promise<unknown> }> {
      const change = await timelines.begin({
        action,
        contractId: `gid://shopify/SubscriptionContract/${id}`,
        details: {},
        changes: [createFact(field, { before: fact(field).get(), after })],
      });
      const number = String(id) as ContractNumber;
      const intent = (await readQueuedChanges(timelines, SHOP, [number])).get(number)?.openIntents.at(-1);
      if (intent === undefined) throw new Error('no intent');
      const { changes } = intent;
      const settle = (outcome: EventRecord['outcome'] = 'DONE') =>
        settleIntentAsEntry(timelines, intent, { outcome, changes, isDirectlyObserved: false });
      return { ...change, settle };
    },
    /** A merchant's key makes the contract. */
    async create() {
      const creation = { action: 'subscription_created', contractId: null, details: {}, changes: [] };
      const change = await timelines.begin(creation);
      await change.settleAsDone([], `gid://shopify/SubscriptionContract/${id}`);
    },
    timedPauses: createTimedPauseRepository({ table: base, now }),
    /** A fresh worker compares the contract. */
    async readContracts(baselineAtMs?: number) {
      const run = { store: installed, endAtMs: now() + 60_000, baselineAtMs };
      const [outcome] = await observeContracts(deps(), run, [String(id) as ContractNumber]);
      await appendNow({ table: base, now });
      return outcome;
    },
    deps,
    installed,
    /** Runs the worker's reconciliation. Returns the time of the next run. */
    async pass() {
      const turn = { shopId: SHOP, endAtMs: now() + 600_000, signal: new AbortController().signal };
      const retryAtMs = await reconcileStore(deps(), turn);
      await appendNow({ table: base, now });
      return retryAtMs;
    },
    /** Adds these objects to the inbox and runs the worker. Returns the time of the next run. */
    async act(...changed: ChangedObject[]) {
      for (const one of changed) await inbox.put(SHOP, one);
      const parts = { ...deps(), inbox: createInbox({ table, now, newId: () => crypto.randomUUID() }) };
      const { logger } = timelines;
      const processorByTopicGroup = createTopicGroupProcessors({ ...parts, logger });
      const turn = { shopId: SHOP, endAtMs: now() + 600_000, signal: new AbortController().signal };
      const retryAtMs = await processInbox({ ...parts, processorByTopicGroup, logger }, turn);
      await appendNow({ table: base, now });
      return retryAtMs;
    },
    wantsUpcoming: (upcomingDays: number | undefined) => {
      Object.assign(installed, { upcomingDays });
    },
    /** Whether the contract's customer has a tombstone. */
    erased: (is: boolean) => {
      isErased = is;
    },
    refuseGrant: () => {
      isRefused = true;
    },
    inboxItems: async () => {
      const left: string[] = [];
      for await (const { topicGroup, object } of inbox.list(SHOP)) left.push(`${topicGroup} ${object}`);
      return left;
    },
    /** The store as the table has it. */
    record: readInstalled,
    /** Returns the events for merchants' servers, in order. */
    async stream() {
      await appendNow({ table: base, now });
      return readStream({ table: base, now }, SHOP, { fromNumber: 0, limit: 1_000 });
    },
    /** The events that merchants' servers are sent, in order. */
    async events(): Promise<WebhookPayload[]> {
      await appendNow({ table: base, now });
      const page = { fromNumber: 0, limit: 1_000 };
      const all = await readStreamAsWebhooks({ table: base, now, gidNamespace: 'platform' }, SHOP, page);
      return all.flatMap(({ webhook }) => (webhook === undefined ? [] : [JSON.parse(webhook.body)]));
    },
    /** Returns the external changes of the timeline, oldest first. */
    async foreign(): Promise<{ action: string; changes: readonly FactChange[] }[]> {
      const ref = { shopId: SHOP, contracts: [String(id) as ContractNumber], args: { first: 250 } };
      const [page] = await timelines.timeline.readEvents(ref);
      return (page?.edges ?? [])
        .map(({ record }) => record)
        .filter(({ actor }) => actor.kind === 'UNKNOWN')
        .map(({ action, changes }) => ({ action, changes }));
    },
  };
}

export type EventsWorld = ReturnType<typeof createEventsWorld>;
