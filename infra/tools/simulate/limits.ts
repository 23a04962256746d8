/** Each limit of AWS, of the platform and of our own, beside the most that the month asked of it. */

import { KEYS_OF_A_BUCKET } from '../../../lib/storage/due-items.ts';
import { readEnvironmentConfig } from '../../definition/config.ts';
import type { RoutedFunctionName } from '../../definition/function-definitions.ts';
import { newTable } from '../../definition/table-definition.ts';
import { measured } from '../costs/measured.ts';
import type { Month } from '../load/assumptions.ts';
import { type Limit, shareOf } from './limit.ts';
import { scheduledLimits, tellingPerSecond } from './scheduled-limits.ts';
import type { SimulatedMonth } from './simulate-month.ts';
import { chargesPerSecond, type ServerSeconds } from './simulate-servers.ts';
import { webhookLimits } from './webhook-limits.ts';

const DYNAMO_DB = 'DynamoDB, best practices for partition keys';
const SECRETS = 'Secrets Manager, quotas; not adjustable';
const OWN = 'infra/definition/config.ts, prod';

/** The nearest to its limit first. */
export function limitsOf(simulated: SimulatedMonth): Limit[] {
  const all = [...functionLimits(simulated), ...tableLimits(simulated), ...secretLimits(simulated)];
  all.push(platformLimit(simulated), ...scheduledLimits(simulated));
  const most = (read: OfSecond) => mostSecond(simulated.servers, read);
  all.push(...webhookLimits(simulated, { mostSecond: most, secondOf }));
  return all.toSorted((one, other) => shareOf(other) - shareOf(one));
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

function functionLimits(simulated: SimulatedMonth): Limit[] {
  const { minutes } = simulated;
  const { config } = readEnvironmentConfig('prod');
  const parts = [
    // Nearly all requests of the sign-in are refreshes.
    ['headless-auth', 'refresh', minutes.auth, minutes.authBusy],
    ['customer-graphql', 'customer-graphql', minutes.customer, minutes.customerBusy],
  ] as const;
  const limits = parts.flatMap(([name, throttle, requests, busy]): Limit[] => {
    const ofRequests = most(requests);
    const ofBusy = most(busy);
    return [
      { ...instancesOf(name), peak: secondOf(ofBusy.value), minute: ofBusy.minute },
      { ...throttleOf(name, throttle), peak: secondOf(ofRequests.value / 60), minute: ofRequests.minute },
    ];
  });
  limits.push(...adminLimits(simulated, simulated.month.serverAtOnce));
  const others = sum(minutes.auth, minutes.customer);
  const requests = requestsOfServers(simulated, simulated.month.serverAtOnce);
  const all = mostSecond(
    simulated.servers,
    (second, minute) => requests(second, minute) + secondOf((others[minute] ?? 0) / 60),
  );
  limits.push({
    ...{ name: 'API Gateway, all routes', unit: 'requests/s', peak: all.value, minute: all.minute },
    ...{ limit: 10_000, source: 'API Gateway, quota of account and region; adjustable' },
    toDo: 'Ask for more in Service Quotas.',
  });
  return limits;

  function instancesOf(name: RoutedFunctionName) {
    const limit = config.reservedConcurrency[name] ?? config.accountConcurrency;
    return { name: `instances of ${name}`, unit: 'at once', limit, source: OWN, toDo: toDoFor(name) };
  }
  function throttleOf(name: RoutedFunctionName, throttle: keyof typeof config.throttling) {
    const limit = config.throttling[throttle].ratePerSecond;
    return { name: `throttle of ${throttle}`, unit: 'requests/s', limit, source: OWN, toDo: toDoFor(name) };
  }
}

function toDoFor(name: RoutedFunctionName): string {
  return `Raise reservedConcurrency and throttling of ${name} together, and the account's limit before them.`;
}

/** What servers ask of their function, each with so many charges under way; a page is one request at a time. */
export function adminLimits(
  simulated: Pick<SimulatedMonth, 'month' | 'servers'>,
  atOnce: number,
): readonly [instances: Limit, throttle: Limit] {
  const { config } = readEnvironmentConfig('prod');
  const name = 'admin-graphql';
  const { charging, paging } = simulated.servers;
  const busy = mostSecond(
    simulated.servers,
    (second) => (charging[second] ?? 0) * atOnce + (paging[second] ?? 0),
  );
  const requests = mostSecond(simulated.servers, requestsOfServers(simulated, atOnce));
  const same = { source: OWN, toDo: toDoFor(name) };
  const instances = config.reservedConcurrency[name] ?? config.accountConcurrency;
  return [
    {
      ...{ name: `instances of ${name}`, unit: 'at once', peak: busy.value, minute: busy.minute },
      limit: instances,
      ...same,
    },
    {
      ...{ name: `throttle of ${name}`, unit: 'requests/s', peak: requests.value, minute: requests.minute },
      ...{ limit: config.throttling[name].ratePerSecond, ...same },
    },
  ];
}

/** What is asked for in a second: by what servers do in it, and by its minute. */
type OfSecond = (second: number, minute: number) => number;

function requestsOfServers(
  { month, servers }: Pick<SimulatedMonth, 'month' | 'servers'>,
  atOnce: number,
): OfSecond {
  const charges = chargesPerSecond(month, atOnce) * (1 + measured.dueOrders.requests / month.duePageSize);
  return (second) =>
    (servers.charging[second] ?? 0) * charges + (servers.paging[second] ?? 0) * month.syncPagesPerSecond;
}

/** The second in which the most is asked for. */
function mostSecond({ charging, paging }: ServerSeconds, read: OfSecond): { minute: number; value: number } {
  let found = { minute: 0, value: 0 };
  for (let second = 0; second < charging.length; second++) {
    const isAsBefore = charging[second] === charging[second - 1] && paging[second] === paging[second - 1];
    if (isAsBefore && second % 60 !== 0) continue;
    const minute = Math.floor(second / 60);
    const value = read(second, minute);
    if (value > found.value) found = { minute, value };
  }
  return found;
}

function sum(...counts: readonly Float64Array[]): Float64Array {
  const total = new Float64Array(counts[0]?.length ?? 0);
  for (const each of counts) {
    for (const [at, value] of each.entries()) total[at] = (total[at] ?? 0) + value;
  }
  return total;
}

function tableLimits(simulated: SimulatedMonth): Limit[] {
  const { month, minutes, stores, servers, workers } = simulated;
  const [busiest] = stores.toSorted((one, other) => other.requestsPerSecond - one.requestsPerSecond);
  const charges = chargesPerSecond(month, month.serverAtOnce);
  const told = tellingPerSecond(simulated);
  const ofServers = (unit: 'readUnits' | 'writeUnits'): OfSecond => {
    const { charge, dueOrders, toldCharge, merchantQuery } = measured;
    const ofCharge = charges * (charge[unit] + dueOrders[unit] / month.duePageSize);
    const ofPage = month.syncPagesPerSecond * merchantQuery[unit];
    const { webhookIn } = measured;
    const ofWorkers = workers[unit];
    return (second, minute) =>
      (servers.charging[second] ?? 0) * (ofCharge + charges * month.webhooksPerCharge * webhookIn[unit]) +
      ((minutes.changes[minute] ?? 0) / 60) * month.webhooksPerChange * webhookIn[unit] +
      (servers.paging[second] ?? 0) * ofPage +
      (told[minute] ?? 0) * toldCharge[unit] +
      (ofWorkers[minute] ?? 0) / 60;
  };
  const both = (ofCustomers: Float64Array, others: OfSecond) =>
    mostSecond(
      servers,
      (second, minute) => others(second, minute) + secondOf((ofCustomers[minute] ?? 0) / 60),
    );
  const reads = both(minutes.reads, ofServers('readUnits'));
  const writes = both(minutes.writes, ofServers('writeUnits'));
  const due = mostSecond(servers, (second, minute) => {
    const ofCharges = month.chargeDueWrites * (servers.charging[second] ?? 0) * charges + (told[minute] ?? 0);
    return ofCharges + (month.changeDueWrites * (minutes.changes[minute] ?? 0)) / 60;
  });
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
      ...{ name: "a key of the day's due items", unit: 'writes/s', limit: 1000, minute: due.minute },
      // Stores lie evenly over the keys.
      ...{ peak: secondOf(due.value / KEYS_OF_A_BUCKET), source: DYNAMO_DB },
      toDo: 'Raise KEYS_OF_A_BUCKET in lib/storage/due-items.ts.',
    },
    {
      ...{ name: 'reads of the whole table', unit: 'read units/s', peak: reads.value, minute: reads.minute },
      ...{ limit: readUnitsPerSecond, source, toDo },
    },
    {
      ...{
        name: 'writes of the whole table',
        unit: 'write units/s',
        peak: writes.value,
        minute: writes.minute,
      },
      ...{ limit: writeUnitsPerSecond, source, toDo },
    },
  ];
}

