/** The service's processes over one table and one store: each may crash before or after its nth write. */
import { runStoreWork } from '../../../../functions/compose/webhooks/run-store-work.ts';
import type { FunctionName } from '../../../../infra/definition/function-definitions.ts';
import type { TokenKeys } from '../../../../lib/credentials/token-keys.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { UTC } from '../../../../lib/domain/time-zone.ts';
import { ServiceError } from '../../../../lib/errors/service-error.ts';
import type { AdminOperation } from '../../../../lib/platform/admin-api/admin-client.ts';
import { createSendWithinBudget } from '../../../../lib/platform/admin-api/send-within-budget.ts';
import { handleComplianceRequests } from '../../../../lib/privacy/handle-compliance-requests.ts';
import { createReportErasure } from '../../../../lib/privacy/report-erasure.ts';
import { sweepErasures } from '../../../../lib/privacy/sweep-erasures.ts';
import { createInbox } from '../../../../lib/storage/inbox/inbox.ts';
import { createComplianceRequestRepository } from '../../../../lib/storage/privacy/compliance-requests.ts';
import { createTombstoneRepository } from '../../../../lib/storage/privacy/tombstones.ts';
import type { ScanTable } from '../../../../lib/storage/scan.ts';
import { createScheduledTaskRepository } from '../../../../lib/storage/scheduled-tasks.ts';
import {
  createStoreRepository,
  type StoreRecord,
  shopDomainItemKey,
  toStoreItems,
} from '../../../../lib/storage/stores.ts';
import { createAppendToStream } from '../../../../lib/storage/stream/append-to-stream.ts';
import type { Table } from '../../../../lib/storage/table.ts';
import { acquireAppendLease } from '../../../../lib/storage/work-queue/shard-lease.ts';
import { createWorkQueue } from '../../../../lib/storage/work-queue/work-queue.ts';
import {
  createTopicGroupProcessors,
  processInbox,
} from '../../../../lib/store-events/inbox/process-inbox.ts';
import { reconcileStore } from '../../../../lib/store-events/reconciliation/reconcile-store.ts';
import { createPostponementRepository } from '../../../../lib/subscriptions/order-dates/postponements.ts';
import { readPauseEnd } from '../../../../lib/subscriptions/pause/read-pause-end.ts';
import { resumeDueContracts } from '../../../../lib/subscriptions/pause/resume-due-contracts.ts';
import { createTimedPauseRepository } from '../../../../lib/subscriptions/pause/timed-pauses.ts';
import { appendQueuedItems } from '../../../../lib/timeline/append/append-queued-items.ts';
import type { ContractNumber, EventRecord } from '../../../../lib/timeline/event-record.ts';
import { settleOpenCharges } from '../../../../lib/timeline/settle/settle-open-charges.ts';
import { settleOpenIntents } from '../../../../lib/timeline/settle/settle-open-intents.ts';
import { createTimeline } from '../../../../lib/timeline/timeline.ts';
import { createWebhookDeliveryWork } from '../../../../lib/webhooks/deliver/create-webhook-delivery-work.ts';
import type { WebhookSender } from '../../../../lib/webhooks/send-webhook.ts';
import type { OperationWorld } from '../../../contract/world/operation-world.ts';
import { store as aStore } from '../../../graphql/world/harness.ts';
import { tableOf } from '../../../rights/guarded-table.ts';
import { Crash, createFaults, faulty } from '../../stores/world/faults.ts';
import type { RecordedEvent } from './expected/recorded-event.ts';
import { createWebhookReceiver } from './model-http.ts';
import type { Death } from './model-script.ts';
import type { Turns } from './model-turns.ts';

const RUN_MS = 600_000;
const WRITES: ReadonlySet<string> = new Set(['put', 'update', 'delete']);
const logger = { debug() {}, info() {}, warn() {}, error() {} };

type Shared = {
  readonly world: OperationWorld;
  readonly base: Table;
  readonly store: StoreRecord;
  readonly tokenKeys: TokenKeys;
  readonly newId: () => string;
  readonly send: WebhookSender['send'];
  /** The merchant has removed the app: the platform knows no grant any more. */
  readonly app: { isUninstalled: boolean };
  readonly turns: Turns;
};

