import { checkStore } from '../../../lib/stores/checks/check-store.ts';
import type { StoreFinding } from '../../../lib/stores/checks/store-finding.ts';
import { buildLargestQuery } from '../../../lib/subscriptions/lines/build-largest-query.ts';
import { type CommandDefinition, type Run, requiredArgument } from '../../command.ts';
import { findStore } from '../../find-store.ts';
import type { Outcome } from '../../outcome.ts';
import { findingLines } from '../../show-findings.ts';

export const storeCheck: CommandDefinition = {
  group: 'store',
  usage: 'check <store>',
  summary: 'Check a store: list what works, what is missing, and how to fix it.',
  examples: [
    'store check harbor-coffee.myshopify.com --env dev',
    'store check 81234567001 --env prod --json',
  ],
  isReading: true,
  run: runStoreCheck,
};

async function runStoreCheck(run: Run): Promise<Outcome> {
  const { operator } = run;
  const store = await findStore(operator, requiredArgument(run, 0));
  operator.progress(`Asking the platform about ${store.domain}`);
  const findings = await checkStore(
    { ...operator, ...operator.target, largestQuery: buildLargestQuery },
    store,
  );
  const isBad = findings.some(({ state }) => state === 'missing' || state === 'unknown');
  const lines = findings.flatMap(findingLines);
  return {
    json: { domain: store.domain, ok: !isBad, findings },
    lines: [...lines, '', verdictText(findings, isBad)],
    isBad,
  };
}

function verdictText(findings: readonly StoreFinding[], isBad: boolean): string {
  if (isBad) return 'Something is missing or could not be checked: see above.';
  const countOf = (state: StoreFinding['state']) => findings.filter((one) => one.state === state).length;
  const [unseen, optional] = [countOf('unseen'), countOf('optional')];
  const open = [
    ...(unseen > 0 ? [`${unseen} not seen yet`] : []),
    ...(optional > 0 ? [`${optional} optional`] : []),
  ];
  const verdict = unseen > 0 ? 'Nothing is missing, as far as it can be checked.' : 'All is well.';
  return open.length === 0 ? verdict : `${verdict} ${open.join(', ')}: see above.`;
}
