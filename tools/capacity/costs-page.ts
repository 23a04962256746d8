/** The tables of docs/costs.md, from measured values and list prices. */
import { readEnvironmentConfig } from '../../infra/definition/config.ts';
import {
  FUNCTION_DEFINITIONS,
  FUNCTION_NAMES,
  type FunctionName,
  SCHEDULED_FUNCTION_NAMES,
} from '../../infra/definition/function-definitions.ts';
import { NEW_TABLE_THROUGHPUT } from '../../infra/definition/table-definition.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { createMonth } from './assumptions.ts';
import {
  type MeasuredWork,
  measuredWorks,
  measurement,
  REQUEST_ASSUMPTIONS,
  type WorkName,
} from './measured.ts';
import { bodyMemory, type MeasuredMemory, memoryMeasurement, workerMemory } from './measured-memory.ts';
import { formatCount, formatDollars, type PageTableRow, replacePageTables } from './page-tables.ts';
import { prices, type UnitPrice } from './prices.ts';
import * as costs from './request-costs.ts';
import * as stores from './store-month.ts';

const allMeasuredWorks: readonly MeasuredWork[] = Object.values(measuredWorks);
const assumedMonth = createMonth();
const { config } = readEnvironmentConfig('prod');
const STORE_SIZES = [10_000, 1_000_000];
const STORAGE_YEARS = [0, 1, 3, 10];

/** The page, with its tables computed. */
export function generateCostsPage(): GeneratedFile {
  const { measuredAt, commit, machine, node, rounds, startSeconds } = measurement;
  const { platformMs, mbOfProcessor, accessLogBytes } = REQUEST_ASSUMPTIONS;
  const fixedRows = Object.entries(stores.FIXED_MONTHLY_COSTS);
  const fixedTotal = costs.sumCosts(Object.values(stores.FIXED_MONTHLY_COSTS));
  return replacePageTables('docs/costs.md', {
    measurement: [[measuredAt, commit, rounds, node, machine]],
    prices: Object.values<UnitPrice>(prices).map(({ usd, per, seen = '–', source }) => [
      ...[usd, per, seen, `<${source}>`],
    ]),
    works: allMeasuredWorks.map(createMeasuredCells),
    starts: Object.entries(startSeconds).map(([name, seconds]) => [name, `${seconds} s`]),
    assumed: [
      ...[[formatCount(mbOfProcessor)], [`${platformMs} ms`], ['ten seconds']],
      ...[[`${accessLogBytes} bytes`], [`${100 * assumedMonth.coldStarts} %`]],
    ],
    'per-million': allMeasuredWorks.map(createMillionCells),
    'billed-orders': listBilledRows(),
    memory: Object.entries(memoryMeasurement.functions).map(createMemoryCells),
    'body-memory': Object.entries(bodyMemory).map(([name, { memoryMb, startedMb, peakMb }]) => [
      ...[name, `${startedMb} MB`, `${peakMb} MB`, `${Math.round((100 * peakMb) / memoryMb)} %`],
    ]),
    'worker-memory': listWorkerMemoryRows(),
    'memory-choice': listMemoryChoiceRows(),
    subscriber: Object.entries(stores.countWorksOfSubscriber()).map(([name, count]) => [
      ...[measuredWorks[name as WorkName].name, Number(count.toPrecision(3))],
    ]),
    stores: STORE_SIZES.map(createStoreCells),
    bytes: [
      [formatCount(stores.computeStoredBytesOfSubscriber())],
      [formatCount(stores.computeStandingBytesOfSubscriber())],
    ],
    storage: STORE_SIZES.map((size) => [
      ...[
        formatCount(size),
        ...STORAGE_YEARS.map((years) => formatDollars(stores.computeStorageCostAfter(size, years))),
      ],
    ]),
    environment: [
      ...fixedRows.map(([item, usd]) => [item, formatDollars(usd)]),
      ['**together about**', `**${formatDollars(fixedTotal)}**`],
    ],
    warming: [createWarmingCells()],
    edge: listEdgeRows(),
    limits: listLimitRows(),
  });
}

function createMeasuredCells(work: MeasuredWork): PageTableRow {
  const formatKilobytes = (bytes: number) => (bytes === 0 ? '0' : `${(bytes / 1000).toFixed(1)} kB`);
  return [
    ...[work.name, work.requests, `${Number(work.cpuMs.toPrecision(2))} ms`, work.readUnits, work.writeUnits],
    ...[work.logBytes, work.answerBytes, work.storedBytes].map(formatKilobytes),
    ...[`${work.peakMemoryMb} MB`, work.platformRequests, work.points],
  ];
}

function createMillionCells(work: MeasuredWork): PageTableRow {
  const costParts = costs.computeCostOfMillion(work);
  const costCells = Object.values(costParts).map(formatDollars);
  return [
    work.name,
    `${Math.round(costs.computeBusyMs(work))} ms`,
    ...costCells,
    `**${formatDollars(costs.sumParts(costParts))}**`,
  ];
}

/** A thousand orders that the service charges, with all that follows. */
function listBilledRows(): PageTableRow[] {
  const { billedOrder, settledOrder, placedEntry, declinedOrder, endedOrder } = measuredWorks;
  const workGroups: readonly (readonly [string, readonly MeasuredWork[]])[] = [
    ['paid at the first try', [billedOrder, settledOrder, placedEntry]],
    ['declined once, then paid', [declinedOrder]],
    ['declined for good, then paused', [endedOrder]],
  ];
  return workGroups.map(([groupName, worksOfGroup]) => {
    const formatThousand = (metric: 'cpuMs' | 'platformRequests' | 'points' | 'readUnits' | 'writeUnits') =>
      formatCount(10 * Math.round(100 * costs.sumCosts(worksOfGroup.map((work) => work[metric]))));
    return [
      ...[
        groupName,
        formatThousand('points'),
        formatThousand('platformRequests'),
        formatThousand('readUnits'),
      ],
      ...[
        formatThousand('writeUnits'),
        `${Math.round(costs.sumCosts(worksOfGroup.map(({ cpuMs }) => cpuMs)))} s`,
      ],
    ];
  });
}

