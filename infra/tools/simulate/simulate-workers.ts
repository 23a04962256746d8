/**
 * The month of the two workers over woken stores: what happened at a store leaves marks and events, the nights find more, and
 * all stores share a few instances. Played from measured figures, by the workers' own rules of turns, leases and probes.
 */
import { RUN_MS } from '../../../functions/compose/webhooks/run-common-work.ts';
import { functionDefinitions } from '../../definition/function-definitions.ts';
import { assumedOfRequests, measured } from '../costs/measured.ts';
import type { Month } from '../load/assumptions.ts';
import type { SimulatedStore } from './make-stores.ts';
import { createRandom } from './random.ts';
import { createDeliveriesMonth, type Outage } from './simulate-deliveries.ts';
import { createStoreEventsMonth, type Night } from './simulate-nights.ts';
import type { ServerPlan } from './simulate-servers.ts';

/** Store, changes and charges of one minute, flat. */
type Happenings = readonly (readonly number[])[];

export type WorkerMonth = {
  readonly nights: readonly Night[];
  /** Passes that ended after their time. */
  readonly late: number;
  /** The longest that a mark waited. */
  readonly marks: { readonly minutes: number; readonly atMinute: number };
  readonly outages: readonly Outage[];
  readonly prompt: { readonly events: number; readonly late: number };
  /** By minute, of both workers: units of the table a minute, webhooks that merchants were sent, instances of each. */
  readonly readUnits: Float64Array;
  readonly writeUnits: Float64Array;
  readonly delivered: Float64Array;
  /** Changes and charges by minute, which a run gives their places; and what one can. */
  readonly entered: Float64Array;
  readonly mostPlaced: number;
  readonly eventsInstances: Float64Array;
  readonly deliveryInstances: Float64Array;
};

type Parts = {
  readonly month: Month;
  readonly stores: readonly SimulatedStore[];
  readonly plans: readonly ServerPlan[];
  readonly happenings: Happenings;
};

/** Plays the month. The same parts give the same result. */
export function simulateWorkers({ month, stores, plans, happenings }: Parts): WorkerMonth {
  const { length } = happenings;
  const events = createStoreEventsMonth({ month, stores, plans });
  const random = createRandom(month.seed + 1);
  const deliveries = createDeliveriesMonth({ month, stores, random });
  const counts = () => new Float64Array(length);
  const minutes = {
    ...{ readUnits: counts(), writeUnits: counts(), delivered: counts(), entered: counts() },
    ...{ eventsInstances: counts(), deliveryInstances: counts() },
  };
  const placing = createPlacingMinutes();
  for (const [minute, happened] of happenings.entries()) {
    for (let at = 0; at < happened.length; at += 3) {
      const [store = 0, changes = 0, charges = 0] = happened.slice(at, at + 3);
      events.addMarks(store, minute, changes * month.webhooksPerChange + charges * month.webhooksPerCharge);
      placing.add(store, changes + charges);
      add(minutes.entered, minute, changes + charges);
    }
    const placed = placing.take((store, count) => deliveries.addEvents(store, count, 0));
    const acted = events.play(minute);
    for (const [store, ahead] of events.aheadOf) deliveries.addEvents(store, 0, ahead);
    const sent = deliveries.play(minute, (placed * measured.placedEntry.cpuMs) / 1000);
    for (const unit of ['readUnits', 'writeUnits'] as const) {
      const { actedMark, nightlyContract, nightlyCharge, nightlyStore, toldAhead } = measured;
      const { delivery, wokenStore, refusedDelivery, placedEntry } = measured;
      minutes[unit][minute] =
        acted.marks * actedMark[unit] +
        acted.contracts * nightlyContract[unit] +
        acted.charges * nightlyCharge[unit] +
        acted.passes * nightlyStore[unit] +
        acted.ahead * toldAhead[unit] +
        placed * placedEntry[unit] +
        sent.delivered * delivery[unit] +
        (acted.visits + sent.visits) * wokenStore[unit] +
        ((sent.down * month.triesADayAtDown) / 1440) * refusedDelivery[unit];
    }
    minutes.delivered[minute] = sent.delivered;
    minutes.eventsInstances[minute] = acted.instances;
    minutes.deliveryInstances[minute] = sent.instances;
  }
  const { nights, marks } = events;
  const { outages, prompt } = deliveries;
  return { nights, marks, late: events.late(), outages, prompt, mostPlaced: MOST_PLACED, ...minutes };
}

const WORKER = functionDefinitions['webhook-deliveries'];
const SPEED = Math.min(1, WORKER.memoryMb / assumedOfRequests.mbOfProcessor);
/** One run at a time places, before it delivers. */
const MOST_PLACED = (RUN_MS * SPEED) / measured.placedEntry.cpuMs;

/** What was entered, until a run gives it its place: all stores' as far as the run comes. */
function createPlacingMinutes() {
  const entered = new Map<number, number>();
  return {
    add(store: number, count: number): void {
      entered.set(store, (entered.get(store) ?? 0) + count);
    },
    take(place: (store: number, count: number) => void): number {
      const all = [...entered.values()].reduce((sum, count) => sum + count, 0);
      const part = Math.min(1, MOST_PLACED / Math.max(all, 1));
      for (const [store, count] of entered) {
        place(store, count * part);
        if (part === 1) entered.delete(store);
        else entered.set(store, count * (1 - part));
      }
      return all * part;
    },
  };
}

function add(counts: Float64Array, at: number, more: number): void {
  counts[at] = (counts[at] ?? 0) + more;
}
