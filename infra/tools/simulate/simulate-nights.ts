/** What store-events does in the month, minute by minute: marks of what happened, and each store's nightly pass. */
import { measured } from '../costs/measured.ts';
import { busyMs } from '../costs/request-costs.ts';
import type { Month } from '../load/assumptions.ts';
import type { SimulatedStore } from './make-stores.ts';
import { createWorker, shareMinute, type Turn, wake } from './share-worker.ts';
import type { ServerPlan } from './simulate-servers.ts';
import { MINUTES_A_DAY } from './simulate-store.ts';

/** A pass: from the store's 2 o'clock to its end, in hours. */
export type Night = { readonly store: SimulatedStore; readonly minute: number; readonly hours: number };

/** What came of a minute: work that was done, and orders told ahead of each store. */
type Done = { marks: number; contracts: number; ahead: number; charges: number; passes: number };
const nothing: Done = { marks: 0, contracts: 0, ahead: 0, charges: 0, passes: 0 };
export type StoreEventsMonth = {
  /** Plays the next minute, in which so many marks came to the stores. */
  readonly play: (minute: number) => Done & ReturnType<typeof shareMinute>;
  readonly addMarks: (store: number, minute: number, count: number) => void;
  /** Stores of which orders were told ahead in the last minute, and how many. */
  readonly aheadOf: (readonly [store: number, count: number])[];
  /** The longest pass of each store; and how many of all passes lasted longer than they may. */
  readonly nights: Night[];
  readonly late: () => number;
  /** The longest that a mark waited. */
  readonly marks: { minutes: number; atMinute: number };
};
type Parts = {
  readonly month: Month;
  readonly stores: readonly SimulatedStore[];
  readonly plans: readonly ServerPlan[];
};
type Kind = 'marks' | 'contracts' | 'ahead' | 'charges';
/** What waits of each store. */
type Waiting = {
  readonly marks: Float64Array;
  readonly contracts: Float64Array;
  readonly ahead: Float64Array;
  readonly charges: Float64Array;
  readonly passSince: Float64Array;
  /** By store: those that came and were not all acted on, the oldest first, and how many these were. */
  readonly came: { readonly minutes: [minute: number, count: number][]; sum: number }[];
};

/** An order of a morning comes within three days in the night two days before. */
const NIGHTS_BEFORE = 2;
const NIGHT_MINUTE = 120;
const MINUTES_APART = 30;

export function createStoreEventsMonth(parts: Parts): StoreEventsMonth {
  const { month, stores } = parts;
  const worker = createWorker('store-events', stores.length);
  const none = () => new Float64Array(stores.length);
  const waiting: Waiting = {
    ...{ marks: none(), contracts: none(), ahead: none(), charges: none() },
    ...{ passSince: none().fill(-1), came: stores.map(() => ({ minutes: [], sum: 0 })) },
  };
  const aheadOf: [number, number][] = [];
  const nights = stores.map((store) => ({ store, minute: 0, hours: 0 }));
  const marks = { minutes: 0, atMinute: 0 };
  let late = 0;
  const starts = startsByMinute(parts);
  let done = { ...nothing };
  const take = (kind: Kind, store: number, count: number) => {
    waiting[kind][store] = Math.max(0, (waiting[kind][store] ?? 0) - count);
    // What is left of one is none.
    if ((waiting[kind][store] ?? 0) < 1e-6) waiting[kind][store] = 0;
    done[kind] += count;
  };

  function turnOf(store: number, seconds: number): Turn {
    const { pointsPerSecond = 0 } = stores[store] ?? {};
    const points = pointsPerSecond * month.nightlyShare * seconds;
    const some = inTurn(worker.speed, { waiting, store, seconds, points });
    return {
      cpuSeconds: some.cpuSeconds,
      work(part) {
        take('marks', store, some.marks * part);
        take('contracts', store, some.contracts * part);
        take('ahead', store, some.ahead * part);
        take('charges', store, some.charges * part);
        if (some.ahead > 0) aheadOf.push([store, some.ahead * part]);
      },
    };
  }

  return {
    ...{ aheadOf, nights, marks, late: () => late },
    addMarks(store, minute, count) {
      const came = waiting.came[store];
      came?.minutes.push([minute, count]);
      if (came !== undefined) came.sum += count;
      waiting.marks[store] = (waiting.marks[store] ?? 0) + count;
      wake(worker, store);
    },
    play(minute) {
      aheadOf.length = 0;
      done = { ...nothing };
      for (const { store, contracts, ahead, charges } of starts.get(minute % (month.days * MINUTES_A_DAY)) ??
        []) {
        done.passes++;
        if (waiting.passSince[store] === -1) waiting.passSince[store] = minute;
        waiting.contracts[store] = (waiting.contracts[store] ?? 0) + contracts;
        waiting.ahead[store] = (waiting.ahead[store] ?? 0) + ahead;
        waiting.charges[store] = (waiting.charges[store] ?? 0) + charges;
        wake(worker, store);
      }
      const served = [...worker.queue];
      const shared = shareMinute(worker, turnOf, (store) =>
        [waiting.marks, waiting.contracts, waiting.ahead, waiting.charges].some((left) => left[store] !== 0),
      );
      for (const store of served) note(store, minute);
      return { ...done, ...shared };
    },
  };

  /** When the oldest mark came that is left; `now`: none is. Those that came last are left. */
  function oldest(store: number, now: number): number {
    const came = waiting.came[store];
    if (came === undefined) return now;
    let acted = came.sum - (waiting.marks[store] ?? 0);
    for (
      let [first] = came.minutes;
      first !== undefined && acted >= first[1] - 1e-6;
      [first] = came.minutes
    ) {
      came.minutes.shift();
      came.sum -= first[1];
      acted -= first[1];
    }
    return came.minutes[0]?.[0] ?? now;
  }

  /** How long the store's pass has lasted by the end of the minute, and its marks. */
  function note(store: number, minute: number): void {
    const night = nights[store];
    const since = waiting.passSince[store] ?? -1;
    const { rank = 0 } = stores[store] ?? {};
    if (night !== undefined && since >= 0) {
      const hours = (minute + 1 - since + (rank % MINUTES_APART)) / 60;
      if (hours > night.hours) Object.assign(night, { hours, minute });
      const isOver = [waiting.contracts, waiting.ahead, waiting.charges].every((left) => left[store] === 0);
      if (isOver) waiting.passSince[store] = -1;
      if (isOver && hours > month.nightlyHours) late++;
    }
    const minutes = minute + 1 - oldest(store, minute + 1);
    if (minutes > marks.minutes) Object.assign(marks, { minutes, atMinute: minute });
  }
}