/** The memory of a function with large responses, and how long they occupy its share of a processor. */
function createMemoryCells([functionName, measuredMemory]: [string, MeasuredMemory]): PageTableRow {
  const { startedMb, firstAnswerMb, largestMb, hostileMb, peakMb, textCpuMs, parsedCpuMs } = measuredMemory;
  const { memoryMb } = FUNCTION_DEFINITIONS[functionName as FunctionName];
  const processorShare = memoryMb / REQUEST_ASSUMPTIONS.mbOfProcessor;
  const memoryCells = [startedMb, firstAnswerMb, largestMb, hostileMb, peakMb].map((mb) => `${mb} MB`);
  const parseTimes = [textCpuMs, parsedCpuMs].map(
    (cpuMs) => `${(cpuMs / processorShare / 1000).toFixed(1)} s`,
  );
  return [
    functionName,
    ...memoryCells,
    `${Math.round((100 * peakMb) / memoryMb)} %`,
    processorShare.toFixed(2),
    ...parseTimes,
  ];
}

/** A worker's memory, and its share of a processor. */
function listWorkerMemoryRows(): PageTableRow[] {
  return SCHEDULED_FUNCTION_NAMES.map((name) => {
    const { memoryMb, startedMb, peakMb } = workerMemory[name];
    const share = memoryMb / REQUEST_ASSUMPTIONS.mbOfProcessor;
    const used = `${Math.round((100 * peakMb) / memoryMb)} %`;
    return [name, `${startedMb} MB`, `${peakMb} MB`, used, share.toFixed(2)];
  });
}

function listMemoryChoiceRows(): PageTableRow[] {
  return FUNCTION_NAMES.map((name) => {
    const peaks = allMeasuredWorks
      .filter((work) => work.function === name)
      .map(({ peakMemoryMb }) => peakMemoryMb);
    return [name, `${formatCount(FUNCTION_DEFINITIONS[name].memoryMb)} MB`, `${Math.max(...peaks)} MB`];
  });
}

function createStoreCells(subscribers: number): PageTableRow {
  const { requests, storage, secrets, metric } = stores.computeCostOfStore(subscribers);
  const totalParts = [requests, storage, secrets, metric];
  return [
    formatCount(subscribers),
    ...totalParts.map(formatDollars),
    `**${formatDollars(costs.sumCosts(totalParts))}**`,
  ];
}

/** The price of warming production's table when it is created. */
function createWarmingCells(): PageTableRow {
  const { readUnitsPerSecond, writeUnitsPerSecond } = config.warmThroughput ?? NEW_TABLE_THROUGHPUT;
  const addedReadUnits = readUnitsPerSecond - NEW_TABLE_THROUGHPUT.readUnitsPerSecond;
  const addedWriteUnits = writeUnitsPerSecond - NEW_TABLE_THROUGHPUT.writeUnitsPerSecond;
  return [
    formatCount(addedWriteUnits),
    formatCount(addedReadUnits),
    formatDollars(addedReadUnits * prices.warmRead.usd + addedWriteUnits * prices.warmWrite.usd),
  ];
}

function listEdgeRows(): PageTableRow[] {
  const millionRequestsText = `a million requests, each with a log line of ${costs.EDGE_LOG_BYTES} bytes`;
  return [
    [millionRequestsText, formatDollars(costs.computeEdgeMillionCost())],
    ['a million requests that WAF refuses', formatDollars(costs.computeRejectedMillionCost())],
  ];
}

/** The limits that depend on the configuration, and how much traffic reaches each. */
function listLimitRows(): PageTableRow[] {
  const { readUnitsPerSecond, writeUnitsPerSecond } = config.warmThroughput ?? NEW_TABLE_THROUGHPUT;
  const { customerQuery, customerChange, merchantQuery, charge } = measuredWorks;
  const concurrencyOfWork = ({ function: name }: MeasuredWork) => config.reservedConcurrency[name] ?? 0;
  const formatPerSecond = (work: MeasuredWork) =>
    formatCount(Math.floor((1000 * concurrencyOfWork(work)) / costs.computeBusyMs(work)));
  const formatWritesPerSecond = (work: MeasuredWork) =>
    formatCount(Math.floor(writeUnitsPerSecond / work.writeUnits));
  return [
    [
      `${concurrencyOfWork(customerQuery)} reserved`,
      `${formatPerSecond(customerQuery)} queries a second, of all stores together`,
    ],
    [
      `${concurrencyOfWork(charge)} reserved`,
      `${formatPerSecond(merchantQuery)} queries or ${formatPerSecond(charge)} charges a second`,
    ],
    [
      `${formatCount(readUnitsPerSecond)} read units and ${formatCount(writeUnitsPerSecond)} write units a second in production, doubling every half hour; a new table has ${formatCount(NEW_TABLE_THROUGHPUT.readUnitsPerSecond)} and ${formatCount(NEW_TABLE_THROUGHPUT.writeUnitsPerSecond)}`,
      `${formatWritesPerSecond(customerChange)} changes or ${formatWritesPerSecond(charge)} charges a second, of all stores together`,
    ],
  ];
}
