/**
 * An emulated store with a table and its timelines, clients' requests, and the scheduled work. Each process has its own
 * faults and can crash at any step.
 */
import { composeApplyOutcomeToCharge } from '../../functions/compose/compose-apply-outcome-to-charge.ts';
import type { FunctionName } from '../../infra/definition/function-definitions.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import type { AdminOperation } from '../../lib/platform/admin-api/admin-client.ts';
import { createSendWithinBudget } from '../../lib/platform/admin-api/send-within-budget.ts';
import { createScheduledTaskRepository, type ScheduledTask } from '../../lib/storage/scheduled-tasks.ts';
import type { Table } from '../../lib/storage/table.ts';
import { parseContractRef } from '../../lib/subscriptions/contract-ref.ts';
import { CHANGE_FINISHERS_BY_ACTION } from '../../lib/subscriptions/interval/finish-interval-change.ts';
import {
  createPostponementRepository,
  type Postponements,
} from '../../lib/subscriptions/order-dates/postponements.ts';
import type { PauseRecord } from '../../lib/subscriptions/pause/pause-record.ts';
import { readPauseEnd } from '../../lib/subscriptions/pause/read-pause-end.ts';
import { resumeDueContracts } from '../../lib/subscriptions/pause/resume-due-contracts.ts';
import type { ResumeContractsDeps } from '../../lib/subscriptions/pause/resume-paused-contracts.ts';
import { createTimedPauseRepository } from '../../lib/subscriptions/pause/timed-pauses.ts';
import type { ApplyOutcomeToCharge } from '../../lib/timeline/attempt-outcome.ts';
import type { ContractNumber, TimelineRef } from '../../lib/timeline/event-record.ts';
import { settleOpenCharges } from '../../lib/timeline/settle/settle-open-charges.ts';
import { settleOpenIntents } from '../../lib/timeline/settle/settle-open-intents.ts';
import { createTimeline, type Timeline } from '../../lib/timeline/timeline.ts';
import type { ContractRecord } from '../../sandbox/platform/state/contract-records.ts';
import { appendNow } from '../appending.ts';
import { createOperationWorld } from '../contract/world/operation-world.ts';
import type { PlanRequest } from '../graphql/world/harness.ts';
import { Crash, createFaults, faulty } from '../lib/stores/world/faults.ts';
import { tableOf } from '../rights/guarded-table.ts';

export const WEEKLY = 9101001;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
const RUN_MS = 10 * MINUTE_MS;

/** The fault of a platform request: the process crashes before or after it, or its response is lost. */
export type Break = 'die before' | 'die after' | 'lose';

export type StoreWorld = ReturnType<typeof createStoreWorld>;

type ScheduledDeps = ResumeContractsDeps & Own;
type Own = {
  readonly table: Table;
  readonly scheduledTasks: ReturnType<typeof createScheduledTaskRepository>;
  readonly timeline: Timeline;
  readonly wait: (ms: number) => Promise<void>;
  readonly postponements: Postponements;
  readonly applyOutcomeToCharge: ApplyOutcomeToCharge;
};

/** Runs the tasks of the scheduled handler. Returns the numbers of settled intents and of resumed contracts. */
export async function runScheduledWork(deps: ScheduledDeps): Promise<{ settled: number; ended: number }> {
  const endAtMs = deps.now() + RUN_MS;
  const readEnd = (contract: TimelineRef) => readPauseEnd(deps.timedPauses, contract);
  const settled = await settleOpenIntents(
    { ...deps, finishers: CHANGE_FINISHERS_BY_ACTION, readPauseEnd: readEnd },
    endAtMs,
  );
  await settleOpenCharges(deps, endAtMs);
  return { settled, ended: await resumeDueContracts(deps, endAtMs) };
}

