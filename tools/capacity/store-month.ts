/** What a store and an environment cost a month, from what growth.md assumes of subscribers and servers. */
import type { ScheduledFunctionName } from '../../infra/definition/function-definitions.ts';
import { everyMinutes } from '../../infra/definition/timetable.ts';
import { type Month, monthOf } from './assumptions.ts';
import { measured, measurement, type WorkName } from './measured.ts';
import { prices } from './prices.ts';
import { costOfMillion, edgeMonth, sumOf } from './request-costs.ts';

const month = monthOf();
const MINUTES_A_MONTH = 730 * 60;
const SECRETS_OF_A_STORE = 2;
/** A store whose grant ends has it renewed so often. */
const RENEWALS_A_MONTH = MINUTES_A_MONTH / month.renewMinutes;

export type StoreMonth = {
  readonly requests: number;
  /** After a year. */
  readonly storage: number;
  readonly secrets: number;
  readonly metric: number;
};

type Works = Readonly<Partial<Record<WorkName, number>>>;

/** How often a subscriber causes each kind of work in a month; the same numbers as in growth.md. */
export function worksOfSubscriber(of: Month = month): Works {
  const notices = of.ordersPerCustomer * of.noticeOpens;
  const openings = of.otherOpenings + notices;
  const charges = of.ordersPerCustomer;
  const changes = of.otherOpenings * of.otherChanges + notices * of.noticeChanges;
  const webhooks = changes * of.webhooksPerChange + charges * of.webhooksPerCharge;
  return {
    signIn: openings * of.signInPerOpening,
    refresh: openings,
    customerQuery: openings * of.queriesPerOpening,
    customerChange: changes * (1 - of.changesOfPause),
    pauseChange: changes * of.changesOfPause,
    merchantQuery: of.days / of.syncPageSize,
    dueOrders: charges / of.duePageSize,
    charge: charges,
    recordedCharge: charges,
    webhookIn: webhooks,
    actedMark: webhooks,
    nightlyContract: of.days,
    nightlyCharge: charges * of.readsOfCharge,
    firstRead: of.newContracts,
    announcedAhead: charges,
    placedEntry: changes + charges,
    delivery: eventsOfSubscriber(of) * of.endpoints,
  };
}

/** What merchants' servers are told of a subscriber in a month: each change, each order ahead and once charged. */
function eventsOfSubscriber(of: Month = month): number {
  const notices = of.ordersPerCustomer * of.noticeOpens;
  const changes = of.otherOpenings * of.otherChanges + notices * of.noticeChanges;
  return changes + of.ordersPerCustomer * of.eventsPerCharge;
}

/**
 * What a store takes in a month beside its subscribers' work: passes, visits, tries at endpoints that are down.
 * @internal A test holds that all that was measured is counted.
 */
export function worksOfStore(subscribers: number): Works {
  // Two workers look at a store that was woken, and again a minute later; at most once a minute.
  const visits = 2 * Math.min(MINUTES_A_MONTH, 2 * subscribers * eventsOfSubscriber());
  const triesAtDown = month.endpoints * month.endpointsDown * month.days * month.triesADayAtDown;
  return {
    nightlyStore: month.days,
    enqueuedStore: visits,
    refusedDelivery: subscribers === 0 ? 0 : triesAtDown,
  };
}

/** Together they leave entries; what is left meanwhile goes when they are placed. */
const STORED_WORKS = [
  'customerChange',
  'pauseChange',
  'charge',
  'recordedCharge',
  'placedEntry',
] as const satisfies WorkName[];

/** Bytes that stay of one subscriber's month: the timeline keeps every change and charge. */
export function storedBytesOfSubscriber(): number {
  const works = worksOfSubscriber();
  return STORED_WORKS.reduce((sum, name) => sum + (works[name] ?? 0) * measured[name].storedBytes, 0);
}

