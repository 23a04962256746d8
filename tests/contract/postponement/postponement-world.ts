/** A contract whose orders are due on the 9th of each month at 10:00 UTC, its postponements, and the scheduled work. */
import { createScheduledTaskRepository } from '../../../lib/storage/scheduled-tasks.ts';
import type { StoreRecord } from '../../../lib/storage/stores.ts';
import { createPostponementRepository } from '../../../lib/subscriptions/order-dates/postponements.ts';
import { extendDuePostponements } from '../../../lib/subscriptions/postpone/extend-due-postponements.ts';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import type { ContractRecord } from '../../../sandbox/platform/state/contract-records.ts';
import type { PlanRequest } from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { createStoreWorld, MINUTE_MS, runScheduledWork, WEEKLY } from '../../world/store-world.ts';
import { gid, type OperationWorld } from '../world/operation-world.ts';

export const ID = gid('SubscriptionContract', WEEKLY);
/** The date of the next order. */
export const FIRST = '2026-12-09T10:00:00Z';
const EDIT = 'subscriptionBillingCycleScheduleEdit';

const ORDERS = 'upcomingOrders { cycleIndex date skipped }';
const ERRORS =
  'userErrors { code field message details { cycleIndex date earliest latest status revertableUntil } }';

export const postpone = (expectedDate: string, to: string, more = '') =>
  `mutation { subscriptionOrderPostpone(contractId: "${ID}", expectedDate: "${expectedDate}", to: "${to}" ${more}) {
    contract { id nextOrder { date cycleIndex } postponement { since laidUntil revertableUntil } } ${ORDERS} ${ERRORS} } }`;
export const REVERT = `mutation { subscriptionOrderPostponementRevert(contractId: "${ID}") {
  contract { id nextOrder { date } postponement { since } } ${ORDERS} ${ERRORS} } }`;

export const sendNow = (expectedDate: string) =>
  `mutation { subscriptionOrderSendNow(contractId: "${ID}", expectedDate: "${expectedDate}") { ${ORDERS} ${ERRORS} } }`;

/** The fault hits the n-th document of schedule edits, which is sent again after a lost response. */
export function failDocument(
  world: Pick<OperationWorld, 'fail'>,
  document: number,
  fault:
    | { readonly kind: 'lost before' | 'lost after' }
    | { readonly kind: 'one refused'; readonly mutation: number },
): void {
  for (let count = 1; count < document; count += 1)
    world.fail({ kind: 'one refused', at: EDIT, mutation: 1_000 });
  world.fail({ ...fault, at: EDIT, times: fault.kind === 'one refused' ? 1 : 2 });
}

type Process = ReturnType<ReturnType<typeof createStoreWorld>['process']>;

/** `settings`: the store's, which differ from those of other tests. */
export function createPostponementWorld(settings: Partial<StoreRecord> = {}) {
  const table = createMemoryTable();
  const world = createStoreWorld(table);
  const ownStore: StoreRecord = { ...world.store, ...settings };
  const contract: ContractRecord = world.contract(WEEKLY);
  const postponements = createPostponementRepository({ table, now: world.now });
  const ref = { shopId: ownStore.shopId, contractNumber: String(WEEKLY) as ContractNumber };
  const policy = { interval: 'MONTH' as const, intervalCount: 1, anchors: [] };
  contract.createdAt = '2026-08-09T10:00:00Z';
  contract.schedule = [{ fromIndex: 1, startAt: contract.createdAt, policy }];
  contract.content.billingPolicy = { ...contract.content.billingPolicy, ...policy };
  contract.content.deliveryPolicy = { ...contract.content.deliveryPolicy, ...policy };
  contract.billedCycles = [1, 2, 3];
  contract.cycleEdits = {};
  // The weekly contract had orders of later cycles.
  const { attempts } = world.platform.store();
  for (const { id, cycleIndex } of attempts.ofContract(contract.id)) if (cycleIndex > 3) attempts.delete(id);

  return {
    ...world,
    table,
    contract,
    /** Runs a client's document, at the time of the platform's clock. */
    send: (as: PlanRequest['as'], query: string, own: Partial<Process['asFunction']> = {}) =>
      world.run({
        ...{ as, query, table, timeline: world.timelineOver },
        ...own,
        now: world.now,
        store: ownStore,
      }),
    postponements,
    ref,
    postponedDates: async () => (await postponements.read(ref))?.dates,
    /** The dates of the edited cycles by index; `-`: skipped. */
    edits: () =>
      Object.fromEntries(
        Object.entries(contract.cycleEdits).map(([index, { skipped, billingDate }]) => [
          index,
          skipped ? '-' : billingDate?.slice(0, 10),
        ]),
      ),
    /** Advances the clock, and bills the orders before it. */
    at(iso: string, billed: readonly number[]): void {
      world.later(Date.parse(iso) - world.now());
      contract.billedCycles = [1, 2, 3, ...billed];
    },
    /** Runs the scheduled work, a quarter of an hour later. Returns the number of contracts with further dates. */
    async runWork({ deps: general }: Pick<Process, 'deps'> = world.process()): Promise<number> {
      world.later(15 * MINUTE_MS);
      const deps = { ...general, stores: { find: async () => ownStore } };
      await runScheduledWork(deps);
      const endAtMs = world.now() + 10 * MINUTE_MS;
      const postponements = createPostponementRepository({ table: deps.table, now: deps.now });
      const logger = { info() {}, warn() {}, error() {} };
      const count = await extendDuePostponements({ ...deps, postponements, logger }, endAtMs);
      await world.place();
      return count;
    },
    /** The scheduled tasks of extensions, as ISO dates. */
    async extensions(): Promise<string[]> {
      const due: string[] = [];
      const scheduledTasks = createScheduledTaskRepository({ table, now: world.now });
      for await (const { dueAtMs } of scheduledTasks.listDue(
        'postponement',
        world.now() + 400 * 86_400_000,
      )) {
        due.push(new Date(dueAtMs).toISOString().slice(0, 10));
      }
      return due;
    },
  };
}
