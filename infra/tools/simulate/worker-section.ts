/** What docs/growth.md says of nights, of endpoints that are down and of the table's throughput. */
import { STORES_AT_ONCE, TURN_MS } from '../../../functions/compose/webhooks/run-store-work.ts';
import { PROBE_MS } from '../../../lib/webhooks/deliver/health.ts';
import { readEnvironmentConfig } from '../../definition/config.ts';
import { functionDefinitions, type ScheduledFunctionName } from '../../definition/function-definitions.ts';
import { newTable } from '../../definition/table-definition.ts';
import { assumedOfRequests, measured } from '../costs/measured.ts';
import type { Limit } from './limit.ts';
import { type Outage, PER_SECOND } from './simulate-deliveries.ts';
import type { SimulatedMonth } from './simulate-month.ts';

/** The section, from the month and its limits. */
export function workerSection({ month, workers, stores }: SimulatedMonth, limits: readonly Limit[]): string {
  const { nights, late, outages, prompt, marks } = workers;
  const hours = nights.map((night) => night.hours).sort((one, other) => one - other);
  const [longest] = nights.toSorted((one, other) => other.hours - one.hours);
  const { memoryMb } = functionDefinitions['webhook-deliveries'];
  const perSecond = (1000 * memoryMb) / assumedOfRequests.mbOfProcessor / measured.delivery.cpuMs;
  const { config } = readEnvironmentConfig('prod');
  const instances = (name: ScheduledFunctionName) => config.reservedConcurrency[name];
  return `## Nights, and endpoints that are down

Played minute by minute by the rules of the workers' code: turns of ${TURN_MS / 1000} seconds, ${STORES_AT_ONCE} stores at once in an instance, ${instances('store-events')} instances of
store-events and ${instances('webhook-deliveries')} of webhook-deliveries, a 32nd part of an endpoint's answer for each event. What a mark, a contract of a night, an order
told ahead, a delivery and a visit take of processor, requests, points and table was measured of the code ([costs.md](costs.md)). That an
endpoint which is up again is asked within ${PROBE_MS / 60_000} minutes, and what then waits goes at 50 events a second and more, is
held by tests that play the worker's own code in simulated time (tests/lib/webhooks/deliver/deliver.scale.test.ts).

| Nights | |
|---|---|
| passes that began at 2 o'clock, those that ended after 6 | ${whole(stores.length * month.days)}, ${whole(late)} |
| the longest pass: store no. ${longest?.store.rank}, ${whole(longest?.store.customers ?? 0)} contracts | ${duration(60 * (longest?.hours ?? 0))} |
| the longest pass of the store in the middle | ${duration(60 * (hours[Math.floor(hours.length / 2)] ?? 0))} |
| the longest that a mark of a webhook waited | ${duration(marks.minutes)} |

| An endpoint was down for | times in the month | events that waited, at most | nothing waits any more: half of them after | all after |
|---|---|---|---|---|
${outageRows(outages).join('\n')}

Times are from when it was up again. The last row is the largest store's, down while its server charged most of its month. Of events of
changes and charges to endpoints that were up, ${prompt.late / prompt.events < 1e-4 ? 'less than 0.01 %' : share(prompt.late / prompt.events)} waited longer than the run of the next minute. One instance serves a
store, and its processor delivers ${whole(perSecond)} webhooks a second to all endpoints of the store together, and ${whole(PER_SECOND)} at most to one: what a
night tells ahead of ${whole(longest?.store.customers ?? 0)} contracts goes no faster. An endpoint that refuses for 24 hours is disabled, and what it missed waits in
the stream for 30 days.

${throughput(limits)}
`;
}

/** On-demand's own word: a new table takes 4,000 writes a second, and twice the earlier peak. */
function throughput(limits: readonly Limit[]): string {
  const of = (name: string) => limits.find((limit) => limit.name === name) ?? never(name);
  const [writes, reads] = [of('writes of the whole table'), of('reads of the whole table')];
  const { warmThroughput } = readEnvironmentConfig('prod').config;
  const new4 = share(writes.peak / newTable.writeUnitsPerSecond);
  const needed = writes.peak > newTable.writeUnitsPerSecond ? 'It does not fit without warming' : 'It fits';
  return `**The table's throughput.** All of it together, webhooks in, marks, nights, stream and deliveries included, asks for
${whole(writes.peak)} write units and ${whole(reads.peak)} read units at the worst second. A new on-demand table takes ${whole(newTable.writeUnitsPerSecond)} write units a second: ${new4} of it.
${needed}; ${warmThroughput === undefined ? 'nothing is warmed' : `production's table is warmed for ${whole(warmThroughput.writeUnitsPerSecond)} and ${whole(warmThroughput.readUnitsPerSecond)}, of which that is ${share(writes.peak / warmThroughput.writeUnitsPerSecond)} and ${share(reads.peak / warmThroughput.readUnitsPerSecond)}`}. On demand it then grows to twice what it
has seen.`;
}

const CLASSES = [
  [1, 3],
  [4, 12],
  [13, 23],
] as const;

function outageRows(all: readonly Outage[]): string[] {
  const [worst] = all;
  const others = all.filter((one) => one !== worst);
  const row = (name: string, some: readonly Outage[]) => {
    const after = some.map(({ drainedAfter = Infinity }) => drainedAfter).sort((one, other) => one - other);
    const most = Math.max(...some.map(({ waiting }) => waiting));
    const middle = after[Math.floor(after.length / 2)] ?? 0;
    return `| ${name} | ${whole(some.length)} | ${whole(most)} | ${duration(middle)} | ${duration(after.at(-1) ?? 0)} |`;
  };
  const rows = CLASSES.map(([from, to]) =>
    row(
      `${from} to ${to} hours`,
      others.filter(({ hours }) => hours >= from && hours <= to),
    ),
  );
  return worst === undefined ? rows : [...rows, row(`${worst.hours} hours, from day 1 on`, [worst])];
}

function duration(minutes: number): string {
  if (minutes === Infinity) return 'not in this month';
  return minutes < 90 ? `${Math.round(minutes)} minutes` : `${(minutes / 60).toFixed(1)} hours`;
}

function share(part: number): string {
  return `${Number((100 * part).toPrecision(2))} %`;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function never(name: string): never {
  throw new Error(`There is no limit ${name}.`);
}
