/**
 * Random sequences of operations by several actors on two contracts, with lost answers, stale commits, dying
 * processes and a clock that moves; what the platform did is watched request by request.
 */
import fc from 'fast-check';
import {
  findCycleAt,
  findCycleByIndex,
  listCyclesBetween,
} from '../../../sandbox/platform/state/billing-cycles.ts';
import type { ContractRecord } from '../../../sandbox/platform/state/contract-records.ts';
import { formatIsoInstant } from '../../../sandbox/platform/state/instant.ts';
import { Crash } from '../../lib/stores/world/faults.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { createStoreWorld, HOUR_MS, MINUTE_MS, runScheduledWork } from '../../world/store-world.ts';
import { createChargeOracle } from '../world/charge-oracle.ts';
import { type Acting, gid } from '../world/operation-world.ts';

export const CONTRACTS = [9_101_001, 9_101_002] as const;
type ContractId = (typeof CONTRACTS)[number];

const ACTORS: readonly Acting[] = ['customer', 'store', 'store for a customer'];
const NAMES = ['skip', 'unskip', 'move', 'pause', 'resume', 'lines', 'interval', 'cancel', 'charge'] as const;

export type Operation = {
  readonly kind: 'operation';
  readonly name: (typeof NAMES)[number];
  readonly as: Acting;
  readonly contract: ContractId;
  /** The choice: an order from the current one on, a quantity, an interval, the days of a pause. */
  readonly choice: number;
  /** The client's own key of a charge. */
  readonly key: string | null;
  readonly fault: 'none' | 'stale' | 'lost before' | 'lost after' | 'dies';
  /** The number of the table call at which it crashes. */
  readonly diesAt: number;
};
export type Command =
  | Operation
  /** Two concurrent operations; `ticks`: the delay of each step of the second one. */
  | { readonly kind: 'together'; readonly both: readonly [Operation, Operation]; readonly ticks: number }
  /** The same operation, requested concurrently, each with its own faults. */
  | { readonly kind: 'crowd'; readonly all: readonly Operation[]; readonly ticks: number }
  /** The bank's response to the first contract's card from now on, or another card instead. */
  | { readonly kind: 'bank'; readonly declines: string | null; readonly isOtherCard: boolean }
  | { readonly kind: 'wait'; readonly hours: number }
  /** Runs the scheduled work once. */
  | { readonly kind: 'work' };

type Drawn = {
  readonly contracts: readonly ContractId[];
  readonly choices: number;
  readonly faults: readonly Operation['fault'][];
};

const BREAKS = ['stale', 'lost before', 'lost after', 'dies'] as const;

const operationOf = ({ contracts, choices, faults }: Drawn): fc.Arbitrary<Operation> =>
  fc.record({
    kind: fc.constant('operation'),
    // Ends are rare, or nothing happens after them.
    name: fc.constantFrom(
      ...NAMES.flatMap((name) => (name === 'cancel' ? [name] : [name, name, name, name])),
    ),
    as: fc.constantFrom(...ACTORS),
    contract: fc.constantFrom(...contracts),
    choice: fc.nat(choices - 1),
    key: fc.constantFrom(null, null, null, 'a', 'b'),
    fault: fc.constantFrom(...faults),
    diesAt: fc.nat(4),
  });

const togetherOf = (operation: fc.Arbitrary<Operation>) =>
  fc.record({
    kind: fc.constant('together' as const),
    both: fc.tuple(operation, operation),
    ticks: fc.nat(30),
  });

const operation = operationOf({
  contracts: CONTRACTS,
  choices: 4,
  faults: ['none', 'none', 'none', 'none', ...BREAKS],
});
const waiting = fc.record({ kind: fc.constant('wait' as const), hours: fc.nat(72) });
const working = fc.constant({ kind: 'work' as const });

/** All commands of a few weeks. */
export const weeks: fc.Arbitrary<Command[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: operation },
    { weight: 2, arbitrary: togetherOf(operation) },
    { weight: 2, arbitrary: waiting },
    { weight: 1, arbitrary: working },
  ),
  { maxLength: 24 },
);

const clashing = operationOf({ contracts: [CONTRACTS[0]], choices: 2, faults: ['none', ...BREAKS] });

/** The same few things asked of one contract by two at once, and most of it breaks. */
export const clashes: fc.Arbitrary<Command[]> = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: clashing },
    { weight: 3, arbitrary: togetherOf(clashing) },
    { weight: 1, arbitrary: working },
  ),
  { maxLength: 5 },
);

