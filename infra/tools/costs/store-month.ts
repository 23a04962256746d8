/** What a store and an environment cost a month, from what growth.md assumes of subscribers and servers. */
import type { ScheduledFunctionName } from '../../definition/function-definitions.ts';
import { everyMinutes } from '../../definition/timetable.ts';
import { type Month, monthOf } from '../load/assumptions.ts';
import { edgeMonth } from './edge-costs.ts';
import { measured, measuredToCome, type WorkName, type WorkToCome } from './measured.ts';
import { prices } from './prices.ts';
import { costOfMillion, sumOf } from './request-costs.ts';

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

/** How often a subscriber causes each kind of work in a month; the same numbers as the simulation's. */
export function worksOfSubscriber(of: Month = month): Readonly<Partial<Record<WorkName, number>>> {
  const notices = of.ordersPerCustomer * of.noticeOpens;
  const openings = of.otherOpenings + notices;
  const charges = of.ordersPerCustomer;
  const changes = of.otherOpenings * of.otherChanges + notices * of.noticeChanges;
  return {
    signIn: openings * of.signInPerOpening,
    refresh: openings,
    customerQuery: openings * of.queriesPerOpening,
    customerChange: changes,
    merchantQuery: of.days / of.syncPageSize,
    dueOrders: charges / of.duePageSize,
    charge: charges,
    toldCharge: charges,
  };
}

/** The same of what is measured only once it is there. */
function worksToCome(of: Month): Readonly<Record<WorkToCome, number>> {
  const { customerChange: changes = 0, charge: charges = 0 } = worksOfSubscriber(of);
  const webhookIn = changes * of.webhooksPerChange + charges * of.webhooksPerCharge;
  const deliveries = (changes + of.ordersPerCustomer * of.eventsPerCharge) * of.endpoints;
  return {
    webhookIn,
    actedMark: webhookIn,
    nightlyContract: of.days,
    delivery: deliveries * (1 - of.endpointsDown),
    refusedDelivery: deliveries * of.endpointsDown * of.triesAtDown,
  };
}

/** Bytes that stay of one subscriber's month: the timeline keeps every change and charge. */
export function keptBytesOfSubscriber(): number {
  const works = Object.entries(worksOfSubscriber()) as [WorkName, number][];
  return works.reduce((sum, [name, count]) => sum + count * measured[name].keptBytes, 0);
}

/** What the table of so many subscribers costs a month, after so many years. */
export function storageAfter(subscribers: number, years: number): number {
  const bytes = month.sessionsKept * month.sessionBytes + 12 * years * keptBytesOfSubscriber();
  return ((subscribers * bytes) / 1e9) * (prices.tableGbMonth.usd + prices.recoveryGbMonth.usd);
}

/** The costs in US dollars a month. */
export function costOfStore(subscribers: number): StoreMonth {
  const works = Object.entries(worksOfSubscriber()) as [WorkName, number][];
  const toCome = Object.entries(worksToCome(month)) as [WorkToCome, number][];
  const all = [
    ...works.map(([name, count]) => [measured[name], count] as const),
    ...toCome.flatMap(([name, count]) => {
      const work = measuredToCome[name];
      return work === undefined ? [] : [[work, count] as const];
    }),
  ];
  const ofOne = all.reduce((sum, [work, count]) => sum + count * sumOf(costOfMillion(work)), 0);
  const reads = (month.grantReaders / 10_000) * prices.secretCalls10k.usd;
  return {
    requests: (subscribers * ofOne) / 1e6,
    storage: storageAfter(subscribers, 1),
    secrets:
      SECRETS_OF_A_STORE * prices.secretMonth.usd +
      RENEWALS_A_MONTH * (sumOf(costOfMillion(measured.renewedGrant)) / 1e6 + reads),
    // The alarm's query of Metrics Insights analyses it: each such metric costs as one of an alarm.
    metric: prices.metricMonth.usd + prices.alarmMonth.usd,
  };
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
