/** What webhook-deliveries does in the month, minute by minute: each store's events to its endpoints, of which some are down. */
import { MOST_AT_ONCE } from '../../../lib/webhooks/deliver/endpoint-run.ts';
import { PROBE_MS } from '../../../lib/webhooks/deliver/health.ts';
import { assumedOfRequests, measured } from '../costs/measured.ts';
import type { Month } from '../load/assumptions.ts';
import type { SimulatedStore } from './make-stores.ts';
import type { Random } from './random.ts';
import { createWorker, shareMinute, type Turn, wake } from './share-worker.ts';
import { MINUTES_A_DAY } from './simulate-store.ts';

/** A time in which an endpoint was down, and what followed. Minutes of the month. */
export type Outage = {
  readonly store: SimulatedStore;
  readonly endpoint: number;
  readonly fromMinute: number;
  readonly hours: number;
  /** Events that waited when it was up again. */
  waiting: number;
  /** Minutes from then until nothing waited; undefined: the month ended before. */
  drainedAfter: number | undefined;
};

export type DeliveriesMonth = {
  /** Events of a store: of changes and charges, and of orders that the night tells ahead. */
  readonly addEvents: (store: number, changes: number, ahead: number) => void;
  /** Plays the next minute, in which placing has taken so many processor seconds. */
  readonly play: (
    minute: number,
    placingSeconds: number,
  ) => { delivered: number; visits: number; down: number; instances: number };
  readonly outages: readonly Outage[];
  /** Events of changes and charges to endpoints that were up: all, and those that waited longer than the next minute. */
  readonly prompt: { events: number; late: number };
};

/** An endpoint that is up again is asked within so long; then its queue goes. */
const PROBE_MINUTES = PROBE_MS / 60_000;
/** An outage is at most what is not yet disabled. */
const LONGEST_HOURS = 23;
const MEAN_HOURS = (1 + LONGEST_HOURS) / 2;
/** To an endpoint that answers as fast as the platform does. */
export const PER_SECOND = MOST_AT_ONCE / (assumedOfRequests.platformMs / 1000);
const CPU_SECONDS = measured.delivery.cpuMs / 1000;

type Came = { readonly all: number; readonly own: number };
type Parts = {
  readonly month: Month;
  readonly stores: readonly SimulatedStore[];
  readonly random: Random;
};

