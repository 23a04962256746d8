import { describeMovedAddress } from '../../../lib/stores/checks/check-sign-in.ts';
import {
  findSignInAddressChanges,
  pinChangedSignInAddresses,
  type SignInAddressChange,
} from '../../../lib/stores/lifecycle/sign-in-address-changes.ts';
import { listStores } from '../../../lib/stores/list-stores.ts';
import type { MovedAddress } from '../../../lib/stores/read-sign-in-addresses.ts';
import type { CommandDefinition, CommandRun } from '../../command.ts';
import { requireStore } from '../../find-store.ts';
import { OperatorError } from '../../operator-error.ts';
import type { CommandOutcome } from '../../outcome.ts';
import { parseAddressOption } from '../../parse-address-option.ts';

/** The operator's confirmation of unusual sign-in addresses. */
export const TRUST_ISSUER_OPTION = {
  '--trust-issuer <issuer>': 'confirm that sign-in addresses with this issuer belong to the platform',
};

export const storeAcceptSignInCommand: CommandDefinition = {
  group: 'store',
  usage: 'accept-sign-in [store]',
  summary: "Pin the platform's current sign-in addresses, after it shows the old and the new ones.",
  options: { '--all': 'for every installed store, after the platform has moved', ...TRUST_ISSUER_OPTION },
  examples: [
    'store accept-sign-in harbor-coffee.myshopify.com --env prod',
    'store accept-sign-in --all --env prod --dry-run',
  ],
  run: acceptMovedSignIn,
};

async function acceptMovedSignIn(run: CommandRun): Promise<CommandOutcome> {
  const { operator, args, options } = run;
  const [storeText] = args;
  const trustedIssuer = parseAddressOption(options, '--trust-issuer');
  if ((storeText === undefined) === (options.all !== true))
    throw new OperatorError('Name a store, or add --all.', 2);
  const listedStores =
    storeText === undefined ? await listStores(operator.scan) : [await requireStore(operator, storeText)];
  const stores = listedStores.filter(({ status }) => status === 'installed');
  if (stores.length === 0) throw new OperatorError('No store is installed.');
  const storeNames = stores.length === 1 ? stores[0]?.domain : `${stores.length} stores`;
  operator.progress(`Asking the platform about ${storeNames}`);
  const addressChanges = await findSignInAddressChanges(operator, { stores, trustedIssuer });
  await confirmMovedAddresses(
    run,
    addressChanges.filter(({ outcome }) => outcome === 'moved'),
  );
  if (run.isDryRun) return toAcceptOutcome(run, addressChanges);
  const acceptResults = await pinChangedSignInAddresses(operator, addressChanges);
  for (const { shopId, outcome } of acceptResults) {
    if (outcome === 'moved')
      operator.logger.info('store.updated', { shopId, changed: ['sign-in addresses'] });
  }
  return toAcceptOutcome(run, acceptResults);
}

type MovedSignInAddresses = { readonly domain: string; readonly moved: readonly MovedAddress[] };

/** Shows the moved addresses and asks for confirmation; does nothing when no address has moved. */
export async function confirmMovedAddresses(
  run: CommandRun,
  movedStores: readonly MovedSignInAddresses[],
): Promise<void> {
  if (movedStores.length === 0) return;
  for (const { domain, moved } of movedStores) {
    for (const move of moved) run.operator.progress(`${domain}: ${describeMovedAddress(move)}`);
  }
  const storeNames = movedStores.length === 1 ? movedStores[0]?.domain : `${movedStores.length} stores`;
  await run.confirm(`Customers of ${storeNames} will be sent to the new addresses. Pin them?`);
}

function toAcceptOutcome({ isDryRun }: CommandRun, results: readonly SignInAddressChange[]): CommandOutcome {
  const textByOutcome = {
    unchanged: 'as pinned',
    moved: isDryRun ? 'would be pinned' : 'pinned',
    failed: 'FAILED',
  };
  const resultLines = results.flatMap(({ domain, outcome, moved, problem }) => [
    `${domain}: ${textByOutcome[outcome]}${problem === undefined ? '' : `: ${problem}`}`,
    ...moved.flatMap(({ name, before, after }) => [`  ${name}`, `    old ${before}`, `    new ${after}`]),
  ]);
  const failedCount = results.filter(({ outcome }) => outcome === 'failed').length;
  const summaryText =
    failedCount === 0
      ? 'All is well.'
      : `${failedCount} of ${results.length} stores failed. Repeat the command for them.`;
  return {
    json: {
      dryRun: isDryRun,
      stores: results.map(({ before: _before, after: _after, ...facts }) => facts),
    },
    lines: [...resultLines, '', summaryText],
    isBad: failedCount > 0,
  };
}