type InTurn = { waiting: Waiting; store: number; seconds: number; points: number };

/** What one store gets done in its time with a processor of its own: marks first, then its pass, in order. */
function inTurn(speed: number, { waiting, store, seconds, points }: InTurn) {
  const left = { seconds, points };
  const some = (work: (typeof measured)[keyof typeof measured], count = 0) => {
    const each = secondsOf(work, speed);
    const most = Math.min(left.seconds / each, work.points > 0 ? left.points / work.points : Infinity);
    const done = Math.max(0, Math.min(count, most));
    left.seconds -= done * each;
    left.points -= done * work.points;
    return done;
  };
  const { actedMark, nightlyContract, nightlyCharge, toldAhead } = measured;
  const marks = some(actedMark, waiting.marks[store]);
  // The orders of a page are told with it.
  const [contracts = 0, ahead = 0] = [waiting.contracts[store], waiting.ahead[store]];
  const share = contracts === 0 ? 0 : ahead / contracts;
  const together = secondsOf(nightlyContract, speed) + share * secondsOf(toldAhead, speed);
  const most = Math.min(left.seconds / together, left.points / nightlyContract.points);
  const passed = Math.max(0, Math.min(contracts, most));
  left.seconds -= passed * together;
  left.points -= passed * nightlyContract.points;
  const told = contracts === 0 ? some(toldAhead, ahead) : passed * share;
  // After the last contract.
  const charges = passed < contracts ? 0 : some(nightlyCharge, waiting.charges[store]);
  const ofPass = passed * nightlyContract.cpuMs + told * toldAhead.cpuMs + charges * nightlyCharge.cpuMs;
  const cpuSeconds = (marks * actedMark.cpuMs + ofPass) / 1000;
  return { marks, contracts: passed, ahead: told, charges, cpuSeconds };
}

/** A write is waited for as long as DynamoDB takes. */
const WRITE_SECONDS = 0.005;

function secondsOf(work: (typeof measured)[keyof typeof measured], speed: number): number {
  const waited = busyMs({ ...work, cpuMs: 0 }) / 1000;
  return waited + work.writeUnits * WRITE_SECONDS + work.cpuMs / 1000 / speed;
}

type Start = {
  readonly store: number;
  readonly contracts: number;
  readonly ahead: number;
  readonly charges: number;
};

/** When each store's passes begin: at its 2 o'clock, and a few minutes later for most. */
function startsByMinute({ month, stores, plans }: Parts): ReadonlyMap<number, readonly Start[]> {
  const length = month.days * MINUTES_A_DAY;
  const starts = new Map<number, Start[]>();
  for (const [store, { customers, clockOffsetMinutes, rank }] of stores.entries())
    for (let day = 0; day < month.days; day++) {
      const local = day * MINUTES_A_DAY + NIGHT_MINUTE + (rank % MINUTES_APART) - clockOffsetMinutes;
      const minute = (local + length) % length;
      const dueOn = (other: number) => plans[store]?.dueByDay[(other + month.days) % month.days] ?? 0;
      const ahead = dueOn(day + NIGHTS_BEFORE);
      let charges = 0;
      for (let before = 1; before <= month.nightsOfCharge; before++) charges += dueOn(day - before);
      starts.set(minute, [...(starts.get(minute) ?? []), { store, contracts: customers, ahead, charges }]);
    }
  return starts;
}
