/** Paragraphs of docs/costs.md that compare: what is waited for together with alone, and now with what it was. */
import { monthOf } from '../load/assumptions.ts';
import { measured, measurement, triesAtOnce, withSdk } from './measured.ts';
import { costOfMillion, sumOf } from './request-costs.ts';

/** Who waits for endpoints that are down, and with how many others. */
export function waiting(): string {
  const { refusedDelivery } = measured;
  const of = monthOf();
  const { answerMs = 0, endpointMs = 0 } = refusedDelivery;
  const down = of.stores * of.endpoints * of.endpointsDown;
  const alone = sumOf(costOfMillion({ ...refusedDelivery, endpointMs: answerMs }));
  return `A delivery refused is one of the ${down} endpoints that are down at any time in [growth.md](growth.md), each tried ${of.triesADayAtDown} times a day: ${triesAtOnce(of, answerMs).toFixed(1)} are waited
for at once on average, in the same instances, so each has at most ${(endpointMs / 1000).toFixed(2)} of its ten seconds to itself
(tests/lib/webhooks/deliver/deliver.test.ts). Where one endpoint alone is down it has all ten, and a million would cost ${dollars(alone)}.`;
}

/** What the GraphQL functions' own client of AWS has changed for customers' queries. */
export function beforeAndAfter(): string {
  const { commit, cpuMs, startSeconds } = withSdk;
  const { customerQuery } = measured;
  const before = costOfMillion({ ...customerQuery, cpuMs }, undefined, startSeconds);
  const now = costOfMillion(customerQuery);
  const start = measurement.startSeconds['customer-graphql'];
  return `**Customers' queries before and after the work on speed.** With AWS's SDK (commit ${commit}, the last one) the same query took ${cpuMs} ms of
CPU, and the start of an instance ${startSeconds} s of a processor, with more to load at its first request; now ${Number(customerQuery.cpuMs.toPrecision(2))} ms and ${start} s. With all else as it is today a million cost ${dollars(sumOf(before))} then and ${dollars(sumOf(now))}
now, of which Lambda's part is ${dollars(before.lambda)} and ${dollars(now.lambda)}: the rest, and most of Lambda's, is not computing. Both were measured by their commit's own
measuring, warm and on the same busy machine; [performance.md](performance.md) compares containers from their first request on.`;
}

function dollars(usd: number): string {
  return usd.toFixed(2);
}
