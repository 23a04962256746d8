/** The common parts of the rows of limits: the form of a row, production's configuration, and the units of works. */
import { readEnvironmentConfig } from '../../infra/definition/config.ts';
import { FUNCTION_DEFINITIONS, type FunctionName } from '../../infra/definition/function-definitions.ts';
import type { MonthAssumptions } from './assumptions.ts';
import { type MeasuredWork, measuredWorks, REQUEST_ASSUMPTIONS } from './measured.ts';
import { sumCosts } from './request-costs.ts';

/**
 * A peak and its limit. A part of a delay exists without any load, and the service keeps a rate at any load: neither
 * grows with the load.
 */
export type LimitRow = readonly [
  name: string,
  peak: number,
  unit: string,
  limit: number,
  kind?: 'delay' | 'rate',
];
/** How often each kind of work is done. */
export type WorksWithCounts = readonly (readonly [count: number, work: MeasuredWork])[];
export type TableUnit = 'readUnits' | 'writeUnits';

export const { config } = readEnvironmentConfig('prod');

export function maxInstancesOfFunction(name: FunctionName): number {
  return config.reservedConcurrency[name] ?? config.accountConcurrency;
}

/** Returns how many processors an instance of a function has, by its memory. */
export function processorsOfInstance(name: FunctionName): number {
  return Math.min(1, FUNCTION_DEFINITIONS[name].memoryMb / REQUEST_ASSUMPTIONS.mbOfProcessor);
}

/** Returns the work that follows from so many charges or changes, each with so many webhooks of the platform. */
export function listFollowingWorks(
  { endpoints }: MonthAssumptions,
  count: number,
  webhooks: number,
): WorksWithCounts {
  return [
    [count * webhooks, measuredWorks.webhookIn],
    [count * webhooks, measuredWorks.actedMark],
    [count, measuredWorks.placedEntry],
    [count * endpoints, measuredWorks.delivery],
  ];
}

/** Returns the table's units of works. */
export function sumUnits(unit: TableUnit, works: WorksWithCounts): number {
  return sumCosts(works.map(([count, work]) => count * work[unit]));
}
