/**
 * The busiest minutes of the month: means of the assumptions, times peak factors. Customers send most requests after the
 * notices of a day, servers while they charge; both in the stores with the same local time.
 */
import { type MonthAssumptions, PLATFORM_PLANS } from './assumptions.ts';
import { type MeasuredWork, measuredWorks } from './measured.ts';
import { computeBusyMs, sumCosts } from './request-costs.ts';

/** Returns the peak of a second: four standard deviations of a Poisson process above the mean. */
export function computePeakOfSecond(mean: number): number {
  return mean + 4 * Math.sqrt(mean);
}

export type StoreSize = { readonly customers: number; readonly pointsPerSecond: number };

/** Returns the stores by Zipf's law, the largest first. */
export function distributeStores({
  stores,
  customers,
  sizeExponent,
}: MonthAssumptions): readonly [StoreSize, ...StoreSize[]] {
  const storeWeights = Array.from({ length: stores }, (_, index) => (index + 1) ** -sizeExponent);
  const totalWeight = sumCosts(storeWeights);
  const toStore = (weight: number): StoreSize => {
    const customerCount = Math.max(1, Math.round((customers * weight) / totalWeight));
    const plan = PLATFORM_PLANS.find(({ upToCustomers }) => customerCount <= upToCustomers);
    return { customers: customerCount, pointsPerSecond: plan?.pointsPerSecond ?? 0 };
  };
  const [largestWeight = 1, ...otherWeights] = storeWeights;
  return [toStore(largestWeight), ...otherWeights.map(toStore)];
}

/** Returns the share of a month's orders that is due on an ordinary day, and on the first. */
export function computeDueShares(month: MonthAssumptions) {
  const ordinaryDayShare = (1 - month.dueOnFirst - month.dueOnFifteenth) / month.days;
  return { ordinary: ordinaryDayShare, first: month.dueOnFirst + ordinaryDayShare };
}

/**
 * Returns the busiest minute's share of the opened notices: they are sent evenly, and opened after an exponential delay.
 * @internal A test compares it with a sum by hand.
 */
export function computeBusiestMinuteOfNotices({
  noticeMinutes,
  noticeDelayMinutes,
}: MonthAssumptions): number {
  return (1 - Math.exp(-noticeMinutes / noticeDelayMinutes)) / noticeMinutes;
}

export type CustomerLoadOfMinute = Readonly<ReturnType<typeof computeCustomerLoadOfMinute>>;

/** Returns what customers do in a minute. `noticedShare`: the share of them whose stores have sent the first day's notices. */
export function computeCustomerLoadOfMinute(
  month: MonthAssumptions,
  customers: number,
  noticedShare: number,
) {
  const dueNotices = customers * noticedShare * month.ordersPerCustomer * computeDueShares(month).first;
  const noticeOpenings = dueNotices * month.noticeOpens * computeBusiestMinuteOfNotices(month);
  const otherOpenings = (customers * month.otherOpenings * month.busiestHour) / month.days / 60;
  const appOpenings = noticeOpenings + otherOpenings;
  return {
    openings: appOpenings,
    signIns: appOpenings * month.signInPerOpening,
    queries: appOpenings * month.queriesPerOpening,
    changes: noticeOpenings * month.noticeChanges + otherOpenings * month.otherChanges,
  };
}

/** Whether each server starts at its own second, and its concurrent charges. */
export type LoadProfile = { readonly isSpread: boolean; readonly concurrency: number };
export type ServerLoadOfSecond = Readonly<ReturnType<typeof computeServerLoadOfSecond>>;

/** @internal Returns the charges of one server a second. The time includes its search for due orders. */
export function computeChargesPerSecond(
  { duePageSize, serverPauseSeconds }: MonthAssumptions,
  concurrency: number,
): number {
  const { charge, dueOrders } = measuredWorks;
  const pauseSeconds = serverPauseSeconds * (1 + dueOrders.requests / duePageSize);
  return (
    concurrency / ((computeBusyMs(charge) + computeBusyMs(dueOrders) / duePageSize) / 1000 + pauseSeconds)
  );
}

/**
 * Returns what servers do while most of them charge: each charges for as long as its orders take. `requests` include the
 * searches for due orders, `underWay` are concurrent charges.
 */
export function computeServerLoadOfSecond(month: MonthAssumptions, { isSpread, concurrency }: LoadProfile) {
  const chargesPerSecond = computeChargesPerSecond(month, concurrency);
  const dueOrdersPerCustomer = month.ordersPerCustomer * computeDueShares(month).first;
  const spreadSeconds = 60 * month.billingSpreadMinutes;
  const chargingShares = distributeStores(month).map(({ customers }) =>
    Math.min(1, (customers * dueOrdersPerCustomer) / chargesPerSecond / spreadSeconds),
  );
  const mean = month.sameClock * (isSpread ? sumCosts(chargingShares) : month.stores);
  // Which stores have the same local time is random, but does not change: two standard deviations.
  const servers = Math.min(month.stores, isSpread ? mean + 2 * Math.sqrt(mean) : mean);
  const charges = servers * chargesPerSecond;
  const requests = charges * (1 + measuredWorks.dueOrders.requests / month.duePageSize);
  return { servers, charges, requests, underWay: servers * concurrency };
}

/**
 * Returns the worker seconds that recording one charge takes: its processor time, and its share of the waits, which the
 * stores that are processed at the same time (`scheduledStores`) have in common.
 */
export function computeSecondsPerRecordedCharge({ scheduledStores }: MonthAssumptions): number {
  const { recordedCharge } = measuredWorks;
  const waitingShare = computeBusyMs({ ...recordedCharge, cpuMs: 0 }) / scheduledStores;
  return (computeBusyMs({ ...recordedCharge, platformTrips: 0 }) + waitingShare) / 1000;
}

/** DynamoDB's response time for a write. */
const WRITE_SECONDS = 0.005;

/** Returns the seconds of one piece of work in a worker that runs them sequentially on a part of a processor. */
export function computeStepSeconds(work: MeasuredWork, processorShare: number): number {
  return (
    computeBusyMs({ ...work, cpuMs: 0 }) / 1000 +
    work.writeUnits * WRITE_SECONDS +
    work.cpuMs / 1000 / processorShare
  );
}