export function beginProcess(shared: Shared, name: FunctionName, death: Death) {
  const { world, base, store, newId, turns } = shared;
  const { holder } = world.platform;
  const now = () => holder.nowMs;
  const process = { hasCrashed: false, writes: 0 };
  const faults = Object.assign(createFaults(), { pause: turns.take });
  faults.plan = ({ operation }) => {
    if (process.hasCrashed) return 'before';
    if (!WRITES.has(operation) || process.writes++ !== death?.at) return undefined;
    process.hasCrashed = true;
    return death.when;
  };
  const unguarded = faulty(base, 'table', faults);
  const table = tableOf(name, unguarded);
  const { enqueue } = createWorkQueue({ table: unguarded, now, newId });
  const workQueue = createWorkQueue({ table, now, newId });
  const timelineOver = (own: Table) =>
    createTimeline({
      table: own,
      scheduledTasks: createScheduledTaskRepository({ table: own, now }),
      logger,
      now,
      newId,
    });
  const enqueueDelivery = (shopId: ShopId) => enqueue('webhook-deliveries', shopId);
  const client = async (operation: AdminOperation) => {
    if (process.hasCrashed) throw new Crash();
    if (shared.app.isUninstalled) throw new ServiceError('STORE_DISCONNECTED');
    await turns.take();
    return world.client(operation);
  };
  const wait = async (ms: number) => {
    holder.nowMs += ms;
  };
  const tombstones = createTombstoneRepository({ table, readKey: async () => 'the key of tombstones', now });
  const scheduledTasks = createScheduledTaskRepository({ table, now });
  const deps = {
    ...{ table, now, logger, workQueue, newId, tombstones, scheduledTasks },
    stores: createStoreRepository({
      table,
      parts: name === 'store-events' || name === 'scheduled-work' ? ['grant'] : [],
    }),
    postponements: createPostponementRepository({ table, now }),
    timedPauses: createTimedPauseRepository({ table, now }),
    sendWithinBudget: createSendWithinBudget({ send: client, now, wait }),
    platformGidNamespace: 'shopify',
    inbox: createInbox({ table, now, newId }),
    complianceRequests: createComplianceRequestRepository({ table }),
    contractsOf: async () => [],
    onErased: createReportErasure({ scheduledTasks }),
    scan: (unguarded as Table & { readonly scan: ScanTable }).scan,
  };

  return {
    process,
    /** A request of a client's. */
    asFunction: { table: unguarded, timeline: timelineOver, now, wait, store },
    /**
     * Receives a webhook of the platform and returns the response's status. The platform sends it again unless the
     * status is 200.
     */
    take: createWebhookReceiver({ table, now, newId }),
    async runStoreEvents(): Promise<void> {
      const parts = { ...deps, processorByTopicGroup: createTopicGroupProcessors(deps) };
      await sweepErasures(deps, now() + RUN_MS);
      await runStoreWork(deps, { kind: 'store-events' }, [
        { name: 'answer compliance', run: (turn) => handleComplianceRequests(deps, turn) },
        { name: 'act on marks', run: (turn) => processInbox(parts, turn) },
        { name: 'nightly reconciliation', run: (turn) => reconcileStore(deps, turn) },
      ]);
    },
    async runScheduledWork(): Promise<void> {
      const readEnd = (contract: Parameters<typeof readPauseEnd>[1]) =>
        readPauseEnd(deps.timedPauses, contract);
      await settleOpenIntents({ ...deps, finishers: {}, readPauseEnd: readEnd }, now() + RUN_MS);
      await settleOpenCharges(deps, now() + RUN_MS);
      await resumeDueContracts({ ...deps, timeline: timelineOver(table) }, now() + RUN_MS);
    },
    async runDeliveries(random: () => number): Promise<void> {
      const { tokenKeys, send } = shared;
      const gidNamespace = 'platform';
      const deliver = createWebhookDeliveryWork({
        table,
        tokenKeys,
        logger,
        now,
        random,
        send: sendWhileRunning,
        gidNamespace,
      });
      async function sendWhileRunning(...request: Parameters<typeof send>) {
        if (process.hasCrashed) throw new Crash();
        return send(...request);
      }
      await appendQueuedItems(
        {
          ...{ ...deps, enqueueDelivery, startAppending: () => createAppendToStream({ table, now }) },
          async observeAgain(shopId, contract) {
            await deps.inbox.put(shopId, { topicGroup: 'contracts', object: contract });
            await workQueue.enqueue('store-events', shopId);
          },
          acquireLease: (shard) => acquireAppendLease({ table, now, shard, newId }),
          random,
        },
        now() + RUN_MS,
      );
      await runStoreWork(deps, { kind: 'webhook-deliveries' }, [{ name: 'deliver', run: deliver }]);
    },
  };
}

/** Ignores a crash: the process makes no further calls, and no caller gets a response. */
export function mourn(error: unknown): void {
  if (!(error instanceof Crash)) throw error;
}

/** All entries, those of a contract in the order of their numbers. */
export async function readRecordedEvents(shared: Shared): Promise<RecordedEvent[]> {
  const { world, base, store } = shared;
  const { readEvents } = beginProcess(shared, 'scheduled-work', undefined).asFunction.timeline(base);
  const contracts = [...world.platform.store().contracts.keys()].map((id) => String(id) as ContractNumber);
  const pages = await readEvents({ shopId: store.shopId, contracts, args: { first: 250 } });
  return pages.flatMap(({ edges }) => edges.map(({ record }) => toRecordedEvent(record as EventRecord)));
}

/** An entry as the oracle reads it. */
function toRecordedEvent({
  id,
  contract,
  number,
  action,
  createdAtMs,
  outcome,
  actor,
  changes,
}: EventRecord): RecordedEvent {
  const recordedActor = { kind: actor.kind, ...('label' in actor && { label: actor.label }) };
  return {
    id,
    contract: Number(contract),
    number,
    action,
    createdAtMs,
    outcome,
    actor: recordedActor,
    changes,
  };
}

/** A store whose app has a client secret, and whose time zone is UTC. */
export async function installStore(base: Table): Promise<StoreRecord> {
  const versions = { platformVersionId: 'v1', webhooksVersionId: 'v1' };
  const record = { ...aStore, ...versions, timeZone: UTC, keyClaims: {} } as StoreRecord;
  for (const item of toStoreItems(record)) await base.put(item);
  await base.put({ ...shopDomainItemKey(record.domain), shopId: record.shopId });
  return record;
}
