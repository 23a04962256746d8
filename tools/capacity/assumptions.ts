/** The assumptions of docs/growth.md and docs/costs.md, each with its unit and source. docs/growth.md prints them all. */

import { STORE_CONCURRENCY } from '../../lib/storage/for-each-store.ts';
import { STORE_SHARDS } from '../../lib/storage/scheduled-tasks.ts';
import { UNFINISHED_ATTEMPT_REREAD_WINDOW_MS } from '../../lib/store-events/reconciliation/reconcile-store.ts';

type Assumption = { readonly value: number; readonly unit: string; readonly source: string };

const createAssumption = (source: string, value: number, unit: string): Assumption => ({
  value,
  unit,
  source,
});
const assumedValue = createAssumption.bind(undefined, 'assumed');
const plannedSize = createAssumption.bind(undefined, 'the planned size');
const merchantGuideValue = createAssumption.bind(undefined, 'docs/merchant-servers.md');
const RECORD_CHARGE_FILE = 'lib/timeline/record-charge.ts';
const FOR_EACH_STORE_FILE = 'lib/storage/for-each-store.ts';
const SCHEDULED_TASKS_FILE = 'lib/storage/scheduled-tasks.ts';
const INTENT_FILE = 'lib/timeline/intent.ts';
const COLD_STARTS_SOURCE =
  '<https://aws.amazon.com/blogs/compute/aws-lambda-standardizes-billing-for-init-phase>, “under 1 %”';
const DELIVER_TEST_FILE = 'tests/lib/webhooks/deliver/deliver.test.ts';
const RECONCILE_STORE_FILE = 'lib/store-events/reconciliation/reconcile-store.ts';
const GRANT_CHANGES_SOURCE = 'lib/platform/grants/change-grant.ts, with a run every 15 minutes';