export function createDeliveriesMonth(parts: Parts): DeliveriesMonth {
  const { month, stores } = parts;
  const worker = createWorker('webhook-deliveries', stores.length);
  const length = stores.length * month.endpoints;
  const queued = new Float64Array(length);
  /** What came in this minute, and in the last one: stores, all their events, those of changes and charges. */
  let fresh = new Map<number, Came>();
  let came = new Map<number, Came>();
  const prompt = { events: 0, late: 0 };
  const outages = drawOutages(parts);
  const plan = planOf(outages, month);
  /** 1: down, or up and not yet asked; 2: its queue of that time goes. */
  const state = new Uint8Array(length);
  const outageOf = new Map<number, Outage>();
  let down = 0;
  let delivered = 0;

  const endpointsOf = (store: number) =>
    Array.from({ length: month.endpoints }, (_, index) => store * month.endpoints + index);

  function turnOf(store: number, seconds: number): Turn {
    const some = endpointsOf(store).map((endpoint) => {
      const most = state[endpoint] === 1 ? 0 : PER_SECOND * seconds;
      return [endpoint, Math.min(queued[endpoint] ?? 0, most)] as const;
    });
    return {
      cpuSeconds: some.reduce((sum, [, count]) => sum + count, 0) * CPU_SECONDS,
      work(part) {
        for (const [endpoint, count] of some) {
          const left = (queued[endpoint] ?? 0) - count * part;
          queued[endpoint] = left < 1e-6 ? 0 : left;
          delivered += count * part;
        }
      },
    };
  }

  const hasMore = (store: number) =>
    endpointsOf(store).some((endpoint) => state[endpoint] !== 1 && queued[endpoint] !== 0);

  function begin(minute: number): void {
    for (const [endpoint, outage, what] of plan.get(minute) ?? []) {
      const store = Math.floor(endpoint / month.endpoints);
      if (what === 'down') {
        down++;
        state[endpoint] = 1;
        outageOf.set(endpoint, outage);
      } else if (what === 'up') {
        down--;
        outage.waiting = Math.round(queued[endpoint] ?? 0);
      } else {
        state[endpoint] = 2;
        wake(worker, store);
      }
    }
  }

  /** What came in the minute before, and waits still. */
  function noteLate(store: number, { all, own }: Came): void {
    for (const endpoint of endpointsOf(store)) {
      if (state[endpoint] !== 0) continue;
      prompt.events += own;
      prompt.late +=
        Math.min(own, Math.max(0, (queued[endpoint] ?? 0) - (fresh.get(store)?.all ?? 0))) * (own / all);
    }
  }

  return {
    ...{ outages, prompt },
    addEvents(store, changes, ahead) {
      const events = changes + ahead;
      if (events === 0) return;
      const { all = 0, own = 0 } = fresh.get(store) ?? {};
      fresh.set(store, { all: all + events, own: own + changes });
      for (const endpoint of endpointsOf(store)) queued[endpoint] = (queued[endpoint] ?? 0) + events;
      wake(worker, store);
    },
    play(minute, placingSeconds) {
      worker.spentSeconds = placingSeconds;
      begin(minute);
      delivered = 0;
      const shared = shareMinute(worker, turnOf, hasMore);
      for (const [endpoint, outage] of outageOf) {
        if (state[endpoint] !== 2 || queued[endpoint] !== 0) continue;
        outage.drainedAfter = minute + 1 - outage.fromMinute - 60 * outage.hours;
        state[endpoint] = 0;
        outageOf.delete(endpoint);
      }
      for (const [store, some] of came) noteLate(store, some);
      came = fresh;
      fresh = new Map();
      return { delivered, down, ...shared };
    },
  };
}

/** As many are down at each time as assumed, for one to 23 hours; and the largest store's first one while most is due. */
function drawOutages({ month, stores, random }: Parts): Outage[] {
  const outages: Outage[] = [];
  const perEndpoint = (month.endpointsDown * month.days * 24) / MEAN_HOURS;
  for (const [index, store] of stores.entries())
    for (let endpoint = 0; endpoint < month.endpoints; endpoint++) {
      const count = index === 0 && endpoint === 0 ? 1 : random.poisson(perEndpoint);
      let free = 0;
      for (let each = 0; each < count; each++) {
        const isWorst = index === 0 && endpoint === 0;
        const hours = isWorst ? LONGEST_HOURS : 1 + Math.floor(random.uniform() * LONGEST_HOURS);
        const [first, last] = [(each / count) * month.days, ((each + 1) / count) * month.days - 2];
        const drawn = Math.floor((first + random.uniform() * Math.max(0, last - first)) * MINUTES_A_DAY);
        const fromMinute = isWorst ? 0 : Math.max(free, drawn);
        free = fromMinute + 60 * hours + MINUTES_A_DAY / 4;
        outages.push({ store, endpoint, fromMinute, hours, waiting: 0, drainedAfter: undefined });
      }
    }
  return outages;
}

type Step = readonly [endpoint: number, outage: Outage, what: 'down' | 'up' | 'asked'];

/** What happens at each minute. Within half an hour an endpoint that is up again is asked, by whichever minute. */
function planOf(outages: readonly Outage[], month: Month): ReadonlyMap<number, readonly Step[]> {
  const plan = new Map<number, Step[]>();
  const add = (minute: number, step: Step) => plan.set(minute, [...(plan.get(minute) ?? []), step]);
  for (const outage of outages) {
    const { store, endpoint, fromMinute, hours } = outage;
    const id = (store.rank - 1) * month.endpoints + endpoint;
    const upAt = fromMinute + 60 * hours;
    add(fromMinute, [id, outage, 'down']);
    add(upAt, [id, outage, 'up']);
    add(upAt + PROBE_MINUTES + 1, [id, outage, 'asked']);
  }
  return plan;
}
