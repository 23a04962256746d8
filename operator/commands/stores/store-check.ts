import { checkStore } from '../../../lib/stores/checks/check-store.ts';
import type { StoreFinding } from '../../../lib/stores/checks/store-finding.ts';
import { buildLargestQuery } from '../../../lib/subscriptions/lines/build-largest-query.ts';
import { type CommandDefinition, type CommandRun, requireArgument } from '../../command.ts';
import { requireStore } from '../../find-store.ts';
import type { CommandOutcome } from '../../outcome.ts';
import { formatFinding } from '../../show-findings.ts';
import { findBillingFinding } from '../billing/billing-finding.ts';

export const storeCheckCommand: CommandDefinition = {
  group: 'store',
  usage: 'check <store>',
  summary: 'Check a store: list what works, what is missing, and how to fix it.',
  examples: [
    'store check harbor-coffee.myshopify.com --env dev',
    'store check 81234567001 --env prod --json',
  ],
  isReadOnly: true,
  run: runStoreCheck,
};

async function runStoreCheck(run: CommandRun): Promise<CommandOutcome> {
  const { operator } = run;
  const store = await requireStore(operator, requireArgument(run, 0));
  operator.progress(`Asking the platform about ${store.domain}`);
  const storeFindings = await checkStore({ ...operator, ...operator.target, buildLargestQuery }, store);
  const allFindings = [...storeFindings, ...(await findBillingFinding(operator, store))];
  const hasFailedFinding = allFindings.some(({ state }) => state === 'missing' || state === 'unknown');
  const findingLines = allFindings.flatMap(formatFinding);
  return {
    json: { domain: store.domain, ok: !hasFailedFinding, findings: allFindings },
    lines: [...findingLines, '', formatVerdict(allFindings, hasFailedFinding)],
    isBad: hasFailedFinding,
  };
}

function formatVerdict(findings: readonly StoreFinding[], isBad: boolean): string {
  if (isBad) return 'Something is missing or could not be checked: see above.';
  const countOf = (state: StoreFinding['state']) => findings.filter((one) => one.state === state).length;
  const [unseenCount, optionalCount] = [countOf('unseen'), countOf('optional')];
  const openTexts = [
    ...(unseenCount > 0 ? [`${unseenCount} not seen yet`] : []),
    ...(optionalCount > 0 ? [`${optionalCount} optional`] : []),
  ];
  const verdict = unseenCount > 0 ? 'Nothing is missing, as far as it can be checked.' : 'All is well.';
  return openTexts.length === 0 ? verdict : `${verdict} ${openTexts.join(', ')}: see above.`;
}