/** One month: most orders are due on the same days, and all customers of a time zone are notified at the same hour. */
export const assumptions = {
  stores: plannedSize(1000, 'stores'),
  customers: plannedSize(1_000_000, 'customers of all stores'),
  days: plannedSize(30, 'days'),
  sizeExponent: assumedValue(1, 'exponent of Zipf’s law: the second largest store has half of the largest'),
  dueOnFirst: assumedValue(0.35, 'of orders are due on day 1'),
  dueOnFifteenth: assumedValue(0.2, 'of orders are due on day 15'),
  ordersPerCustomer: assumedValue(1, 'orders are due in a month'),
  noticeMinutes: assumedValue(10, 'minutes in which all notices of a day are sent'),
  noticeOpens: assumedValue(0.25, 'of notices are opened'),
  noticeDelayMinutes: assumedValue(15, 'minutes until a notice is opened, on average, exponential'),
  noticeChanges: assumedValue(0.3, 'of these openings have a change'),
  sameClock: assumedValue(0.4, 'of stores have the same local time, at most'),
  otherOpenings: assumedValue(4, 'other openings of the app for each customer and month'),
  busiestHour: assumedValue(0.08, 'of a day’s other openings are in its busiest hour'),
  otherChanges: assumedValue(0.125, 'of other openings have a change'),
  changesOfPause: assumedValue(0.25, 'of changes are pauses and resumptions, which move orders'),
  queriesPerOpening: assumedValue(3, 'queries for each opening, after one refresh'),
  signInPerOpening: assumedValue(0.025, 'of openings start with a sign-in'),
  syncPageSize: assumedValue(50, 'subscriptions in a page'),
  billingSpreadMinutes: merchantGuideValue(
    60,
    'minutes in which servers start to charge, each at its own second',
  ),
  serverConcurrency: merchantGuideValue(1, 'concurrent charges of one server, also in clients/typescript'),
  serverPauseSeconds: assumedValue(0.05, 'seconds from a response to the server’s next request'),
  pausedUntilFirst: assumedValue(0.005, 'of customers have a pause that ends on day 1, at 00:00 local time'),
  resumeSeconds: assumedValue(0.6, 'seconds of a request that resumes contracts'),
  resumeContracts: createAssumption(
    'lib/subscriptions/pause/resume-due-contracts.ts',
    25,
    'contracts in such a request',
  ),
  duePageSize: merchantGuideValue(12, 'due orders in a page'),
  chargeDueWrites: createAssumption(
    RECORD_CHARGE_FILE,
    3,
    'task writes of a charge: its intent twice, its open charge',
  ),
  kindsOfWork: createAssumption(
    'functions/scheduled-work/handler.ts',
    6,
    'kinds of work, which share a run equally',
  ),
  targetMinutes: createAssumption('docs/objectives.md', 30, 'minutes in which due work starts'),
  storedSessions: assumedValue(1.5, 'stored sign-ins of a customer'),
  sessionBytes: assumedValue(1500, 'bytes of a sign-in in the table'),
  coldStarts: createAssumption(COLD_STARTS_SOURCE, 0.01, 'of requests start a new instance'),
  grantReaders: assumedValue(6, 'instances read a new version of a store’s grant'),
  webhooksPerChange: assumedValue(1, 'webhooks of the platform for a customer’s change'),
  webhooksPerCharge: assumedValue(2, 'webhooks of the platform for a charge: its attempt, its contract'),
  endpoints: plannedSize(3, 'endpoints of a store'),
  endpointsDown: plannedSize(0.05, 'of endpoints are down'),
  triesADayAtDown: createAssumption(
    DELIVER_TEST_FILE,
    500,
    'attempts on the first day at an endpoint that is down',
  ),
  eventsPerCharge: assumedValue(2, 'webhook events of an order: upcoming, charged'),
  readsOfCharge: createAssumption(
    RECONCILE_STORE_FILE,
    1 + UNFINISHED_ATTEMPT_REREAD_WINDOW_MS / 86_400_000,
    'nights in which a charge is read',
  ),
  newContracts: assumedValue(0.03, 'of contracts are new in the month, and are read for the first time'),
  nightlyHours: assumedValue(4, 'hours for the nightly reconciliation of a store, from 2 to 6 o’clock'),
  nightlyShare: assumedValue(0.5, 'of a store’s points are for its nightly reconciliation'),
  scheduledStores: createAssumption(
    FOR_EACH_STORE_FILE,
    STORE_CONCURRENCY,
    'concurrent stores of a scheduled run',
  ),
  storeParts: createAssumption(
    SCHEDULED_TASKS_FILE,
    STORE_SHARDS.length,
    'parts of the stores, each with its own runs',
  ),
  renewMinutes: createAssumption(
    GRANT_CHANGES_SOURCE,
    45,
    'minutes between two renewals of a grant, which is valid for 60',
  ),
  changeDueWrites: createAssumption(
    INTENT_FILE,
    4,
    'task writes of a change: its intent three times, a pause’s end',
  ),
} as const satisfies Readonly<Record<string, Assumption>>;

export type MonthAssumptions = Readonly<Record<keyof typeof assumptions, number>>;

/** Returns the assumed month with some of its values replaced. */
export function createMonth(replacements: Partial<MonthAssumptions> = {}): MonthAssumptions {
  const defaultValues = Object.entries(assumptions).map(([name, { value }]) => [name, value]);
  return { ...(Object.fromEntries(defaultValues) as MonthAssumptions), ...replacements };
}

/** The points a second that the platform restores in a store's bucket. The rates are the platform's, the sizes assumed. */
export const PLATFORM_PLANS = [
  { upToCustomers: 2_000, pointsPerSecond: 100 },
  { upToCustomers: 10_000, pointsPerSecond: 200 },
  { upToCustomers: 50_000, pointsPerSecond: 1_000 },
  { upToCustomers: Infinity, pointsPerSecond: 2_000 },
] as const;
