/** Paragraphs of docs/costs.md that compare: what is waited for together with alone, and this page with docs/performance.md. */
import { monthOf } from './assumptions.ts';
import { concurrentTries, emptyHandlerMs, measured, measuredAgain } from './measured.ts';
import { costOfMillion, sumOf } from './request-costs.ts';

/** Who waits for endpoints that are down, and with how many others. */
export function waiting(): string {
  const { refusedDelivery } = measured;
  const of = monthOf();
  const { answerMs = 0, endpointMs = 0 } = refusedDelivery;
  const down = of.stores * of.endpoints * of.endpointsDown;
  const alone = sumOf(costOfMillion({ ...refusedDelivery, endpointMs: answerMs }));
  return `A delivery refused is one of the ${down} endpoints that are down at any time in [growth.md](growth.md), each tried ${of.triesADayAtDown} times a day: ${concurrentTries(of, answerMs).toFixed(1)} are waited
for at once on average, in the same instances, so each has at most ${(endpointMs / 1000).toFixed(2)} of its ten seconds to itself
(tests/lib/webhooks/deliver/deliver.test.ts). Where one endpoint alone is down it has all ten, and a million would cost ${dollars(alone)}.`;
}

/** Why the page has more CPU than docs/performance.md, and how far it is to be trusted. */
export function performanceComparison(): string {
  const { early, late } = emptyHandlerMs;
  const { times, refresh, customerQuery, customerChange } = measuredAgain;
  return `**CPU is four to nine times that of [performance.md](performance.md), and neither is a mistake.** There only the handler is called, and a query asks the
platform once; here it is the whole process, which also fetches each event and posts each answer (${early} ms of CPU with a handler that does
nothing, ${late} ms after a thousand events), a customer's query asks the platform twice, a change has a key, and what counts are requests
2 to 21 of a process. Lambda has a client of its own for events, which was not measured: it may take less. The machine is shared, so
CPU here is rather too high than too low: measured again ${times} times, a refresh took ${refresh} ms, a customer's query ${customerQuery}, a change ${customerChange}.`;
}

function dollars(usd: number): string {
  return usd.toFixed(2);
}
