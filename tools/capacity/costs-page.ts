/** The tables of docs/costs.md, from measured values and list prices. */
import { readEnvironmentConfig } from '../../infra/definition/config.ts';
import {
  type FunctionName,
  functionDefinitions,
  routedFunctions,
  scheduledFunctions,
} from '../../infra/definition/function-definitions.ts';
import { newTable } from '../../infra/definition/table-definition.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { markdownTable } from '../page-block.ts';
import { monthOf } from './assumptions.ts';
import {
  assumedOfRequests,
  concurrentTries,
  type MeasuredWork,
  measured,
  measurement,
  readsOf,
} from './measured.ts';
import { count, dollars, pageWith, type Row } from './page-tables.ts';
import { type Price, prices } from './prices.ts';
import * as costs from './request-costs.ts';
import * as stores from './store-month.ts';

const works: readonly MeasuredWork[] = Object.values(measured);
const month = monthOf();
const { config } = readEnvironmentConfig('prod');
const { memoryMb: requestMemoryMb } = functionDefinitions['customer-graphql'];
const MEMORY_SIZES = [256, 512, 1024, 1769];
const STORE_SIZES = [10_000, 1_000_000];
const YEARS = [0, 1, 3, 10];
const FLOOD_PER_SECOND = 2000;
const PARTS = ['lambda', 'api', 'edge', 'table', 'secrets', 'logs', 'transfer'] as const;

/** The page, with its tables computed. */
export function costsPage(): GeneratedFile {
  const { measuredAt, commit, machine, node, rounds, startSeconds, itemBytes } = measurement;
  const { platformMs, mbOfProcessor, accessLogBytes, platformLogBytes } = assumedOfRequests;
  const { secretReads, secretWrites } = measured.renewedGrant;
  const fixed = Object.entries(stores.FIXED_MONTH);
  const together = stores.sum(Object.values(stores.FIXED_MONTH));
  return pageWith('docs/costs.md', {
    measurement: [[measuredAt, commit, rounds, node, machine]],
    prices: Object.values<Price>(prices).map(({ usd, per, seen = '–', source }) => [
      ...[usd, per, seen, `<${source}>`],
    ]),
    works: works.map(measuredCells),
    starts: [
      ...Object.entries(startSeconds).map(([name, seconds]) => [name, `${seconds} s`]),
      ['reads, writes of secrets for a renewed grant', `${secretReads}, ${secretWrites}`],
    ],
    'waiting-reads': [measured.delivery, measured.refusedDelivery].map(({ answerMs }) => [
      ...[count(answerMs), readsOf(answerMs)],
    ]),
    assumed: [
      ...[[count(mbOfProcessor)], [`${platformMs} ms`], ['ten seconds']],
      ...[[`${accessLogBytes} bytes`], [`${platformLogBytes} bytes`]],
      ...[[`${100 * month.coldStarts} %`], [`${100 * month.traced} %`]],
    ],
    'per-million': works.map(millionCells),
    'refused-deliveries': refusedCells(),
    memory: memoryTable(),
    'memory-choice': memoryChoice(),
    subscriber: [
      ...Object.entries(stores.worksOfSubscriber()).map(([name, each]) => [
        ...[measured[name as keyof typeof measured].name, Number(each.toPrecision(3))],
      ]),
      ['sign-ins that the table stores', month.storedSessions],
      ['endpoints of a store, and how many are down', `${month.endpoints}, ${100 * month.endpointsDown} %`],
      ['instances that read each new version of the grant', month.grantReaders],
    ],
    stores: STORE_SIZES.map(storeCells),
    bytes: [
      [count(stores.storedBytesOfSubscriber())],
      [count(stores.standingBytesOfSubscriber())],
      [`${count(itemBytes.SNAPSHOT ?? 0)}, ${itemBytes.NOTE}`],
      ...[[`${itemBytes.STREAM}`], [`${itemBytes.DELIVERY}`]],
    ],
    storage: STORE_SIZES.map((size) => [
      ...[count(size), ...YEARS.map((years) => dollars(stores.storageAfter(size, years)))],
    ]),
    installing: STORE_SIZES.map((size) => [count(size), dollars(stores.costOfInstalling(size))]),
    environment: [
      ...fixed.map(([item, usd]) => [item, dollars(usd)]),
      ['**together about**', `**${dollars(together)}**`],
    ],
    warming: [warmingCells()],
    edge: edgeCells(),
    limits: limitCells(),
  });
}

function measuredCells(work: MeasuredWork): Row {
  const kB = (bytes: number) => (bytes === 0 ? '0' : `${(bytes / 1000).toFixed(1)} kB`);
  return [
    ...[work.name, work.requests, `${Number(work.cpuMs.toPrecision(2))} ms`, work.readUnits, work.writeUnits],
    ...[work.logBytes, work.answerBytes, work.storedBytes].map(kB),
    ...[`${work.peakMemoryMb} MB`, work.platformRequests, work.points],
  ];
}

function millionCells(work: MeasuredWork): Row {
  const parts = costs.costOfMillion(work);
  const cells = PARTS.map((name) => dollars(parts[name]));
  return [work.name, `${Math.round(costs.busyMs(work))} ms`, ...cells, `**${dollars(costs.sumOf(parts))}**`];
}

function refusedCells(): Row[] {
  const { answerMs, endpointMs } = measured.refusedDelivery;
  const alone = costs.costOfMillion({ ...measured.refusedDelivery, endpointMs: answerMs });
  return [
    ...[[month.stores * month.endpoints * month.endpointsDown], [month.triesADayAtDown]],
    ...[[concurrentTries(month, answerMs).toFixed(1)], [(endpointMs / 1000).toFixed(2)]],
    [dollars(costs.sumOf(alone))],
  ];
}

