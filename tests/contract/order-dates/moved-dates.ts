/**
 * A contract whose orders are moved, skipped, restored, paused and put into other intervals in any order, while the
 * clock advances, the scheduled work runs and the nightly reconciliation reads external changes. No fault occurs here.
 */
import fc from 'fast-check';
import { parseTimeZone, UTC } from '../../../lib/domain/time-zone.ts';
import { observeContracts } from '../../../lib/store-events/contracts/observe-contracts.ts';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import {
  type BillingCycle,
  findCycleAt,
  listCyclesBetween,
  type ReschedulingRule,
} from '../../../sandbox/platform/state/billing-cycles.ts';
import { DAY_MS, formatIsoInstant } from '../../../sandbox/platform/state/instant.ts';
import { store } from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { MONTHLY } from '../../world/interval-world.ts';
import { createStoreWorld, MINUTE_MS, runScheduledWork, WEEKLY } from '../../world/store-world.ts';
import { NO_TOMBSTONES } from '../world/observe.ts';
import { gid } from '../world/operation-world.ts';
import { sendImmediately } from '../world/reading-of.ts';

const INTERVALS = [
  { interval: 'WEEK', intervalCount: 1 },
  { interval: 'WEEK', intervalCount: 2 },
  { interval: 'WEEK', intervalCount: 5 },
  { interval: 'MONTH', intervalCount: 1 },
  { interval: 'MONTH', intervalCount: 2 },
] as const;

/** A day around an order to come. */
const day = { order: fc.nat(4), days: fc.integer({ min: -12, max: 12 }) };
const interval = fc.constantFrom(...INTERVALS);

const command = fc.oneof(
  { weight: 3, arbitrary: fc.record({ name: fc.constant('move' as const), ...day }) },
  { weight: 2, arbitrary: fc.record({ name: fc.constant('skip' as const), order: fc.nat(4) }) },
  { weight: 2, arbitrary: fc.record({ name: fc.constant('restore' as const), order: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ name: fc.constant('pause' as const), days: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ name: fc.constant('resume' as const) }) },
  { weight: 3, arbitrary: fc.record({ name: fc.constant('resume on' as const), ...day }) },
  { weight: 4, arbitrary: fc.record({ name: fc.constant('interval' as const), interval }) },
  { weight: 3, arbitrary: fc.record({ name: fc.constant('interval on' as const), interval, ...day }) },
  {
    weight: 4,
    arbitrary: fc.record({
      name: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 5_000, 40_000, 4 * MINUTE_MS, 0.6 * DAY_MS, 1.72 * DAY_MS, 9 * DAY_MS),
    }),
  },
);
export type Command = typeof command extends fc.Arbitrary<infer One> ? One : never;

export const histories = fc.record({
  contract: fc.constantFrom(WEEKLY, MONTHLY),
  rescheduling: fc.constantFrom<ReschedulingRule>('AFTER_CURRENT_CYCLE', 'FROM_CURRENT_CYCLE'),
  commands: fc.array(command, { maxLength: 14, size: 'max' }),
});

const ANSWER =
  'contract { status nextBillingDate nextOrder { date cycleIndex } } userErrors { code message }';
const DROPPED = 'droppedEdits { cycleIndex skipped movedTo reasonCode }';
const ON = 'contractId: $contractId';
const NAMED = 'subscriptionContractId: $contractId';
const MUTATIONS = {
  move: `($contractId: ID!, $index: Int!, $date: DateTime!) { subscriptionBillingCycleReschedule(${ON}, billingCycleIndex: $index, billingDate: $date) { userErrors { code message } } }`,
  skip: `($contractId: ID!, $index: Int!) { subscriptionBillingCycleSkip(${ON}, billingCycleIndex: $index) { userErrors { code message } } }`,
  restore: `($contractId: ID!, $index: Int!) { subscriptionBillingCycleSkip(${ON}, billingCycleIndex: $index, skip: false) { userErrors { code message } } }`,
  pause: `($contractId: ID!, $date: DateTime) { subscriptionContractPause(${NAMED}, until: $date) { ${ANSWER} } }`,
  resume: `($contractId: ID!) { subscriptionContractActivate(${NAMED}) { ${ANSWER} } }`,
  'resume on': `($contractId: ID!, $date: DateTime!) { subscriptionContractActivate(${NAMED}, nextBillingDate: $date) { ${ANSWER} } }`,
  interval: `($contractId: ID!, $interval: SubscriptionIntervalInput) { subscriptionContractIntervalUpdate(${ON}, interval: $interval) { ${DROPPED} ${ANSWER} } }`,
  'interval on': `($contractId: ID!, $interval: SubscriptionIntervalInput, $date: DateTime) { subscriptionContractIntervalUpdate(${ON}, interval: $interval, nextBillingDate: $date) { ${DROPPED} ${ANSWER} } }`,
};

