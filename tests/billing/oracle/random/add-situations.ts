/** Adds to a description what seldom happens at random: each contract meets one situation at the date of an order. */
import { type Cycle, listCycles } from '../cycles.ts';
import type {
  Answer,
  Card,
  ContractDescription,
  ContractEvent,
  Description,
  StoreChange,
} from '../description.ts';
import { createStoreCalendar } from '../store-calendar.ts';
import { DAY_MS, HOUR_MS } from '../zone-time.ts';
import type { Draw } from './draw.ts';

const DECLINES = ['DO_NOT_HONOR', 'EXPIRED_CARD', 'INSUFFICIENT_FUNDS'] as const;
const SITUATIONS = ['pause', 'cards', 'skip', 'move', 'job', 'job in dunning', 'nothing'] as const;
const PAYS: Answer = { outcome: 'PAYS', seconds: 20 };
const REFUSED: Answer = { outcome: 'MERCHANT_ACCOUNT_ERROR', seconds: 20 };

/** More orders than a run without a confirmation charges beyond its preview. */
const UNEXPECTED_ORDER_COUNT = 120;

/**
 * In a third of the stores the merchant's account refuses everything for some days, in a third billing is stopped for some
 * days, and in each other contract something happens at the date of an order. In some large stores, only one thing happens:
 * another app moves all orders to one day.
 */
export function addSituations(draw: Draw, description: Description): Description {
  const { fromMs, untilMs, store, contracts: drawnContracts } = description;
  if (drawnContracts.length > UNEXPECTED_ORDER_COUNT && draw.chance(0.25))
    return moveToOneDay(draw, description);
  const kind = draw.pick(['outage', 'stop', 'neither'] as const);
  const startMs = fromMs + draw.int(5, 40) * DAY_MS + draw.int(0, 24 * 60) * 60_000;
  const endMs = startMs + (kind === 'outage' ? draw.int(4, 12) * DAY_MS : draw.int(6, 90) * HOUR_MS);
  const contracts = description.contracts.map((contract): ContractDescription => {
    const due = listCycles(contract.policy, contract.createdMs, untilMs - 5 * DAY_MS)
      .filter(({ index, endMs: dueMs }) => index > contract.billedCount && dueMs > fromMs + 3 * DAY_MS)
      .filter(({ endMs: dueMs }) => kind !== 'stop' || (startMs - DAY_MS < dueMs && dueMs < endMs));
    const events =
      kind === 'outage'
        ? createOutage(startMs + draw.int(0, 600) * 1000, endMs)
        : due.length > 0
          ? createEvents(draw, draw.pick(due), kind === 'stop' ? endMs : undefined)
          : [];
    return {
      ...contract,
      events: [...contract.events, ...events].toSorted((one, other) => one.atMs - other.atMs),
    };
  });
  const stops: readonly StoreChange[] =
    kind === 'stop'
      ? [
          { kind: 'stop', atMs: startMs },
          { kind: 'resume', atMs: endMs },
        ]
      : [];
  const changes = [...store.changes, ...stops].toSorted((one, other) => one.atMs - other.atMs);
  return { ...description, contracts, store: { ...store, changes } };
}

/** The moves come after the night that counts the day, so that its run is on hold until it is confirmed. */
function moveToOneDay(draw: Draw, description: Description): Description {
  const { untilMs, store } = description;
  const { day, atMs } = draw.pick(createStoreCalendar(store, untilMs).runs.slice(2, -2));
  const toMs = atMs + HOUR_MS / 2;
  const contracts = description.contracts.map((contract): ContractDescription => {
    const cycles = listCycles(contract.policy, contract.createdMs, untilMs);
    const cycle = cycles.find(({ startMs, endMs }) => startMs < toMs && toMs < endMs);
    if (cycle === undefined) return contract;
    return { ...contract, events: [{ kind: 'move', atMs: atMs - 3 * HOUR_MS, index: cycle.index, toMs }] };
  });
  const confirmation: StoreChange = { kind: 'confirm', day, atMs: atMs + draw.int(3, 40) * HOUR_MS };
  const changes = [...store.changes, confirmation].toSorted((one, other) => one.atMs - other.atMs);
  return { ...description, contracts, store: { ...store, changes, previewCounts: { [day]: 0 } } };
}

function createOutage(atMs: number, untilMs: number): readonly ContractEvent[] {
  return [
    { kind: 'card', atMs, card: { answers: [REFUSED] } },
    { kind: 'card', atMs: untilMs, card: { answers: [PAYS] } },
  ];
}

