/** All stores' months put together: what each part of the service and of AWS has to bear, minute by minute. */

import { type MeasuredWork, meanChange, measured } from '../costs/measured.ts';
import { busyMs } from '../costs/request-costs.ts';
import { BUCKET_SECONDS, type Month } from '../load/assumptions.ts';
import { makeStores, type SimulatedStore } from './make-stores.ts';
import { createRandom } from './random.ts';
import { type ServerPlan, type ServerSeconds, simulateServers } from './simulate-servers.ts';
import { emptyMinutes, type StoreMinutes, simulateStore } from './simulate-store.ts';
import { simulateWorkers, type WorkerMonth } from './simulate-workers.ts';

/** Requests of all stores by minute. */
type ServiceMinutes = {
  readonly auth: Float64Array;
  readonly customer: Float64Array;
  readonly admin: Float64Array;
  /** Instances in use on average: requests times how long each takes. */
  readonly authBusy: Float64Array;
  readonly customerBusy: Float64Array;
  readonly adminBusy: Float64Array;
  /** Of customers; those of servers come second by second. */
  readonly reads: Float64Array;
  readonly writes: Float64Array;
  readonly changes: Float64Array;
  readonly charges: Float64Array;
  /** Requests that resume contracts, of the scheduled work. */
  readonly resumes: Float64Array;
};

/** The worst minute of one store. */
type StorePeak = {
  readonly store: SimulatedStore;
  readonly minute: number;
  /** Requests of a second of that minute, on average; each reads the store's item. */
  readonly requestsPerSecond: number;
  /** Share of what the bucket restores that its busiest minute takes: of customers alone, and with its server. */
  readonly customersShare: number;
  readonly share: number;
  readonly shareMinute: number;
  /** What customers took of all points in that minute, from 0 to 1. */
  readonly customersPart: number;
  /** Minutes at whose end the bucket was empty. */
  readonly emptyMinutes: number;
};

export type SimulatedMonth = {
  readonly month: Month;
  readonly minutes: ServiceMinutes;
  readonly stores: readonly StorePeak[];
  readonly plans: readonly ServerPlan[];
  readonly servers: ServerSeconds;
  /** Requests of each store by hour, for the functions that use its grant: customers' and the server's. */
  readonly hourly: readonly { readonly customer: Float64Array; readonly admin: Float64Array }[];
  readonly workers: WorkerMonth;
};

/** Plays the month. The same month and seed give the same result. */
export function simulateMonth(month: Month): SimulatedMonth {
  const random = createRandom(month.seed);
  const stores = makeStores(month, random);
  const storeMinutes = emptyMinutes(month);
  const minutes = emptyService(storeMinutes.openings.length);
  const hourly: SimulatedMonth['hourly'][number][] = [];
  const plans: ServerPlan[] = [];
  const happenings = Array.from(storeMinutes.openings, (): number[] => []);
  const change = meanChange(month);
  const peaks = stores.map((store, index) => {
    plans.push(simulateStore({ month, store, random, minutes: storeMinutes }));
    const hours = { customer: new Float64Array(month.days * 24), admin: new Float64Array(month.days * 24) };
    hourly.push(hours);
    for (const [at, some] of happenings.entries()) {
      const [changes = 0, charges = 0] = [storeMinutes.changes[at], storeMinutes.charges[at]];
      if (changes > 0 || charges > 0) some.push(index, changes, charges);
    }
    return addStore(month, { change, store, storeMinutes, minutes, hours });
  });
  const servers = simulateServers(month, plans, { isSpread: true, atOnce: month.serverAtOnce });
  const workers = simulateWorkers({ month, stores, plans, happenings });
  return { month, minutes, stores: peaks, plans, servers, hourly, workers };
}

function emptyService(length: number): ServiceMinutes {
  const names = [
    ...['auth', 'customer', 'admin', 'authBusy', 'customerBusy', 'adminBusy'],
    ...['reads', 'writes', 'changes', 'charges', 'resumes'],
  ];
  return Object.fromEntries(names.map((name) => [name, new Float64Array(length)])) as ServiceMinutes;
}

type Adding = {
  /** What a change takes, in the mean. */
  change: MeasuredWork;
  store: SimulatedStore;
  storeMinutes: StoreMinutes;
  minutes: ServiceMinutes;
  hours: SimulatedMonth['hourly'][number];
};

const { signIn, refresh, customerQuery, merchantQuery, charge, dueOrders, toldCharge } = measured;
/** Seconds that an instance is busy with one. */
const busy = {
  signIn: busyMs(signIn) / 1000,
  refresh: busyMs(refresh) / 1000,
  query: busyMs(customerQuery) / 1000,
  page: busyMs(merchantQuery) / 1000,
  charge: busyMs(charge) / 1000,
  duePage: busyMs(dueOrders) / 1000,
};