export type MovedDatesWorld = ReturnType<typeof createMovedDatesWorld>;
/** The request, after its order and its date are known. */
export type SentRequest = {
  readonly name: keyof typeof MUTATIONS;
  readonly index?: number;
  readonly date?: string;
};

export function createMovedDatesWorld({
  contract: id,
  rescheduling,
}: {
  readonly contract: number;
  readonly rescheduling: ReschedulingRule;
}) {
  const table = createMemoryTable();
  const world = createStoreWorld(table);
  world.platform.store().rescheduling = rescheduling;
  const contract = world.contract(id);
  const { now } = world;
  const first = findCycleAt(contract, now())?.index ?? 1;
  const warned: unknown[] = [];
  const logger = {
    debug() {},
    info() {},
    warn: (...recorded: unknown[]) => void warned.push(recorded),
    error: (...recorded: unknown[]) => void warned.push(recorded),
  };

  /** All orders from the one that ran at first, paid ones and past ones included. */
  const all = (): BillingCycle[] => listCyclesBetween(contract, first, first + 160);
  const ahead = () => all().filter(({ billed, expectedMs }) => !billed && expectedMs > now());

  function requestOf(one: Exclude<Command, { name: 'wait' }>): SentRequest | undefined {
    const { name } = one;
    if (name === 'pause') return one.days < 4 ? { name } : { name, date: later(one.days * DAY_MS) };
    if (name === 'resume' || name === 'interval') return { name };
    const order = ahead()[one.order];
    if (order === undefined) return undefined;
    if (name === 'skip' || name === 'restore') return { name, index: order.index };
    const date = formatIsoInstant(order.endMs + one.days * DAY_MS);
    return name === 'move' ? { name, index: order.index, date } : { name, date };
  }
  const later = (ms: number) => formatIsoInstant(now() + ms);

  return {
    contract,
    timeZone: parseTimeZone(world.platform.store().ianaTimezone) ?? UTC,
    now,
    warned,
    all,
    ahead,
    requestOf,
    ask(request: SentRequest, given: Command) {
      const { asFunction } = world.process();
      return world.run({
        as: 'store',
        query: `mutation ${MUTATIONS[request.name]}`,
        variables: {
          contractId: gid('SubscriptionContract', id),
          ...(request.index !== undefined && { index: request.index }),
          ...(request.date !== undefined && { date: request.date }),
          ...('interval' in given && { interval: given.interval }),
        },
        ...asFunction,
        now,
        wait: async (ms: number) => world.later(ms),
      });
    },
    later: world.later,
    /** Runs the scheduled work, and the worker that appends entries. */
    async work() {
      await runScheduledWork({ ...world.process().deps, logger });
      await world.place();
    },
    /** Reads external changes of the contract, like the nightly reconciliation. */
    async read() {
      const { deps } = world.process(undefined, 'store-events');
      const parts = { ...deps, logger, tombstones: NO_TOMBSTONES, sendWithinBudget: sendImmediately(world) };
      const run = { store, endAtMs: now() + MINUTE_MS, baselineAtMs: undefined };
      await observeContracts(parts, run, [String(id) as ContractNumber]);
    },
    entries: () => world.entries(id),
    async openIntents() {
      const { deps } = world.process();
      let open = 0;
      for await (const _item of deps.scheduledTasks.listDue('intent', now())) open += 1;
      return open;
    },
  };
}
