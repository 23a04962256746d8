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
import { monthOf } from './assumptions.ts';
import { configuredLimitCells } from './configured-limits.ts';
import {
  assumedOfRequests,
  concurrentTries,
  type MeasuredWork,
  measured,
  measurement,
  readsOf,
} from './measured.ts';
import { count, dollars, pageWith, table } from './page-tables.ts';
import { type Price, prices } from './prices.ts';
import {
  busyMs,
  type CostParts,
  costOfMillion,
  EDGE_LOG_BYTES,
  EDGE_PARTS,
  edgeMillion,
  edgeMonth,
  refusedMillion,
  sumOf,
} from './request-costs.ts';
import {
  costOfInstalling,
  costOfStore,
  FIXED_MONTH,
  standingBytesOfSubscriber,
  storageAfter,
  storedBytesOfSubscriber,
  worksOfSubscriber,
} from './store-month.ts';

const works: readonly MeasuredWork[] = Object.values(measured);
const requestWorks = works.filter(({ requests }) => requests > 0);
const month = monthOf();
const { config } = readEnvironmentConfig('prod');
const MEMORY_SIZES = [256, 512, 1024, 1769];
const STORE_SIZES = [10_000, 1_000_000];
const YEARS = [0, 1, 3, 10];
const FLOOD_PER_SECOND = 2000;
const PARTS = ['lambda', 'api', 'edge', 'table', 'secrets', 'logs', 'transfer'] as const;

/** The page, with its tables computed. */
export function costFiles(): GeneratedFile[] {
  const { measuredAt, commit, machine, node, rounds, startSeconds, itemBytes } = measurement;
  const { coldStarts, traced, endpoints, endpointsDown, grantReaders } = month;
  const { platformMs, mbOfProcessor, accessLogBytes, platformLogBytes } = assumedOfRequests;
  const { delivery, refusedDelivery, renewedGrant } = measured;
  const readsWith = ({ answerMs = 0 }: MeasuredWork) => [count(answerMs), readsOf(answerMs)];
  const tables = {
    measurement: table(
      [[measuredAt, commit, rounds, node, machine]],
      ['measured', 'at commit', 'rounds', 'Node', 'machine'],
    ),
    prices: table(
      Object.values<Price>(prices).map(({ usd, per, seen = '–', source }) => [usd, per, seen, `<${source}>`]),
      ['US dollars', 'per', 'seen', 'look it up at'],
    ),
    works: table(works.map(measuredCells), [
      ...['', 'requests', 'CPU', 'read units', 'write units', 'log', 'answer', 'kept for ever'],
      ...['peak memory', 'platform requests', 'points'],
    ]),
    starts: table([
      ...Object.entries(startSeconds).map(([name, seconds]) => [name, `${seconds} s`]),
      [
        'reads, writes of secrets for a renewed grant',
        `${renewedGrant.secretReads}, ${renewedGrant.secretWrites}`,
      ],
    ]),
    'waiting-reads': table(
      [
        ['a delivery that succeeds', ...readsWith(delivery)],
        ['a delivery that is refused', ...readsWith(refusedDelivery)],
      ],
      ['', 'response after, ms', 'read units'],
    ),
    assumed: table([
      [
        'MB of memory for which Lambda gives a whole processor, as fast as that machine’s',
        count(mbOfProcessor),
      ],
      ['the platform, or an endpoint, responds after', `${platformMs} ms`],
      ['an endpoint that is down is waited for', 'ten seconds'],
      ['a line of API Gateway’s own log', `${accessLogBytes} bytes`],
      ['Lambda’s own two lines, `platform.start` and `platform.report`', `${platformLogBytes} bytes`],
      ['requests that start a new instance, whose start is billed', `${100 * coldStarts} %`],
      ['requests that X-Ray records', `${100 * traced} %`],
    ]),
    'per-million': table(works.map(millionCells), [
      'per million',
      'busy for',
      ...PARTS.map(partTitle),
      'together',
    ]),
    'refused-deliveries': table(refusedCells()),
    memory: table(MEMORY_SIZES.map(memoryCells), ['memory', ...requestWorks.map(({ name }) => name)]),
    'memory-choice': table(memoryChoice(), ['function', 'memory', 'at the peak']),
    subscriber: table([
      ...Object.entries(worksOfSubscriber()).map(([name, each]) => [
        measured[name as keyof typeof measured].name,
        Number(each.toPrecision(3)),
      ]),
      ['sign-ins that the table stores', month.storedSessions],
      ['endpoints of a store, of which are down', `${endpoints}, ${100 * endpointsDown} %`],
      ['instances that read each new version of the grant', grantReaders],
    ]),
    stores: table(STORE_SIZES.map(storeCells), [
      ...['subscribers', 'work', 'storage after a year', 'secrets', 'throttle metric', 'together'],
    ]),
    bytes: table(
      [
        ['stored for ever, of a subscriber and month, with the index', count(storedBytesOfSubscriber())],
        ['stored once, of a subscriber', count(standingBytesOfSubscriber())],
        ['of these a snapshot, a customer’s note', `${count(itemBytes.SNAPSHOT ?? 0)}, ${itemBytes.NOTE}`],
        ['an event in the stream', `${itemBytes.STREAM}`],
        ['the state of an endpoint', `${itemBytes.DELIVERY}`],
      ],
      ['', 'bytes'],
    ),
    storage: table(
      STORE_SIZES.map((size) => [count(size), ...YEARS.map((years) => dollars(storageAfter(size, years)))]),
      ['subscribers', 'at first', 'after a year', 'after 3 years', 'after 10 years'],
    ),
    installing: table(
      STORE_SIZES.map((size) => [count(size), dollars(costOfInstalling(size))]),
      ['subscribers', 'costs'],
    ),
    environment: table([
      ...Object.entries(FIXED_MONTH).map(([what, usd]) => [what, dollars(usd)]),
      ['**together about**', `**${dollars(Object.values(FIXED_MONTH).reduce((sum, usd) => sum + usd, 0))}**`],
    ]),
    warming: table([warmingCells()], ['write units a second', 'read units a second', 'costs once']),
    edge: table(edgeCells()),
    limits: table(configuredLimitCells(), ['limit', 'value', 'reached at']),
  };
  return [pageWith('docs/costs.md', tables)];
}

