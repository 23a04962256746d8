/** What a store costs a month, from what its subscribers and its server do. */
import { measured, type WorkName } from './measured.ts';
import { prices } from './prices.ts';
import { costOfMillion, sumOf } from './request-costs.ts';

/** Assumed of one subscriber and month. */
export const assumedOfSubscribers = {
  /** A refresh and three queries each. */
  openings: 4,
  queriesPerOpening: 3,
  changes: 0.5,
  signIns: 0.1,
  /** The server reads all subscriptions once a night, 50 a page. */
  nightlyPages: 30 / 50,
  /** Session items that the table keeps. */
  sessions: 1.5,
};

const BYTES_OF_A_SESSION = 1000;
const SECRETS_OF_A_STORE = 2;
/** A grant that ends after an hour is renewed: a description, a put, two moves of a label, a read by each instance. */
const SECRET_CALLS_A_RENEWAL = 14;
/** Every 45 minutes, ahead of need. */
const RENEWALS_A_MONTH = (730 * 60) / 45;

export type StoreMonth = {
  readonly requests: number;
  readonly storage: number;
  readonly secrets: number;
  readonly metric: number;
};

/** How often a subscriber does each kind of work in a month. */
function worksOfSubscriber(): Readonly<Record<WorkName, number>> {
  const { openings, queriesPerOpening, changes, signIns, nightlyPages } = assumedOfSubscribers;
  return {
    signIn: signIns,
    refresh: openings,
    customerQuery: openings * queriesPerOpening,
    customerChange: changes,
    merchantQuery: nightlyPages,
  };
}

/** The costs in US dollars a month. */
export function costOfStore(subscribers: number): StoreMonth {
  const ofOne = Object.entries(worksOfSubscriber()).reduce(
    (sum, [name, count]) => sum + count * sumOf(costOfMillion(measured[name as WorkName])),
    0,
  );
  const gb = (subscribers * assumedOfSubscribers.sessions * BYTES_OF_A_SESSION) / 1e9;
  const calls = (SECRET_CALLS_A_RENEWAL * RENEWALS_A_MONTH) / 10_000;
  return {
    requests: (subscribers * ofOne) / 1e6,
    storage: gb * (prices.tableGbMonth.usd + prices.recoveryGbMonth.usd),
    secrets: SECRETS_OF_A_STORE * prices.secretMonth.usd + calls * prices.secretCalls10k.usd,
    // The alarm's query of Metrics Insights analyses it: each such metric costs as one of an alarm.
    metric: prices.metricMonth.usd + prices.alarmMonth.usd,
  };
}

/** @internal A test holds it against production's template. */
export const ALARM_METRICS = 201;
/** @internal The same. */
export const COMPOSITE_ALARMS = 12;
/** Lambda records one request a second of a function, and 5 % of the rest: of three that idle half of the time. */
const MILLION_TRACES = 4;

/** What production costs without any store; the ring is a secret, alarms and metrics are those of the template. */
export const FIXED_MONTH: Readonly<Record<string, number>> = {
  'a key': prices.keyMonth.usd,
  'a ring of token keys': prices.secretMonth.usd,
  'a dashboard': prices.dashboardMonth.usd,
  [`alarms (about ${ALARM_METRICS} metrics)`]: ALARM_METRICS * prices.alarmMonth.usd,
  [`${COMPOSITE_ALARMS} alarms made of two`]: COMPOSITE_ALARMS * prices.compositeAlarmMonth.usd,
  'about 90 metrics of our own': 90 * prices.metricMonth.usd,
  [`${MILLION_TRACES} million traces`]: MILLION_TRACES * prices.traceMillion.usd,
};