/** Concurrent equal requests for one contract, of the mutations without a draft. */
const crowdOf = (names: readonly Operation['name'][]) =>
  fc
    .tuple(
      clashing,
      fc.constantFrom(...names),
      fc.array(clashing, { minLength: 2, maxLength: 5 }),
      fc.nat(20),
    )
    .map(([{ choice }, name, each, ticks]) => ({
      kind: 'crowd' as const,
      all: each.map((one) => ({ ...one, name, choice })),
      ticks,
    }));

export const crowds: fc.Arbitrary<Command[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: crowdOf(['skip', 'unskip', 'move', 'pause', 'resume', 'charge', 'cancel']) },
    { weight: 1, arbitrary: working },
    { weight: 1, arbitrary: fc.constant({ kind: 'wait' as const, hours: 0.05 }) },
  ),
  { maxLength: 6 },
);

/** An order that is charged repeatedly with cards that are declined. */
export const charges: fc.Arbitrary<Command[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: crowdOf(['charge']) },
    { weight: 2, arbitrary: clashing.map((one) => ({ ...one, name: 'charge' as const })) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('bank' as const),
        declines: fc.constantFrom(null, 'CARD_DECLINED', 'EXPIRED_CARD', 'ACTION_REQUIRED'),
        isOtherCard: fc.boolean(),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.nat(120).map((seconds) => ({ kind: 'wait' as const, hours: seconds / 3600 })),
    },
    { weight: 1, arbitrary: working },
  ),
  { maxLength: 8 },
);

/** The request of the platform that makes each change. */
const CHANGES_BY: Readonly<Record<Operation['name'], string>> = {
  skip: 'subscriptionBillingCycleScheduleEdit',
  unskip: 'subscriptionBillingCycleScheduleEdit',
  move: 'subscriptionBillingCycleScheduleEdit',
  pause: 'subscriptionContractPause',
  resume: 'subscriptionContractActivate',
  cancel: 'subscriptionContractCancel',
  lines: 'subscriptionDraftCommit',
  interval: 'subscriptionDraftCommit',
  charge: 'subscriptionBillingAttemptCreate',
};

