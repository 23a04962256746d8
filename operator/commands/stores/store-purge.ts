import { purgeStore } from '../../../lib/stores/lifecycle/purge-store.ts';
import { type CommandDefinition, type CommandRun, requireArgument } from '../../command.ts';
import { findShopId } from '../../find-store.ts';
import type { CommandOutcome } from '../../outcome.ts';

export const storePurgeCommand: CommandDefinition = {
  group: 'store',
  usage: 'purge <store>',
  summary: 'Delete every item and secret of an uninstalled store permanently. Can be stopped and repeated.',
  examples: ['store purge harbor-coffee.myshopify.com --env dev', 'store purge 81234567001 --env dev --yes'],
  run: runStorePurge,
};

/** Names of items for people, by the first word of their keys. */
const ITEM_TYPE_NAMES: Readonly<Record<string, string>> = {
  SESSIONS: 'sign-ins of customers',
  SIGN_IN: 'unfinished sign-ins',
  LINK: 'one-time links',
};

async function runStorePurge(run: CommandRun): Promise<CommandOutcome> {
  const { operator } = run;
  const storeText = requireArgument(run, 0);
  const shopId = await findShopId(operator, storeText);
  if (shopId === undefined) {
    return {
      json: { items: {}, secrets: 0 },
      lines: [`${operator.target.name} has no data of ${storeText}.`],
    };
  }
  const store = await operator.stores.find(shopId);
  operator.trace.setStore({ shopId, ...(store && { domain: store.domain }) });
  const storeName = store ? `${store.domain} (${store.displayName})` : storeText;
  await run.confirm(`All data of ${storeName} will be deleted, which cannot be undone. Purge it?`);
  return run.change(`Would purge ${storeName}.`, async () => {
    const domain = store?.domain ?? (/^\d+$/.test(storeText) ? undefined : storeText.toLowerCase());
    const purgeResult = await purgeStore(operator, {
      shopId,
      domain: domain as NonNullable<typeof store>['domain'],
    });
    const removedItemLines = Object.entries(purgeResult.items).map(
      ([kind, count]) => `  ${ITEM_TYPE_NAMES[kind] ?? kind.toLowerCase()}: ${count}`,
    );
    return {
      json: purgeResult,
      lines: [`${storeName} was purged. Deleted:`, ...removedItemLines, `  secrets: ${purgeResult.secrets}`],
    };
  });
}
