/** The part of docs/costs.md about the edge: what it costs each month, by the request, and in a flood. */
import { prices } from './prices.ts';

/** @internal A test holds both against production's edge. */
export const EDGE_PARTS = { rules: 15, alarms: 2 };
/** A line of the edge's log: its fields, with their names. */
const LOG_BYTES = 300;
const FLOOD_PER_SECOND = 2000;

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
function refusedMillion(): number {
  return prices.webAclMillion.usd + (LOG_BYTES / 1000) * prices.logGb.usd;
}

export function edgeCosts(): string {
  const { rules, alarms } = EDGE_PARTS;
  const hour = (million: number) => dollars(((FLOOD_PER_SECOND * 3600) / 1e6) * million);
  return `The edge is a web ACL with ${rules} rules, a secret and ${alarms} alarms, together ${dollars(edgeMonth())} a month. A million requests through it cost
${dollars(edgeMillion())}: CloudFront, WAF, and a line of its log (${LOG_BYTES} bytes, assumed); what it sends costs ${prices.edgeGb.usd} a GB in place of ${prices.transferGb.usd}. Both
are in the sums above. For what WAF refuses, CloudFront charges neither the request nor what is sent
([AWS, November 2024](https://aws.amazon.com/about-aws/whats-new/2024/11/amazon-cloudfront-charges-requests-blocked-aws-waf/)); WAF and the
log remain: ${dollars(refusedMillion())} a million. A flood of ${FLOOD_PER_SECOND.toLocaleString('en-US')} requests a second costs ${hour(refusedMillion())} an hour where all of it is refused, and ${hour(edgeMillion())} at the edge where
none is, beside what it then asks of the functions. WAF's own log, with whole headers, would cost more than all that, and is off.`;
}

function dollars(usd: number): string {
  return usd.toFixed(2);
}