function addStore(month: Month, adding: Adding): StorePeak {
  const { change, store, storeMinutes, minutes, hours } = adding;
  const bucket = createBucket(store.pointsPerSecond);
  const peak = { minute: 0, requests: 0, customers: 0, points: 0, pointsMinute: 0, ofCustomers: 0, empty: 0 };
  for (let at = 0; at < storeMinutes.openings.length; at++) {
    if (isQuiet(storeMinutes, at)) {
      bucket(0);
      continue;
    }
    const load = loadOf({ month, change }, storeMinutes, at);
    if (bucket(load.points)) peak.empty++;
    addLoad(minutes, at, load);
    add(minutes.resumes, at, Math.ceil(load.resumed / month.resumeContracts));
    add(hours.customer, Math.floor(at / 60), load.customer);
    add(hours.admin, Math.floor(at / 60), load.admin);
    peak.customers = Math.max(peak.customers, load.pointsOfCustomers);
    if (load.points > peak.points)
      Object.assign(peak, { points: load.points, pointsMinute: at, ofCustomers: load.pointsOfCustomers });
    if (load.requests > peak.requests) Object.assign(peak, { requests: load.requests, minute: at });
  }
  const restored = 60 * store.pointsPerSecond;
  return {
    store,
    minute: peak.minute,
    requestsPerSecond: peak.requests / 60,
    customersShare: peak.customers / restored,
    share: peak.points / restored,
    shareMinute: peak.pointsMinute,
    customersPart: peak.points === 0 ? 0 : peak.ofCustomers / peak.points,
    emptyMinutes: peak.empty,
  };
}

function isQuiet({ openings, pages, charges, resumes }: StoreMinutes, at: number): boolean {
  return openings[at] === 0 && pages[at] === 0 && charges[at] === 0 && resumes[at] === 0;
}

type Playing = { readonly month: Month } & Pick<Adding, 'change'>;
type Load = ReturnType<typeof loadOf>;

/** What one minute of a store asks of everything. */
function loadOf({ month, change }: Playing, counts: StoreMinutes, at: number) {
  const opened = counts.openings[at] ?? 0;
  const signed = counts.signIns[at] ?? 0;
  const changed = counts.changes[at] ?? 0;
  const paged = counts.pages[at] ?? 0;
  const charged = counts.charges[at] ?? 0;
  const resumed = counts.resumes[at] ?? 0;
  const queried = opened * month.queriesPerOpening;
  const auth = opened * refresh.requests + signed * signIn.requests;
  const customer = queried + changed;
  const duePages = charged / month.duePageSize;
  const admin = paged + charged + duePages * dueOrders.requests;
  const pointsOfCustomers = queried * customerQuery.points + changed * change.points;
  return {
    ...{ change, opened, signed, changed, paged, charged, duePages, resumed, queried, auth, customer, admin },
    pointsOfCustomers,
    points:
      pointsOfCustomers +
      paged * merchantQuery.points +
      duePages * dueOrders.points +
      charged * (charge.points + toldCharge.points) +
      resumed * change.points,
    requests: auth + customer + admin,
  };
}

function addLoad(minutes: ServiceMinutes, at: number, load: Load): void {
  const { change, opened, signed, changed, paged, charged, duePages, queried } = load;
  add(minutes.auth, at, load.auth);
  add(minutes.customer, at, load.customer);
  add(minutes.admin, at, load.admin);
  add(minutes.authBusy, at, (opened * busy.refresh + signed * busy.signIn) / 60);
  add(minutes.customerBusy, at, (queried * busy.query + changed * (busyMs(change) / 1000)) / 60);
  const charging = charged * busy.charge + duePages * busy.duePage;
  add(minutes.adminBusy, at, (paged * busy.page + charging) / 60);
  const signedIn = opened * refresh.readUnits + signed * signIn.readUnits;
  add(minutes.reads, at, signedIn + queried * customerQuery.readUnits + changed * change.readUnits);
  const ofChanges = changed * change.writeUnits;
  add(minutes.writes, at, opened * refresh.writeUnits + signed * signIn.writeUnits + ofChanges);
  add(minutes.changes, at, changed);
  add(minutes.charges, at, charged);
}

/** A minute of a leaky bucket: takes the points, and tells whether some had to wait. */
function createBucket(pointsPerSecond: number): (points: number) => boolean {
  const size = BUCKET_SECONDS * pointsPerSecond;
  let level = size;
  return (points) => {
    level = Math.min(size, level + 60 * pointsPerSecond - points);
    return level < 0;
  };
}

function add(counts: Float64Array, at: number, more: number): void {
  counts[at] = (counts[at] ?? 0) + more;
}
