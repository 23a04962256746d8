/** The monthly costs of a store and of an environment, from the assumptions of docs/growth.md. */
import type { ScheduledFunctionName } from '../../infra/definition/function-definitions.ts';
import { INTERVAL_MINUTES } from '../../infra/definition/timetable.ts';
import { STORE_SHARDS } from '../../lib/storage/scheduled-tasks.ts';
import { createMonth, type MonthAssumptions } from './assumptions.ts';
import { measuredWorks, measurement, type WorkName } from './measured.ts';
import { prices } from './prices.ts';
import { computeCostOfMillion, computeEdgeMonthCost, sumCosts, sumParts } from './request-costs.ts';

const assumedMonth = createMonth();
const MINUTES_A_MONTH = 730 * 60;
const SECRET_COUNT_OF_A_STORE = 2;
/** Renewals of one store's expiring grant. */
const RENEWALS_A_MONTH = MINUTES_A_MONTH / assumedMonth.renewMinutes;

type MonthlyWorkCounts = Readonly<Partial<Record<WorkName, number>>>;

/** Returns what a subscriber does in a month, and the webhook events of it: changes, upcoming and charged orders. */
function computeSubscriberUsage({
  ordersPerCustomer: charges,
  otherOpenings,
  ...otherAssumptions
}: MonthAssumptions) {
  const openedNotices = charges * otherAssumptions.noticeOpens;
  const madeChanges =
    otherOpenings * otherAssumptions.otherChanges + openedNotices * otherAssumptions.noticeChanges;
  return {
    charges,
    openings: otherOpenings + openedNotices,
    changes: madeChanges,
    events: madeChanges + charges * otherAssumptions.eventsPerCharge,
  };
}

/** Returns how often a subscriber causes each kind of work in a month. */
export function countWorksOfSubscriber(month: MonthAssumptions = assumedMonth): MonthlyWorkCounts {
  const { charges, openings, changes, events } = computeSubscriberUsage(month);
  const webhooks = changes * month.webhooksPerChange + charges * month.webhooksPerCharge;
  return {
    signIn: openings * month.signInPerOpening,
    refresh: openings,
    customerQuery: openings * month.queriesPerOpening,
    customerChange: changes * (1 - month.changesOfPause),
    pauseChange: changes * month.changesOfPause,
    merchantQuery: month.days / month.syncPageSize,
    dueOrders: charges / month.duePageSize,
    charge: charges,
    recordedCharge: charges,
    webhookIn: webhooks,
    actedMark: webhooks,
    nightlyContract: month.days,
    nightlyCharge: charges * month.readsOfCharge,
    firstRead: month.newContracts,
    announcedAhead: charges,
    // An announcement is appended like an entry.
    placedEntry: 2 * charges + changes,
    delivery: events * month.endpoints,
  };
}

/**
 * Returns the monthly work that is counted for each store: nightly reconciliations, visits of the queue's workers (at most
 * one a minute), and deliveries to endpoints that are down.
 * @internal A test checks that all measured work is counted.
 */
export function countWorksOfStore(subscribers: number): MonthlyWorkCounts {
  // Two workers visit a queued store, and again a minute later; at most once a minute.
  const workerVisits =
    2 * Math.min(MINUTES_A_MONTH, 2 * subscribers * computeSubscriberUsage(assumedMonth).events);
  const attemptsAtDown =
    assumedMonth.endpoints * assumedMonth.endpointsDown * assumedMonth.days * assumedMonth.triesADayAtDown;
  return {
    nightlyStore: assumedMonth.days,
    enqueuedStore: workerVisits,
    refusedDelivery: subscribers === 0 ? 0 : attemptsAtDown,
  };
}

/** The work that stores entries. Appending an entry deletes its intent. */
const WORKS_THAT_STORE_ENTRIES = [
  'customerChange',
  'pauseChange',
  'charge',
  'recordedCharge',
  'placedEntry',
] as const;

/** Returns the bytes of a subscriber and month that remain: the timeline stores every change and charge. */
export function computeStoredBytesOfSubscriber(): number {
  // An announcement leaves nothing behind.
  const { charges, changes } = computeSubscriberUsage(assumedMonth);
  const workCounts = { ...countWorksOfSubscriber(), placedEntry: charges + changes };
  return sumCosts(
    WORKS_THAT_STORE_ENTRIES.map((name) => (workCounts[name] ?? 0) * measuredWorks[name].storedBytes),
  );
}

