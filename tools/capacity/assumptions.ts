/** What docs/growth.md and docs/costs.md assume: every number with its unit and where it comes from. docs/growth.md prints them all. */
import { STORE_PARTS } from '../../lib/storage/due-items.ts';
import { STORE_CONCURRENCY } from '../../lib/storage/each-store.ts';
import { LATE_MS } from '../../lib/store-events/reconciliation/reconcile-store.ts';

export type Assumption = { readonly value: number; readonly unit: string; readonly source: string };

const from = (source: string, value: number, unit: string): Assumption => ({ value, unit, source });
const assumed = from.bind(undefined, 'assumed');
const requested = from.bind(undefined, 'the size to be planned for');

/** One month in which most is due on the same days and everybody is told at the same hour. */
export const assumptions = {
  stores: requested(1000, 'stores'),
  customers: requested(1_000_000, 'customers of all stores'),
  days: requested(30, 'days'),
  sizeExponent: assumed(1, 'exponent of Zipf’s law: the second largest store has half of the largest'),
  dueOnFirst: assumed(0.35, 'of orders due on day 1'),
  dueOnFifteenth: assumed(0.2, 'of orders due on day 15'),
  ordersPerCustomer: assumed(1, 'orders due a month'),
  noticeMinutes: assumed(10, 'minutes in which all notices of a day are sent'),
  noticeOpens: assumed(0.25, 'of notices that are opened'),
  noticeDelayMinutes: assumed(15, 'minutes until one is opened, on average, exponential'),
  noticeChanges: assumed(0.3, 'of those openings with a change'),
  sameClock: assumed(0.4, 'of stores whose clocks show the same hour, at most'),
  otherOpenings: assumed(4, 'other openings of the app a customer and month'),
  busiestHour: assumed(0.08, 'of a day’s other openings in its busiest hour'),
  otherChanges: assumed(0.125, 'of other openings with a change'),
  changesOfPause: assumed(0.25, 'of changes that are pauses and resumptions, whose orders move with them'),
  queriesPerOpening: assumed(3, 'queries an opening, after one refresh'),
  signInPerOpening: assumed(0.025, 'of openings that begin with a sign-in'),
  syncPageSize: assumed(50, 'subscriptions a page'),
  billingSpreadMinutes: from(
    'docs/merchant-servers.md',
    60,
    'minutes of the night over which servers begin to charge, each store’s at a second of its own',
  ),
  serverConcurrency: from(
    'clients/typescript, docs/merchant-servers.md',
    1,
    'charges that one server has under way at once',
  ),
  serverPauseSeconds: assumed(0.05, 'seconds from an answer to the server’s next request'),
  pausedUntilFirst: assumed(0.005, 'of customers whose pause ends on day 1, at 00:00 at the store'),
  resumeSeconds: assumed(0.6, 'seconds of a request that resumes contracts'),
  resumeContracts: from(
    'lib/subscriptions/pause/end-due-pauses.ts',
    25,
    'contracts that such a request resumes',
  ),
  duePageSize: from('docs/merchant-servers.md', 12, 'due orders a page'),
  chargeDueWrites: from(
    'lib/timeline/record-charge.ts',
    3,
    'writes of due items for each charge, before it is told: an intent opened and settled, an open charge',
  ),
  kindsOfWork: from(
    'functions/scheduled-work/handler.ts',
    6,
    'kinds of work in a run, each with an equal part of what is left of it',
  ),
  targetMinutes: from('docs/objectives.md', 30, 'minutes in which what is due is taken up'),
  storedSessions: assumed(1.5, 'sign-ins of a customer that the table keeps'),
  sessionBytes: assumed(1500, 'bytes of a sign-in in the table'),
  coldStarts: from(
    '<https://aws.amazon.com/blogs/compute/aws-lambda-standardizes-billing-for-init-phase>, “under 1 %”',
    0.01,
    'of requests that begin a new instance',
  ),
  traced: from(
    'X-Ray’s default sampling',
    0.05,
    'of requests that X-Ray records, beside one a second of each function',
  ),
  grantReaders: assumed(6, 'instances that read a new version of a store’s grant'),
  webhooksPerChange: assumed(1, 'webhooks of the platform for a change of a customer'),
  webhooksPerCharge: assumed(2, 'webhooks of the platform for a charge: its attempt, its contract'),
  endpoints: requested(3, 'endpoints of a store'),
  endpointsDown: requested(0.05, 'of endpoints that are down'),
  triesADayAtDown: from(
    'tests/lib/webhooks/deliver/deliver.test.ts',
    500,
    'tries on the first day at an endpoint that is down: 32 contracts, and another every half hour, each by its schedule',
  ),
  eventsPerCharge: assumed(2, 'events for merchants of an order: upcoming, charged'),
  readsOfCharge: from(
    'lib/store-events/reconciliation/reconcile-store.ts',
    1 + LATE_MS / 86_400_000,
    'nights in which a charge is read',
  ),
  newContracts: assumed(
    0.03,
    'of contracts that were made in the month, and are looked at for the first time',
  ),
  nightlyHours: assumed(4, 'hours in which a night’s pass of a store has to end, from 2 to 6 o’clock'),
  nightlyShare: assumed(0.5, 'of a store’s points for its nightly pass'),
  scheduledStores: from(
    'lib/storage/each-store.ts',
    STORE_CONCURRENCY,
    'stores that a run of the scheduled work works for at once',
  ),
  storeParts: from(
    'lib/storage/due-items.ts',
    STORE_PARTS.length,
    'parts of the stores, each with runs of its own',
  ),
  renewMinutes: from(
    'lib/platform/grants/change-grant.ts, with a run every 15 minutes',
    45,
    'minutes between two renewals of a store’s grant: it lives 60, and all stores have one that ends',
  ),
  changeDueWrites: from(
    'lib/timeline/intent.ts',
    4,
    'writes of due items for a change, at most: an intent opened, added to and settled, the end of a pause',
  ),
} as const satisfies Readonly<Record<string, Assumption>>;

export type Month = Readonly<Record<keyof typeof assumptions, number>>;

/** The numbers alone, some of them others. */
export function monthOf(changed: Partial<Month> = {}): Month {
  const values = Object.entries(assumptions).map(([name, { value }]) => [name, value]);
  return { ...(Object.fromEntries(values) as Month), ...changed };
}

/** Points a second that a store's bucket restores, by its customers; rates are the platform's, the sizes assumed. */
export const platformPlans: readonly { readonly upToCustomers: number; readonly pointsPerSecond: number }[] =
  [
    { upToCustomers: 2_000, pointsPerSecond: 100 },
    { upToCustomers: 10_000, pointsPerSecond: 200 },
    { upToCustomers: 50_000, pointsPerSecond: 1_000 },
    { upToCustomers: Infinity, pointsPerSecond: 2_000 },
  ];