/** `resumeMs`: the run has found the order in the meantime. */
function createEvents(draw: Draw, cycle: Cycle, resumeMs: number | undefined): readonly ContractEvent[] {
  const { index, endMs: dueMs } = cycle;
  const kind = draw.pick([...SITUATIONS, 'pause'] as const);
  const atMs =
    resumeMs === undefined ? dueMs + draw.int(-24, 20) * HOUR_MS : resumeMs - draw.int(1, 5) * HOUR_MS;
  if (kind === 'nothing') return [];
  if (kind === 'skip') return [{ kind, atMs, index }];
  if (kind === 'move') return createMoves(draw, cycle);
  if (kind === 'job') return [{ kind: 'charge', atMs: dueMs + draw.int(-48, 24) * HOUR_MS, index: null }];
  if (kind === 'job in dunning') return createJobInDunning(draw, dueMs);
  if (kind === 'pause')
    return [
      { kind, atMs: dueMs - draw.int(1, 30) * HOUR_MS },
      { kind: 'activate', atMs: dueMs + draw.int(1, 60 * 24) * 60_000 },
    ];
  const card: Card = { answers: [drawDecline(draw)] };
  const times = draw.list(draw.int(8, 14), (at) => dueMs + (24 + at) * HOUR_MS);
  return [dueMs - 2 * HOUR_MS, ...times].map((cardMs) => ({ kind: 'card', atMs: cardMs, card }));
}

/**
 * An order is moved to an earlier date, declined there, and moved back. An order is due at the end of its cycle, so that it
 * cannot be moved to a later date at first. A new card has it tried at once, ahead of its date.
 */
function createMoves(draw: Draw, { index, startMs, endMs }: Cycle): readonly ContractEvent[] {
  const earlierMs = startMs + Math.floor((0.3 * (endMs - startMs)) / HOUR_MS) * HOUR_MS;
  const backMs = earlierMs + draw.int(16, 40) * HOUR_MS;
  const toMs = Math.min(endMs, backMs + draw.int(26, 9 * 24) * HOUR_MS);
  return [
    { kind: 'move', atMs: earlierMs - draw.int(25, 90) * HOUR_MS, index, toMs: earlierMs },
    { kind: 'card', atMs: earlierMs - 24 * HOUR_MS, card: { answers: [drawDecline(draw)] } },
    { kind: 'move', atMs: backMs, index, toMs },
    { kind: 'card', atMs: backMs + HOUR_MS, card: { answers: [PAYS] } },
  ];
}

/** A server that names no order pays the next order while one is in dunning. A new card has that one tried at once. */
function createJobInDunning(draw: Draw, dueMs: number): readonly ContractEvent[] {
  const jobMs = dueMs + draw.int(24, 72) * HOUR_MS;
  return [
    { kind: 'card', atMs: dueMs - 30 * HOUR_MS, card: { answers: [drawDecline(draw), PAYS] } },
    { kind: 'charge', atMs: jobMs, index: null },
    { kind: 'card', atMs: jobMs + HOUR_MS, card: { answers: [PAYS] } },
  ];
}

function drawDecline(draw: Draw): Answer {
  return { outcome: draw.pick(DECLINES), seconds: 5 };
}

/**
 * In each other contract all payments are declined, and the customer asks for another try after the one of each order. It is
 * not in the hours of a run, in which the run, or the declined try of it, may come before the request or after it.
 */
export function addRetryRequests(draw: Draw, description: Description): Description {
  const { fromMs, untilMs } = description;
  // The service's worker finds nothing to do for the store before billing is switched on.
  const hour: StoreChange = { kind: 'settings', atMs: fromMs - HOUR_MS, settings: { hour: 9 } };
  const store = { ...description.store, changes: [hour, ...description.store.changes] };
  const { runs } = createStoreCalendar(store, untilMs);
  const contracts = description.contracts.map((contract): ContractDescription => {
    if (draw.chance(0.5)) return contract;
    const due = listCycles(contract.policy, contract.createdMs, untilMs).filter(
      ({ endMs }) => endMs > fromMs,
    );
    const card: Card = { answers: [drawDecline(draw)] };
    const events = due.map(({ endMs }) => {
      const drawnMs = endMs + draw.int(26 * 60, 40 * 60) * 60_000;
      const run = runs.find(({ atMs }) => atMs - 2 * HOUR_MS < drawnMs && drawnMs < atMs + 3 * HOUR_MS);
      return { kind: 'retry' as const, atMs: run === undefined ? drawnMs : run.atMs + 3 * HOUR_MS };
    });
    return { ...contract, card, events };
  });
  return { ...description, store, contracts };
}