/** Returns the bytes of a subscriber that do not grow: sign-ins, the contract's snapshots, 30 days of the stream. */
export function computeStandingBytesOfSubscriber(): number {
  const { SNAPSHOT: snapshotBytes = 0, NOTE: noteBytes = 0, STREAM: streamBytes = 0 } = measurement.itemBytes;
  const contractBytes = snapshotBytes + noteBytes;
  return (
    assumedMonth.storedSessions * assumedMonth.sessionBytes +
    contractBytes +
    computeSubscriberUsage(assumedMonth).events * streamBytes
  );
}

/** Returns the monthly costs of the stored items after `years`. */
export function computeStorageCostAfter(subscribers: number, years: number): number {
  const storedBytes = computeStandingBytesOfSubscriber() + 12 * years * computeStoredBytesOfSubscriber();
  return ((subscribers * storedBytes) / 1e9) * (prices.tableGbMonth.usd + prices.recoveryGbMonth.usd);
}

/** Returns the costs of a store in US dollars a month. */
export function computeCostOfStore(subscribers: number) {
  const subscriberCost = computeCostOfWorks(countWorksOfSubscriber());
  const secretReadCost = (assumedMonth.grantReaders / 10_000) * prices.secretCalls10k.usd;
  return {
    requests: (subscribers * subscriberCost + computeCostOfWorks(countWorksOfStore(subscribers))) / 1e6,
    /** The storage after a year. */
    storage: computeStorageCostAfter(subscribers, 1),
    secrets:
      SECRET_COUNT_OF_A_STORE * prices.secretMonth.usd +
      RENEWALS_A_MONTH * (sumParts(computeCostOfMillion(measuredWorks.renewedGrant)) / 1e6 + secretReadCost),
    // The alarm's query of Metrics Insights analyses the store's metric, which costs as much as an alarm's metric.
    metric: prices.metricMonth.usd + prices.alarmMonth.usd,
  };
}

/** Returns US dollars for a million subscribers or stores with these works. */
function computeCostOfWorks(works: MonthlyWorkCounts): number {
  const workEntries = Object.entries(works) as [WorkName, number][];
  return sumCosts(
    workEntries.map(([name, count]) => count * sumParts(computeCostOfMillion(measuredWorks[name]))),
  );
}

/**
 * The number of metrics that the alarms of production read, approximately.
 *
 * @internal A test compares it with production's template.
 */
export const ALARM_METRIC_COUNT = 210;
/**
 * The number of production's composite alarms.
 *
 * @internal A test compares it with production's template.
 */
export const COMPOSITE_ALARMS = 12;

/** Returns the costs of idle runs. Each is counted as if it started an instance, which is an upper limit. */
function computeIdleRunsCost(): number {
  const { scheduledRun, storeEventsRun, deliveriesRun, billingRun } = measuredWorks;
  const runsOfWorkers = [scheduledRun, storeEventsRun, deliveriesRun, billingRun].map((work) => {
    // Each part of the stores has its own run of the scheduled work.
    const concurrency = work === scheduledRun ? STORE_SHARDS.length : 1;
    const perMonth =
      (concurrency * MINUTES_A_MONTH) / INTERVAL_MINUTES[work.function as ScheduledFunctionName];
    return (perMonth / 1e6) * (sumParts(computeCostOfMillion(work)) + prices.lambdaMillion.usd);
  });
  return sumCosts(runsOfWorkers);
}

/** The monthly costs of production without a store. The stack has three secrets; alarms and metrics are the template's. */
export const FIXED_MONTHLY_COSTS: Readonly<Record<string, number>> = {
  'a key': prices.keyMonth.usd,
  'a ring of token keys, one of webhook keys and a key of tombstones': 3 * prices.secretMonth.usd,
  'a dashboard': prices.dashboardMonth.usd,
  [`alarms (about ${ALARM_METRIC_COUNT} metrics)`]: ALARM_METRIC_COUNT * prices.alarmMonth.usd,
  [`${COMPOSITE_ALARMS} alarms made of two`]: COMPOSITE_ALARMS * prices.compositeAlarmMonth.usd,
  'about 100 metrics of our own': 100 * prices.metricMonth.usd,
  'runs of the timetable with nothing to do': computeIdleRunsCost(),
  'the edge': computeEdgeMonthCost(),
};
