import { checkStore } from '../../../lib/stores/check-store.ts';
import { findStore } from '../find-store.ts';
import { argument, type Outcome, type Run, type Verb } from '../verb.ts';

export const storeCheck: Verb = {
  noun: 'store',
  usage: 'check <store>',
  summary: 'Say in order what is right with a store, what is missing, and how to mend it.',
  examples: [
    'store check harbor-coffee.myshopify.com --env dev',
    'store check 81234567001 --env prod --json',
  ],
  isReading: true,
  run: check,
};

const SIGNS = { ok: 'ok      ', missing: 'MISSING ', optional: 'optional', unknown: 'unknown ' };

async function check(run: Run): Promise<Outcome> {
  const { operator } = run;
  const store = await findStore(operator, argument(run, 0));
  operator.progress(`Asking the platform about ${store.domain}`);
  const findings = await checkStore(operator, store);
  const isBad = findings.some(({ state }) => state === 'missing' || state === 'unknown');
  const lines = findings.flatMap(({ name, state, found, mend }) => [
    `${SIGNS[state]}  ${name}: ${found}`,
    ...(mend && state !== 'ok' ? [`            → ${mend}`] : []),
  ]);
  const verdict = isBad ? 'Something is missing or could not be told: see above.' : 'All is well.';
  return { json: { domain: store.domain, ok: !isBad, findings }, lines: [...lines, '', verdict], isBad };
}
