/** What a million of each kind of work costs, from measured figures and list prices. */
import { functionDefinitions } from '../../definition/function-definitions.ts';
import { assumedOfRequests, type MeasuredWork } from './measured.ts';
import { prices } from './prices.ts';

/** The costs in US dollars. */
export type CostParts = {
  readonly lambda: number;
  readonly api: number;
  readonly table: number;
  readonly logs: number;
  readonly transfer: number;
};

/** How long the work keeps instances busy, in milliseconds of all its requests. Memory gives processor time. */
export function busyMs(work: MeasuredWork, memoryMb = functionDefinitions[work.function].memoryMb): number {
  const { mbOfProcessor, platformMs } = assumedOfRequests;
  return (work.cpuMs * mbOfProcessor) / memoryMb + work.platformRequests * platformMs;
}

/** The costs of a million requests; only Lambda's part depends on the memory. */
export function costOfMillion(
  work: MeasuredWork,
  memoryMb = functionDefinitions[work.function].memoryMb,
): CostParts {
  const { accessLogBytes, platformLogBytes, answerBytes } = assumedOfRequests;
  const gbSeconds = 1000 * busyMs(work, memoryMb) * (memoryMb / 1024);
  const logGb = (work.logBytes + work.requests * (accessLogBytes + platformLogBytes)) / 1000;
  return {
    lambda: gbSeconds * prices.lambdaGbSecond.usd + work.requests * prices.lambdaMillion.usd,
    api: work.requests * prices.httpApiMillion.usd,
    table: work.readUnits * prices.readMillion.usd + work.writeUnits * prices.writeMillion.usd,
    logs: logGb * prices.logGb.usd,
    transfer: ((work.requests * answerBytes) / 1000) * prices.transferGb.usd,
  };
}

export function sumOf(parts: CostParts): number {
  return Object.values(parts).reduce((sum, part) => sum + part, 0);
}