function secretLimits(simulated: SimulatedMonth): Limit[] {
  const { month, minutes } = simulated;
  const asked = most(sum(minutes.customer, minutes.admin, minutes.admin));
  return [
    {
      ...{ name: 'reads of secrets', unit: 'calls/s', limit: 10_000, minute: asked.minute, source: SECRETS },
      // When every instance is new: the grant of each customer's request; the grant and the keys of each of a server's.
      peak: secondOf(asked.value / 60),
      toDo: 'Fewer, larger instances would share more.',
    },
    {
      ...{ name: 'writes of secrets (grants renewed)', unit: 'calls/s', limit: 50, minute: undefined },
      // A new version and its label.
      ...{
        peak: (measured.renewedGrant.secretWrites * month.scheduledStores) / month.renewSeconds,
        source: SECRETS,
      },
      toDo: 'Renew fewer at once in the scheduled work.',
    },
  ];
}

/** The store whose bucket is nearest to its rate; the number of stores that were over it is in the page. */
function platformLimit({ month, stores }: SimulatedMonth): Limit {
  const [worst] = stores.toSorted((one, other) => other.share - one.share);
  return {
    name: `the platform's bucket of one store (no. ${worst?.store.rank})`,
    ...{ unit: 'points/s', peak: (worst?.share ?? 0) * (worst?.store.pointsPerSecond ?? 0) },
    ...{
      limit: worst?.store.pointsPerSecond ?? 0,
      minute: worst?.shareMinute,
      source: 'the platform, by plan',
    },
    toDo: `${spreading(month, worst?.customersPart ?? 0)}, or the merchant takes a larger plan: nothing else adds points.`,
  };
}

/** What takes less in the busiest minute: that depends on who takes the most in it. */
function spreading({ noticeMinutes }: Month, customersPart: number): string {
  const part = Math.round(100 * customersPart);
  return part < 50
    ? `The server takes ${100 - part} % of that minute: spread its work over the night`
    : `Customers take ${part} % of that minute, and notices bring them: send those of a day over more than ${noticeMinutes} minutes`;
}