const STATUS_CHANGE = /subscriptionContract(?:Pause|Activate|Cancel)\(/;
const changesStatus = (name: Operation['name']) => STATUS_CHANGE.test(`${CHANGES_BY[name]}(`);

/** A fact of a contract that the platform changed. */
export type Transition = {
  readonly contract: number;
  readonly field: string;
  readonly before: string;
  readonly after: string;
};

const INTERVALS = [
  '{ interval: WEEK, intervalCount: 1 }',
  '{ interval: WEEK, intervalCount: 2 }',
  '{ interval: MONTH, intervalCount: 1 }',
];

export type RandomWorld = ReturnType<typeof createRandomWorld>;

/** `watchesCycles`: orders that come next are watched, too; a change of the interval would move them. */
export function createRandomWorld({ watchesCycles = false, seconds = 0 } = {}) {
  const table = createMemoryTable();
  const world = createStoreWorld(table);
  const { platform } = world;
  const transitions: Transition[] = [];
  const broken: string[] = [];
  /** The number of concurrent changes of a contract's status: the later one has read the state before the first. */
  const clashes = new Map<number, number>();
  /** The days of orders with a requested skip, by contract. */
  const skipDays = new Set<string>();
  const ended = new Map<number, string>();
  for (const id of CONTRACTS) for (const line of world.contract(id).content.lines) line.quantity = 1;
  const firstIndices = new Map<number, number>(
    CONTRACTS.map((id) => [id, findCycleAt(world.contract(id), world.now())?.index ?? 0]),
  );
  if (watchesCycles) {
    const store = platform.store();
    store.chargeDelaySeconds = seconds;
    for (const id of CONTRACTS) {
      const billingDate = formatIsoInstant(world.now() + HOUR_MS);
      world.contract(id).cycleEdits[firstIndices.get(id) ?? 0] = {
        skipped: false,
        billingDate,
        contract: null,
      };
      const card = store.paymentMethods.get(world.contract(id).content.paymentMethodId ?? '');
      if (card !== undefined) card.instrument.declines = 'CARD_DECLINED';
    }
  }
  const factsNow = (id: ContractId) => ({
    ...factsOf(world.contract(id)),
    ...(watchesCycles && cycleFacts(world.contract(id), firstIndices.get(id) ?? 0)),
  });
  const seen = new Map(CONTRACTS.map((id) => [id, factsNow(id)]));
  const givenKeys = new Set<string>();
  const oracle = createChargeOracle({
    attempts: () => platform.store().attempts.values(),
    contract: world.contract,
  });

  /** Called after every request that reached the platform. */
  function watch(): void {
    oracle.watch(givenKeys);
    for (const id of CONTRACTS) {
      const contract = world.contract(id);
      const facts: Record<string, string> = factsNow(id);
      for (const [field, after] of Object.entries(facts)) {
        const before = (seen.get(id) as Record<string, string> | undefined)?.[field] ?? '';
        if (before !== after) transitions.push({ contract: id, field, before, after });
      }
      seen.set(id, facts);
      checkContract(contract);
    }
  }

  function checkContract({ id, content, cycleEdits, billedCycles }: ContractRecord): void {
    const { billingPolicy, deliveryPolicy, lines, status } = content;
    const isWhole = new Set(lines.map(({ quantity }) => quantity)).size === 1;
    if (!isWhole) broken.push(`${id}: half of a change of lines is visible`);
    const same =
      billingPolicy.interval === deliveryPolicy.interval &&
      billingPolicy.intervalCount === deliveryPolicy.intervalCount;
    if (!same) broken.push(`${id}: half of a change of the interval is visible`);
    const text = JSON.stringify({ content, cycleEdits, billedCycles });
    const last = ended.get(id);
    if (last !== undefined && last !== text) broken.push(`${id}: changed after its end`);
    if (status === 'CANCELLED') ended.set(id, text);
  }

  const { send } = platform;
  async function sendWatched(body: string): ReturnType<typeof send> {
    const before = CONTRACTS.map((id) => ({ id, status: world.status(id), attempts: attempts(id) }));
    try {
      return await send(body);
    } finally {
      for (const { id, status, attempts: count } of before) {
        if (status === 'PAUSED' && attempts(id) !== count) broken.push(`${id}: billed while paused`);
      }
      watch();
    }
  }
  let last: Promise<unknown> = Promise.resolve();
  /** Runs them sequentially in the order of arrival, so that each change is observed. */
  platform.send = (body) => {
    const answer = last.then(() => sendWatched(body));
    last = answer.catch(() => undefined);
    return answer;
  };
  const attempts = (id: number) =>
    [...platform.store().attempts.values()].filter(({ contractId }) => contractId === id).length;

  /** Returns the mutation's text, or undefined if the operation does not apply. */
  function mutationOf({ name, contract: id, choice, key }: Operation): string | undefined {
    const givenKey = key === null ? '' : `, idempotencyKey: "${key}"`;
    if (key !== null) givenKeys.add(key);
    const contract = world.contract(id);
    const own = `contractId: "${gid('SubscriptionContract', id)}"`;
    const named = `subscriptionContractId: "${gid('SubscriptionContract', id)}"`;
    const current = findCycleAt(contract, world.now());
    const cycle = current && findCycleByIndex(contract, current.index + choice);
    const rest = '{ userErrors { code message } }';
    switch (name) {
      case 'skip':
      case 'unskip': {
        if (!cycle) return undefined;
        const date = formatIsoInstant(cycle.expectedMs);
        if (name === 'skip') skipDays.add(`${id} ${formatIsoInstant(cycle.endMs).slice(0, 10)}`);
        return `subscriptionBillingCycleSkip(${own}, billingCycleIndex: ${cycle.index}, skip: ${name === 'skip'}, expectedDate: "${date}") ${rest}`;
      }
      case 'move': {
        if (!cycle) return undefined;
        const date = formatIsoInstant(cycle.endMs - choice * 24 * HOUR_MS);
        return `subscriptionBillingCycleReschedule(${own}, billingCycleIndex: ${cycle.index}, billingDate: "${date}") ${rest}`;
      }
      case 'pause': {
        const until =
          choice === 0 ? '' : `, until: "${formatIsoInstant(world.now() + choice * 24 * HOUR_MS)}"`;
        return `subscriptionContractPause(${named}${until}) ${rest}`;
      }
      case 'resume':
        return `subscriptionContractActivate(${named}) ${rest}`;
      case 'cancel':
        return `subscriptionContractCancel(${named}) ${rest}`;
      case 'lines': {
        const update = contract.content.lines.map(
          (line) => `{ lineId: "${gid('SubscriptionLine', line.id)}", quantity: ${choice + 1} }`,
        );
        return `subscriptionContractLinesUpdate(${own}, update: [${update.join(' ')}]) ${rest}`;
      }
      case 'interval':
        return `subscriptionContractIntervalUpdate(${own}, interval: ${INTERVALS[choice % INTERVALS.length]}) ${rest}`;
      case 'charge':
        return current === null
          ? undefined
          : `subscriptionBillingCycleCharge(${named}, billingCycleSelector: { index: ${current.index} }${givenKey}) ${rest}`;
    }
  }

  async function operate(one: Operation, ticks = 0): Promise<void> {
    const text = mutationOf(one);
    if (text === undefined) return;
    const { asFunction, faults } = world.process();
    faults.pause = async () => {
      for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
    };
    if (one.fault === 'dies') faults.plan = ({ count }) => (count === one.diesAt ? 'after' : undefined);
    else if (one.fault !== 'none') world.fail({ kind: one.fault, at: CHANGES_BY[one.name] });
    const as = one.name === 'charge' ? 'store' : one.as;
    try {
      const wait = async (ms: number) => world.later(ms);
      await world.run({ as, query: `mutation { ${text} }`, ...asFunction, now: world.now, wait });
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
  }

  function bank({ declines, isOtherCard }: Extract<Command, { kind: 'bank' }>): void {
    const { content } = world.contract(CONTRACTS[0]);
    const { paymentMethods } = platform.store();
    const card = paymentMethods.get(content.paymentMethodId ?? '');
    if (card === undefined) return;
    const own = isOtherCard ? { ...structuredClone(card), id: `card-${paymentMethods.size}` } : card;
    own.instrument.declines = declines;
    paymentMethods.set(own.id, own);
    content.paymentMethodId = own.id;
  }

  /** Returns the number of open intents after the recorded events are appended. */
  async function openIntents(): Promise<number> {
    const { deps } = world.process();
    await world.place();
    let open = 0;
    for await (const _item of deps.scheduledTasks.listDue('intent', world.now() + HOUR_MS)) open += 1;
    // A charge that waits for its customer is recorded and checked later.
    for await (const _item of deps.scheduledTasks.listDue('charge', world.now())) open += 1;
    return open;
  }

  return {
    transitions,
    clashes,
    broken,
    brokenCharges: oracle.broken,
    isWatched: (field: string) =>
      /^(status|deliveryPolicy|lines\..+\.quantity)$/.test(field) ||
      (watchesCycles && /^billingCycles\..+(skipped|Date)$/.test(field)),
    chargesToRecord: (id: ContractId) => oracle.toRecord(id),
    openIntents,
    entriesOf: (id: ContractId) => world.entries(id),
    contract: world.contract,
    async run(command: Command): Promise<void> {
      if (command.kind === 'operation') await operate(command);
      else if (command.kind === 'together') {
        const [one, other] = command.both;
        const isClash = [one, other].every(
          ({ name, contract }) => changesStatus(name) && contract === one.contract,
        );
        if (isClash) clashes.set(one.contract, (clashes.get(one.contract) ?? 0) + 1);
        await Promise.all([operate(one), operate(other, command.ticks)]);
      } else if (command.kind === 'crowd') {
        await Promise.all(command.all.map((one, index) => operate(one, index * command.ticks)));
      } else if (command.kind === 'bank') bank(command);
      else if (command.kind === 'work') await runScheduledWork(world.process().deps);
      else world.later(command.hours * HOUR_MS);
      world.clearFaults();
      // Commands never share a millisecond, but concurrent requests can.
      world.later(1);
      watch();
    },
    async settle(): Promise<void> {
      world.later(10 * MINUTE_MS);
      await runScheduledWork(world.process().deps);
      watch();
    },
    /** Returns the skipped orders without a requested skip. */
    straySkips(id: ContractId): string[] {
      const contract = world.contract(id);
      const index = findCycleAt(contract, world.now())?.index;
      if (index === undefined) return [];
      return listCyclesBetween(contract, index, index + 12)
        .filter(({ skipped }) => skipped)
        .map(({ endMs }) => `${id} ${formatIsoInstant(endMs).slice(0, 10)}`)
        .filter((day) => !skipDays.has(day));
    },
  };
}

/** Facts as the timeline names and writes them. */
function factsOf({ content }: ContractRecord): Record<string, string> {
  const { interval, intervalCount } = content.deliveryPolicy;
  return {
    status: content.status,
    deliveryPolicy: `${intervalCount} ${interval}`,
    ...Object.fromEntries(content.lines.map(({ id, quantity }) => [`lines.${id}.quantity`, `${quantity}`])),
  };
}

const WATCHED_CYCLES = 4;

/** The same of the orders from this index on. */
function cycleFacts(contract: ContractRecord, first: number): Record<string, string> {
  const facts = Array.from({ length: WATCHED_CYCLES }, (_, offset) => {
    const cycle = findCycleByIndex(contract, first + offset);
    const field = `billingCycles.${first + offset}`;
    return [
      [`${field}.skipped`, String(cycle?.skipped)],
      [`${field}.billingAttemptExpectedDate`, cycle ? formatIsoInstant(cycle.expectedMs) : ''],
    ];
  });
  return Object.fromEntries(facts.flat());
}