function memoryTable(): string {
  const all = works.filter(({ requests }) => requests > 0);
  const rows = MEMORY_SIZES.map((memoryMb) => {
    const label = `${count(memoryMb)} MB`;
    const cells = all.map((work) => {
      const { lambda } = costs.costOfMillion(work, memoryMb);
      return `${Math.round(costs.busyMs(work, memoryMb))} ms, ${dollars(lambda)}`;
    });
    return [memoryMb === requestMemoryMb ? `**${label}**` : label, ...cells];
  });
  return markdownTable(['memory', ...all.map(({ name }) => name)], rows);
}

function memoryChoice(): Row[] {
  const peakOf = (functions: readonly FunctionName[]) => {
    const all = works.filter((work) => functions.includes(work.function));
    return `${Math.max(...all.map(({ peakMemoryMb }) => peakMemoryMb))} MB`;
  };
  const lambda = (mb: number) => costs.costOfMillion(measured.customerQuery, mb).lambda;
  const saved = dollars(lambda(requestMemoryMb) - lambda(requestMemoryMb / 2));
  const label = `those of requests; half would save ${saved} per million queries`;
  return [
    [label, `${requestMemoryMb} MB`, peakOf(routedFunctions)],
    ...scheduledFunctions.map((name) => [
      ...[name, `${count(functionDefinitions[name].memoryMb)} MB`, peakOf([name])],
    ]),
  ];
}

function storeCells(subscribers: number): Row {
  const { requests, storage, secrets, metric } = stores.costOfStore(subscribers);
  const parts = [requests, storage, secrets, metric];
  return [count(subscribers), ...parts.map(dollars), `**${dollars(stores.sum(parts))}**`];
}

/** The price of warming production's table when it is created. */
function warmingCells(): Row {
  const { readUnitsPerSecond, writeUnitsPerSecond } = config.warmThroughput ?? newTable;
  const reads = readUnitsPerSecond - newTable.readUnitsPerSecond;
  const writes = writeUnitsPerSecond - newTable.writeUnitsPerSecond;
  return [count(writes), count(reads), dollars(reads * prices.warmRead.usd + writes * prices.warmWrite.usd)];
}

function edgeCells(): Row[] {
  const { rules, alarms } = costs.EDGE_PARTS;
  const [million, refused] = [costs.edgeMillion(), costs.refusedMillion()];
  const hour = (ofMillion: number) => dollars(((FLOOD_PER_SECOND * 3600) / 1e6) * ofMillion);
  const flood = `an hour of a flood of ${count(FLOOD_PER_SECOND)} requests a second`;
  return [
    [`a web ACL with ${rules} rules, a secret and ${alarms} alarms, a month`, dollars(costs.edgeMonth())],
    [`a million requests, each with a log line of ${costs.EDGE_LOG_BYTES} bytes`, dollars(million)],
    ['a million requests that WAF refuses', dollars(refused)],
    [`a GB that it sends, in place of ${prices.transferGb.usd}`, prices.edgeGb.usd],
    [`${flood} that is refused`, hour(refused)],
    [`${flood} that is not refused, at the edge`, hour(million)],
  ];
}

/** The limits that depend on the configuration, and how much traffic reaches each. */
function limitCells(): Row[] {
  const { readUnitsPerSecond, writeUnitsPerSecond } = config.warmThroughput ?? newTable;
  const { customerQuery, customerChange, merchantQuery, charge } = measured;
  const openings = (points: number) => points / (3 * customerQuery.points);
  const instancesOf = ({ function: name }: MeasuredWork) => config.reservedConcurrency[name] ?? 0;
  const perSecond = (work: MeasuredWork) => (1000 * instancesOf(work)) / costs.busyMs(work);
  const whole = (value: number) => count(Math.floor(value));
  /** Whether requests of one kind reach the throttle or the instances first. */
  const order = (rate: number, work: MeasuredWork) =>
    `${rate > perSecond(work) ? 'after' : 'before'} the instances for ${work.name}`;
  const customers = config.throttling['customer-graphql'].ratePerSecond;
  const admins = config.throttling['admin-graphql'].ratePerSecond;
  const ofNew = `${count(newTable.readUnitsPerSecond)} and ${count(newTable.writeUnitsPerSecond)}`;
  const [queries, merchantQueries, charges] = [customerQuery, merchantQuery, charge]
    .map(perSecond)
    .map(whole);
  const [changeUnits, chargeUnits] = [customerChange, charge].map(
    (work) => writeUnitsPerSecond / work.writeUnits,
  );
  return [
    [
      "100 to 2,000 points a second by the store's plan",
      `${openings(100).toFixed(1)} to ${openings(2000).toFixed(0)} openings of the app a second: [store-throttled](runbook.md#store-throttled)`,
    ],
    [`${instancesOf(customerQuery)} reserved`, `${queries} queries a second, of all stores together`],
    [`${instancesOf(charge)} reserved`, `${merchantQueries} queries or ${charges} charges a second`],
    [
      `${count(customers)} and ${count(admins)} a second`,
      [order(customers, customerQuery), order(admins, merchantQuery), order(admins, charge)].join('; '),
    ],
    [
      `${count(readUnitsPerSecond)} read units and ${count(writeUnitsPerSecond)} write units a second in production, doubling every half hour; a new table has ${ofNew}`,
      `${whole(changeUnits ?? 0)} changes or ${whole(chargeUnits ?? 0)} charges a second, of all stores together`,
    ],
  ];
}
