/** What a million of each kind of work costs, from measured figures and list prices. */
import { readEnvironmentConfig } from '../../infra/definition/config.ts';
import { functionDefinitions } from '../../infra/definition/function-definitions.ts';
import { monthOf } from './assumptions.ts';
import { assumedOfRequests, type MeasuredWork, measurement } from './measured.ts';
import { prices } from './prices.ts';

/** The costs in US dollars. */
export type CostParts = {
  /** Starts of instances among it. */
  readonly lambda: number;
  readonly api: number;
  readonly edge: number;
  readonly table: number;
  readonly secrets: number;
  /** And traces. */
  readonly logs: number;
  readonly transfer: number;
};

const { coldStarts, traced } = monthOf();

/** How long the work keeps instances busy, in milliseconds of all its requests. Memory gives processor time, of which the code uses one. */
export function busyMs(work: MeasuredWork, memoryMb = functionDefinitions[work.function].memoryMb): number {
  const { mbOfProcessor, platformMs } = assumedOfRequests;
  const waitMs = work.platformRequests * platformMs + (work.endpointMs ?? 0);
  return (work.cpuMs * mbOfProcessor) / Math.min(memoryMb, mbOfProcessor) + waitMs;
}

/** Starts of instances that are billed with the work, in milliseconds: an instance starts with a whole processor. */
function startMs({ requests }: MeasuredWork, startSeconds: number): number {
  return requests * coldStarts * 1000 * startSeconds;
}

/** The costs of a million in production; only Lambda's part depends on the memory. */
export function costOfMillion(
  work: MeasuredWork,
  memoryMb = functionDefinitions[work.function].memoryMb,
): CostParts {
  const { accessLogBytes, platformLogBytes } = assumedOfRequests;
  const startSeconds = measurement.startSeconds[work.function] ?? 0;
  const gbSeconds = 1000 * (busyMs(work, memoryMb) + startMs(work, startSeconds)) * (memoryMb / 1024);
  const logGb = (work.logBytes + work.requests * (accessLogBytes + platformLogBytes)) / 1000;
  const hasEdge = readEnvironmentConfig('prod').config.edge !== undefined;
  return {
    lambda: gbSeconds * prices.lambdaGbSecond.usd + work.requests * prices.lambdaMillion.usd,
    api: work.requests * prices.httpApiMillion.usd,
    edge: hasEdge ? work.requests * edgeMillion() : 0,
    table: work.readUnits * prices.readMillion.usd + work.writeUnits * prices.writeMillion.usd,
    secrets: (work.secretReads + work.secretWrites) * 100 * prices.secretCalls10k.usd,
    logs: logGb * prices.logGb.usd + work.requests * traced * prices.traceMillion.usd,
    transfer: (work.answerBytes / 1000) * (hasEdge ? prices.edgeGb.usd : prices.transferGb.usd),
  };
}

export function sumOf(parts: CostParts): number {
  return Object.values(parts).reduce((sum, part) => sum + part, 0);
}

/** A test compares both with production's edge. */
export const EDGE_PARTS = { rules: 15, alarms: 2 };
/** A line of the edge's log: its fields, with their names. */
export const EDGE_LOG_BYTES = 300;

/** What the edge costs a month without any request, in US dollars. */
export function edgeMonth(): number {
  const { rules, alarms } = EDGE_PARTS;
  const firewall = prices.webAclMonth.usd + rules * prices.webAclRuleMonth.usd;
  return firewall + prices.secretMonth.usd + alarms * prices.alarmMonth.usd;
}

/** What a million requests through the edge cost more than without it. */
export function edgeMillion(): number {
  return prices.edgeMillion.usd + refusedMillion();
}

/** CloudFront charges nothing for what the firewall refuses. */
export function refusedMillion(): number {
  return prices.webAclMillion.usd + (EDGE_LOG_BYTES / 1000) * prices.logGb.usd;
}