/** Bytes of a subscriber that do not grow: sign-ins, the contract's snapshot and its customer's note, 30 days of the stream. */
export function standingBytesOfSubscriber(): number {
  const { SNAPSHOT: snapshotBytes = 0, NOTE: noteBytes = 0, STREAM: streamBytes = 0 } = measurement.itemBytes;
  const ofContract = snapshotBytes + noteBytes;
  return month.storedSessions * month.sessionBytes + ofContract + eventsOfSubscriber() * streamBytes;
}

/** What the table of so many subscribers costs a month, after so many years. */
export function storageAfter(subscribers: number, years: number): number {
  const bytes = standingBytesOfSubscriber() + 12 * years * storedBytesOfSubscriber();
  return ((subscribers * bytes) / 1e9) * (prices.tableGbMonth.usd + prices.recoveryGbMonth.usd);
}

/** What a store of so many subscribers costs when it is installed: each contract is looked at for the first time. */
export function costOfInstalling(subscribers: number): number {
  return costOfWorks({ firstRead: subscribers, nightlyStore: 1 }) / 1e6;
}

/** The costs in US dollars a month. */
export function costOfStore(subscribers: number): StoreMonth {
  const ofOne = costOfWorks(worksOfSubscriber());
  const reads = (month.grantReaders / 10_000) * prices.secretCalls10k.usd;
  return {
    requests: (subscribers * ofOne + costOfWorks(worksOfStore(subscribers))) / 1e6,
    storage: storageAfter(subscribers, 1),
    secrets:
      SECRETS_OF_A_STORE * prices.secretMonth.usd +
      RENEWALS_A_MONTH * (sumOf(costOfMillion(measured.renewedGrant)) / 1e6 + reads),
    // The alarm's query of Metrics Insights analyses it: each such metric costs as one of an alarm.
    metric: prices.metricMonth.usd + prices.alarmMonth.usd,
  };
}

/** In US dollars a million of them. */
function costOfWorks(works: Works): number {
  const all = Object.entries(works) as [WorkName, number][];
  return all.reduce((sum, [name, count]) => sum + count * sumOf(costOfMillion(measured[name])), 0);
}

/** @internal A test holds it against production's template. */
export const ALARM_METRICS = 201;
/** @internal The same. */
export const COMPOSITE_ALARMS = 12;
/** Lambda records one request a second of a function: of three that idle half of the time. The other traces go with requests. */
const MILLION_TRACES = 4;

/** Every minute some function looks for work. Each is counted as in a new instance, at most. */
function idleRunsMonth(): number {
  const { scheduledRun, storeEventsRun, deliveriesRun } = measured;
  const runs = [scheduledRun, storeEventsRun, deliveriesRun].map((work) => {
    const perMonth = MINUTES_A_MONTH / everyMinutes[work.function as ScheduledFunctionName];
    return (perMonth / 1e6) * (sumOf(costOfMillion(work)) + prices.lambdaMillion.usd);
  });
  return runs.reduce((sum, usd) => sum + usd, 0);
}

/** What production costs without any store; three secrets are the stack's, alarms and metrics are those of the template. */
export const FIXED_MONTH: Readonly<Record<string, number>> = {
  'a key': prices.keyMonth.usd,
  'a ring of token keys, one of webhook keys and a key of tombstones': 3 * prices.secretMonth.usd,
  'a dashboard': prices.dashboardMonth.usd,
  [`alarms (about ${ALARM_METRICS} metrics)`]: ALARM_METRICS * prices.alarmMonth.usd,
  [`${COMPOSITE_ALARMS} alarms made of two`]: COMPOSITE_ALARMS * prices.compositeAlarmMonth.usd,
  'about 90 metrics of our own': 90 * prices.metricMonth.usd,
  [`${MILLION_TRACES} million traces`]: MILLION_TRACES * prices.traceMillion.usd,
  'runs of the timetable with nothing to do': idleRunsMonth(),
  'the edge': edgeMonth(),
};
