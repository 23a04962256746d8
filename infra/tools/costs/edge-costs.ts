/** The part of docs/costs.md about the edge: what it costs each month, by the request, and in a flood. */
import { prices } from './prices.ts';

/** @internal A test holds both against production's edge. */
export const EDGE_PARTS = { rules: 15, alarms: 2 };
/** A line of the edge's log: its fields, with their names. */
const LOG_BYTES = 300;
const FLOOD_PER_SECOND = 2000;

export function edgeCosts(): string {
  const { rules, alarms } = EDGE_PARTS;
  const monthly =
    prices.webAclMonth.usd +
    rules * prices.webAclRuleMonth.usd +
    prices.secretMonth.usd +
    alarms * prices.alarmMonth.usd;
  const million = prices.webAclMillion.usd + prices.edgeMillion.usd + (LOG_BYTES / 1000) * prices.logGb.usd;
  const flood = ((FLOOD_PER_SECOND * 3600) / 1e6) * million;
  return `An edge costs ${dollars(monthly)} a month: a web ACL with ${rules} rules, a secret, ${alarms} alarms. A million requests through it cost ${dollars(million)}
more than without: CloudFront, WAF, and a line of its log (${LOG_BYTES} bytes, assumed); what it sends costs ${prices.edgeGb.usd} a GB in place of ${prices.transferGb.usd}.
What it refuses costs the same, and nothing behind it: a flood of ${FLOOD_PER_SECOND.toLocaleString('en-US')} requests a second ${dollars(flood)} an hour, however much is let
through. The log is the smallest part of that; WAF's own log, with whole headers, would double it, and is off.`;
}

function dollars(usd: number): string {
  return usd.toFixed(2);
}
