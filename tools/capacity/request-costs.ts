/** The costs of a million pieces of work, from measured values and list prices. */
import { readEnvironmentConfig } from '../../infra/definition/config.ts';
import { FUNCTION_DEFINITIONS } from '../../infra/definition/function-definitions.ts';
import { createMonth } from './assumptions.ts';
import { type MeasuredWork, measurement, REQUEST_ASSUMPTIONS } from './measured.ts';
import { prices } from './prices.ts';

const { coldStarts } = createMonth();

/** Returns how long the work occupies instances, in milliseconds. More memory gives more of the one processor that the code uses. */
export function computeBusyMs(work: MeasuredWork): number {
  const { mbOfProcessor, platformMs } = REQUEST_ASSUMPTIONS;
  const { memoryMb } = FUNCTION_DEFINITIONS[work.function];
  const waitMs = work.platformTrips * platformMs + work.endpointMs;
  return (work.cpuMs * mbOfProcessor) / Math.min(memoryMb, mbOfProcessor) + waitMs;
}

/**
 * Returns the parts of the costs of a million in production, in US dollars. Lambda's part includes the starts of
 * instances. Lambda's own lines are not written for a request (infra/cdk/constructs/function.ts).
 */
export function computeCostOfMillion(work: MeasuredWork) {
  const { accessLogBytes } = REQUEST_ASSUMPTIONS;
  const { memoryMb } = FUNCTION_DEFINITIONS[work.function];
  // An instance starts with a whole processor.
  const startMs = work.requests * coldStarts * 1000 * (measurement.startSeconds[work.function] ?? 0);
  const gbSeconds = 1000 * (computeBusyMs(work) + startMs) * (memoryMb / 1024);
  const logGb = (work.logBytes + work.requests * accessLogBytes) / 1000;
  const hasEdge = readEnvironmentConfig('prod').config.edge !== undefined;
  return {
    lambda: gbSeconds * prices.lambdaGbSecond.usd + work.requests * prices.lambdaMillion.usd,
    api: work.requests * prices.httpApiMillion.usd,
    edge: hasEdge ? work.requests * computeEdgeMillionCost() : 0,
    table: work.readUnits * prices.readMillion.usd + work.writeUnits * prices.writeMillion.usd,
    secrets: (work.secretReads + work.secretWrites) * 100 * prices.secretCalls10k.usd,
    logs: logGb * prices.logGb.usd,
    transfer: (work.answerBytes / 1000) * (hasEdge ? prices.edgeGb.usd : prices.transferGb.usd),
  };
}

export function sumParts(parts: Readonly<Record<string, number>>): number {
  return sumCosts(Object.values(parts));
}

export function sumCosts(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** @internal A test compares them with production's edge. */
export const EDGE_PART_COUNTS = { rules: 15, alarms: 2 };
/** The assumed size of a line in the edge's log: fields with names. */
export const EDGE_LOG_BYTES = 300;

/** Returns the monthly costs of the edge without requests, in US dollars. */
export function computeEdgeMonthCost(): number {
  const { rules, alarms } = EDGE_PART_COUNTS;
  const firewall = prices.webAclMonth.usd + rules * prices.webAclRuleMonth.usd;
  return firewall + prices.secretMonth.usd + alarms * prices.alarmMonth.usd;
}

/** Returns the additional costs of a million requests through the edge. */
export function computeEdgeMillionCost(): number {
  return prices.edgeMillion.usd + computeRejectedMillionCost();
}

/** Returns the costs of a million requests that the firewall rejects: its own charge, and their lines in its log. CloudFront charges nothing. */
export function computeRejectedMillionCost(): number {
  return prices.webAclMillion.usd + (EDGE_LOG_BYTES / 1000) * prices.logGb.usd;
}
