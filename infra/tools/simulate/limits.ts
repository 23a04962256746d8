/** Each limit of AWS, of the platform and of our own, beside the most that the month asked of it. */

import { KEYS_OF_A_BUCKET } from '../../../lib/storage/due-items.ts';
import { readEnvironmentConfig } from '../../definition/config.ts';
import { functionDefinitions } from '../../definition/function-definitions.ts';
import { newTable } from '../../definition/table-definition.ts';
import type { SimulatedMonth } from './simulate-month.ts';

export type Limit = {
  readonly name: string;
  readonly unit: string;
  /** The most that was asked for. */
  readonly peak: number;
  readonly limit: number;
  /** When that was: a minute of the month, UTC. */
  readonly minute: number | undefined;
  /** The source of the number. */
  readonly source: string;
  readonly toDo: string;
};

const DYNAMO_DB = 'DynamoDB, best practices for partition keys';
const SECRETS = 'Secrets Manager, quotas; not adjustable';
const OWN = 'infra/definition/config.ts, prod';

/** The nearest to its limit first. */
export function limitsOf(simulated: SimulatedMonth): Limit[] {
  const all = [...functionLimits(simulated), ...tableLimits(simulated), ...secretLimits(simulated)];
  all.push(platformLimit(simulated), scheduledLimit(simulated));
  return all.toSorted((one, other) => shareOf(other) - shareOf(one));
}

export function shareOf({ peak, limit }: Limit): number {
  return peak / limit;
}

/** The most of a second, from the mean of its minute: requests come by chance (four standard deviations). */
function secondOf(mean: number): number {
  return mean + 4 * Math.sqrt(mean);
}

function most(counts: Float64Array): { minute: number; value: number } {
  let minute = 0;
  for (let at = 1; at < counts.length; at++) if ((counts[at] ?? 0) > (counts[minute] ?? 0)) minute = at;
  return { minute, value: counts[minute] ?? 0 };
}

function functionLimits({ minutes }: SimulatedMonth): Limit[] {
  const { config } = readEnvironmentConfig('prod');
  const parts = [
    // Nearly all requests of the sign-in are refreshes.
    ['headless-auth', 'refresh', minutes.auth, minutes.authBusy],
    ['customer-graphql', 'customer-graphql', minutes.customer, minutes.customerBusy],
    ['admin-graphql', 'admin-graphql', minutes.admin, minutes.adminBusy],
  ] as const;
  const limits = parts.flatMap(([name, throttle, requests, busy]): Limit[] => {
    const ofRequests = most(requests);
    const ofBusy = most(busy);
    const toDo = `Raise reservedConcurrency and throttling of ${name} together, and the account's limit before them.`;
    return [
      {
        ...{
          name: `instances of ${name}`,
          unit: 'at once',
          peak: secondOf(ofBusy.value),
          minute: ofBusy.minute,
        },
        ...{ limit: config.reservedConcurrency[name] ?? config.accountConcurrency, source: OWN, toDo },
      },
      {
        ...{ name: `throttle of ${throttle}`, unit: 'requests/s', peak: secondOf(ofRequests.value / 60) },
        ...{ minute: ofRequests.minute, limit: config.throttling[throttle].ratePerSecond, source: OWN, toDo },
      },
    ];
  });
  const all = most(sum(minutes.auth, minutes.customer, minutes.admin));
  limits.push({
    ...{
      name: 'API Gateway, all routes',
      unit: 'requests/s',
      peak: secondOf(all.value / 60),
      minute: all.minute,
    },
    ...{ limit: 10_000, source: 'API Gateway, quota of account and region; adjustable' },
    toDo: 'Ask for more in Service Quotas.',
  });
  return limits;
}

function sum(...counts: readonly Float64Array[]): Float64Array {
  const total = new Float64Array(counts[0]?.length ?? 0);
  for (const each of counts) {
    for (const [at, value] of each.entries()) total[at] = (total[at] ?? 0) + value;
  }
  return total;
}