export function createStoreWorld(table: Table) {
  const world = createOperationWorld();
  const { holder } = world.platform;
  const now = () => holder.nowMs;
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const newId = () => crypto.randomUUID();
  const timelineOver = (own: Table) =>
    createTimeline({
      ...{
        table: own,
        scheduledTasks: createScheduledTaskRepository({ table: own, now }),
        logger,
        now,
        newId,
      },
    });
  const timeline = timelineOver(table);
  const timedPauses = createTimedPauseRepository({ table, now });
  const scheduledTasks = createScheduledTaskRepository({ table, now });
  const gid = (id: number) => `gid://platform/SubscriptionContract/${id}`;

  /**
   * Creates a process of the scheduled work. `platform` receives each request and may inject a fault; so may `faults`.
   */
  function process(
    platform: (document: string) => Break | undefined = () => undefined,
    name: FunctionName = 'scheduled-work',
  ) {
    const faults = createFaults();
    const unguarded = faulty(table, 'table', faults);
    const own = tableOf(name, unguarded);
    const send = async (operation: AdminOperation) => {
      const broken = platform(operation.document);
      if (broken === 'die before') throw new Crash();
      const answer = await world.client(operation);
      if (broken === 'die after') throw new Crash();
      if (broken === 'lose') throw new ServiceError('OUTCOME_UNKNOWN');
      return answer;
    };
    const wait = async (ms: number) => {
      holder.nowMs += ms;
    };
    const timeline = timelineOver(own);
    const stores = { find: async () => world.store };
    const deps: ScheduledDeps = {
      ...{ table: own, stores, wait },
      postponements: createPostponementRepository({ table: own, now }),
      applyOutcomeToCharge: composeApplyOutcomeToCharge({ table: own, now, stores, logger }),
      scheduledTasks: createScheduledTaskRepository({ table: own, now }),
      timedPauses: createTimedPauseRepository({ table: own, now }),
      timeline,
      sendWithinBudget: createSendWithinBudget({ send, now, wait }),
      platformGidNamespace: 'shopify',
      logger,
      now,
    };
    /** Creates a function's process with the same faults. */
    const asFunction = { table: unguarded, timeline: timelineOver };
    return { deps, faults, asFunction };
  }

  /** Runs the worker that delivers. */
  const place = () => appendNow({ table, now });

  /** Returns the timeline entries of a contract that match, oldest first. */
  async function entries(id = WEEKLY, query?: string) {
    const contracts = [String(id) as ContractNumber];
    const args = { first: 250, ...(query && { query }) };
    const [page] = await timeline.readEvents({ shopId: world.store.shopId, contracts, args });
    return (page?.edges ?? []).map(({ record }) => record);
  }

  return {
    ...world,
    now,
    timedPauses,
    timelineOver,
    process,
    later: (ms: number) => {
      holder.nowMs += ms;
    },
    /** Runs a client's operation on a contract; `own`: the table of its process. */
    ask: (as: PlanRequest['as'], mutation: string, id = WEEKLY, own = table) =>
      world.run({
        as,
        query: `mutation { change: ${mutation.replace('ID', `subscriptionContractId: "${gid(id)}"`)} {
          contract { status } userErrors { code }
        } }`,
        table: own,
        timeline: timelineOver,
      }),
    /** Runs a client's document. */
    send: (
      as: PlanRequest['as'],
      query: string,
      more: Pick<PlanRequest, 'variables' | 'now' | 'store'> = {},
    ) => world.run({ as, query, table, timeline: timelineOver, ...more }),
    /** Makes a change at the platform, without this service. */
    changeExternally: (mutation: string, id = WEEKLY) =>
      world.platform.run(
        `{ ${mutation}(subscriptionContractId: "gid://shopify/SubscriptionContract/${id}") { userErrors { message } } }`,
      ),
    /** Runs the scheduled handler once, then the worker that appends. Returns the number of resumed contracts. */
    async work({ deps }: Pick<ReturnType<typeof process>, 'deps'> = process()): Promise<number> {
      const { ended } = await runScheduledWork(deps);
      await place();
      return ended;
    },
    place,
    status: (id = WEEKLY) => world.contract(id).content.status,
    pauseOf: (id = WEEKLY): Promise<PauseRecord | undefined> => {
      const ref = parseContractRef(world.store.shopId, gid(id));
      return ref === undefined ? Promise.resolve(undefined) : timedPauses.read(ref);
    },
    /** The scheduled tasks of pauses, with any due time. */
    async ends() {
      const ends: ScheduledTask[] = [];
      for await (const item of scheduledTasks.listDue('pause', now() + 5 * HOUR_MS)) ends.push(item);
      return ends;
    },
    entries,
    /** Returns the contract's timeline with its actors. */
    timeline: async (id = WEEKLY) =>
      (await entries(id)).map(({ actor, action, changes }) => {
        const isEndGone = changes.some(
          ({ field, before, after }) =>
            field === 'currentPause.resumesAt' && before !== null && after === null,
        );
        return `${actor.kind} ${action}${isEndGone ? ', no end any more' : ''}`;
      }),
    /** Creates a copy of the weekly contract, paused until then. */
    async paused(id: number, resumesAtMs: number): Promise<ContractRecord> {
      const copy = structuredClone(world.contract(WEEKLY));
      Object.assign(copy, { id, content: { ...copy.content, status: 'PAUSED' } });
      world.platform.store().contracts.set(id, copy);
      const ref = parseContractRef(world.store.shopId, gid(id));
      if (ref === undefined) throw new Error(`no contract ${id}`);
      const actor = { kind: 'MERCHANT', label: 'Helpdesk' } as const;
      const setAtMs = now();
      await timedPauses.set(undefined, {
        ...ref,
        pauseId: `${setAtMs}-1`,
        pausedAtMs: setAtMs,
        pausedBy: actor,
        resumesAtMs,
        reason: undefined,
        setBy: actor,
        setAtMs,
      });
      return copy;
    },
  };
}