function partTitle(name: keyof CostParts): string {
  return { lambda: 'Lambda', api: 'API' }[name as string] ?? name;
}

/** The price of warming production's table when it is created. */
function warmingCells(): string[] {
  const { readUnitsPerSecond, writeUnitsPerSecond } = config.warmThroughput ?? newTable;
  const reads = readUnitsPerSecond - newTable.readUnitsPerSecond;
  const writes = writeUnitsPerSecond - newTable.writeUnitsPerSecond;
  return [count(writes), count(reads), dollars(reads * prices.warmRead.usd + writes * prices.warmWrite.usd)];
}

function measuredCells(work: MeasuredWork) {
  const kB = (bytes: number) => (bytes === 0 ? '0' : `${(bytes / 1000).toFixed(1)} kB`);
  return [
    ...[work.name, work.requests, `${Number(work.cpuMs.toPrecision(2))} ms`, work.readUnits, work.writeUnits],
    ...[work.logBytes, work.answerBytes, work.storedBytes].map(kB),
    ...[`${work.peakMemoryMb} MB`, work.platformRequests, work.points],
  ];
}

function millionCells(work: MeasuredWork): string[] {
  const parts = costOfMillion(work);
  const cells = PARTS.map((name) => dollars(parts[name]));
  return [work.name, `${Math.round(busyMs(work))} ms`, ...cells, `**${dollars(sumOf(parts))}**`];
}

function refusedCells(): [string, string | number][] {
  const { answerMs = 0, endpointMs = 0 } = measured.refusedDelivery;
  const alone = costOfMillion({ ...measured.refusedDelivery, endpointMs: answerMs });
  return [
    ['endpoints that are down at any time', month.stores * month.endpoints * month.endpointsDown],
    ['tries a day at each', month.triesADayAtDown],
    ['tries that are waited for at the same time, on average', concurrentTries(month, answerMs).toFixed(1)],
    ['seconds that each has to itself, at most', (endpointMs / 1000).toFixed(2)],
    ['a million, if one endpoint alone is down and has all ten seconds', dollars(sumOf(alone))],
  ];
}

function memoryCells(memoryMb: number): string[] {
  const label = `${count(memoryMb)} MB`;
  const isUsed = memoryMb === functionDefinitions['customer-graphql'].memoryMb;
  const cells = requestWorks.map(
    (work) => `${Math.round(busyMs(work, memoryMb))} ms, ${dollars(costOfMillion(work, memoryMb).lambda)}`,
  );
  return [isUsed ? `**${label}**` : label, ...cells];
}

function memoryChoice(): string[][] {
  const peakOf = (functions: readonly FunctionName[]) => {
    const all = works.filter((work) => functions.includes(work.function));
    return `${Math.max(...all.map(({ peakMemoryMb }) => peakMemoryMb))} MB`;
  };
  const { memoryMb } = functionDefinitions['customer-graphql'];
  const lambda = (mb: number) => costOfMillion(measured.customerQuery, mb).lambda;
  const saved = dollars(lambda(memoryMb) - lambda(memoryMb / 2));
  return [
    [
      `those of requests; half would save ${saved} per million queries`,
      `${memoryMb} MB`,
      peakOf(routedFunctions),
    ],
    ...scheduledFunctions.map((name) => [
      name,
      `${count(functionDefinitions[name].memoryMb)} MB`,
      peakOf([name]),
    ]),
  ];
}

function storeCells(subscribers: number): string[] {
  const { requests, storage, secrets, metric } = costOfStore(subscribers);
  const parts = [requests, storage, secrets, metric];
  const together = parts.reduce((sum, part) => sum + part, 0);
  return [count(subscribers), ...parts.map(dollars), `**${dollars(together)}**`];
}

function edgeCells(): [string, string | number][] {
  const { rules, alarms } = EDGE_PARTS;
  const hour = (million: number) => dollars(((FLOOD_PER_SECOND * 3600) / 1e6) * million);
  const flood = `an hour of a flood of ${count(FLOOD_PER_SECOND)} requests a second`;
  return [
    [`a web ACL with ${rules} rules, a secret and ${alarms} alarms, a month`, dollars(edgeMonth())],
    [`a million requests, each with a log line of ${EDGE_LOG_BYTES} bytes`, dollars(edgeMillion())],
    ['a million requests that WAF refuses', dollars(refusedMillion())],
    [`a GB that it sends, in place of ${prices.transferGb.usd}`, prices.edgeGb.usd],
    [`${flood} that is refused`, hour(refusedMillion())],
    [`${flood} that is not refused, at the edge`, hour(edgeMillion())],
  ];
}