function tableLimits({ month, minutes, stores }: SimulatedMonth): Limit[] {
  const [busiest] = stores.toSorted((one, other) => other.requestsPerSecond - one.requestsPerSecond);
  const due = most(minutes.changes);
  const reads = most(minutes.reads);
  const writes = most(minutes.writes);
  const { warmThroughput } = readEnvironmentConfig('prod').config;
  const { readUnitsPerSecond, writeUnitsPerSecond } = warmThroughput ?? newTable;
  const toDo = 'It grows by itself to twice the earlier peak; before a larger leap, raise warmThroughput.';
  const source = warmThroughput ? OWN : 'DynamoDB, a new on-demand table';
  return [
    {
      ...{ name: `item of the busiest store (no. ${busiest?.store.rank})`, unit: 'reads/s', limit: 3000 },
      ...{ peak: secondOf(busiest?.requestsPerSecond ?? 0), minute: busiest?.minute, source: DYNAMO_DB },
      toDo: 'Keep the store’s item for a second or two in the instance; revoking a key then takes as long.',
    },
    {
      ...{
        name: "a key of the day's due items",
        unit: 'writes/s',
        limit: 1000,
        minute: due.minute,
      },
      // Stores lie evenly over the keys.
      ...{ peak: secondOf((month.changeDueWrites * due.value) / KEYS_OF_A_BUCKET / 60), source: DYNAMO_DB },
      toDo: 'Raise KEYS_OF_A_BUCKET in lib/storage/due-items.ts.',
    },
    {
      ...{ name: 'reads of the whole table', unit: 'read units/s', peak: secondOf(reads.value / 60) },
      ...{ minute: reads.minute, limit: readUnitsPerSecond, source },
      toDo,
    },
    {
      ...{ name: 'writes of the whole table', unit: 'write units/s', peak: secondOf(writes.value / 60) },
      ...{ minute: writes.minute, limit: writeUnitsPerSecond, source },
      toDo,
    },
  ];
}

function secretLimits(simulated: SimulatedMonth): Limit[] {
  const { month, minutes } = simulated;
  const asked = most(sum(minutes.customer, minutes.admin));
  return [
    {
      ...{ name: 'reads of secrets', unit: 'calls/s', limit: 10_000, minute: asked.minute, source: SECRETS },
      // At most one for each request, when every instance is new; on average far fewer.
      peak: secondOf(asked.value / 60),
      toDo: 'Fewer, larger instances would share more.',
    },
    {
      ...{ name: 'writes of secrets (grants renewed)', unit: 'calls/s', limit: 50, minute: undefined },
      // A new version and its label.
      ...{ peak: (2 * month.scheduledStores) / month.renewSeconds, source: SECRETS },
      toDo: 'Renew fewer at once in the scheduled work.',
    },
  ];
}

/** The store whose bucket is nearest to its rate; the number of stores that were over it is in the page. */
function platformLimit({ stores }: SimulatedMonth): Limit {
  const [worst] = stores.toSorted((one, other) => other.share - one.share);
  return {
    name: `the platform's bucket of one store (no. ${worst?.store.rank})`,
    ...{ unit: 'points/s', peak: (worst?.share ?? 0) * (worst?.store.pointsPerSecond ?? 0) },
    ...{
      limit: worst?.store.pointsPerSecond ?? 0,
      minute: worst?.shareMinute,
      source: 'the platform, by plan',
    },
    toDo: "Spread the server's work over the night, or the merchant takes a larger plan: nothing else adds points.",
  };
}

function scheduledLimit({ month, minutes }: SimulatedMonth): Limit {
  const quarters = new Float64Array(Math.ceil(minutes.resumes.length / 15));
  minutes.resumes.forEach((value, at) => {
    quarters[Math.floor(at / 15)] = (quarters[Math.floor(at / 15)] ?? 0) + value;
  });
  const due = most(quarters);
  // At worst all grants are due in one run.
  const seconds = due.value * month.resumeSeconds + month.stores * month.renewSeconds;
  return {
    ...{ name: 'a run of the scheduled work', unit: 's', peak: seconds / month.scheduledStores },
    ...{ limit: functionDefinitions['scheduled-work'].timeoutSeconds, minute: due.minute * 15 },
    source: 'infra/definition/function-definitions.ts',
    toDo: 'Nothing is lost, the next run goes on; work for more stores at once to be earlier.',
  };
}
