import { listStores } from '../../../lib/stores/list-stores.ts';
import { previewResync, resyncStore } from '../../../lib/stores/restore/resync-store.ts';
import type { CommandDefinition, CommandRun } from '../../command.ts';
import { requireStore } from '../../find-store.ts';
import { OperatorError } from '../../operator-error.ts';
import { type CommandOutcome, createDryRunOutcome, formatCountWithUnit } from '../../outcome.ts';

export const storeResyncCommand: CommandDefinition = {
  group: 'store',
  usage: 'resync [store]',
  summary:
    'Migrate stores to the current form, and update their references to the current versions of their secrets. Run it after a restore of the table, or when an upgrade requires it.',
  options: { '--all': 'every store' },
  examples: ['store resync --all --env prod', 'store resync harbor-coffee.myshopify.com --env prod'],
  run: resyncStores,
};

const MIGRATION_TEXTS = {
  parted: 'the store has separate items for its grant and its keys',
  item: 'the store refers to the current version again',
  label: "AWSCURRENT is on the store's version again",
};

type MigratedStore = {
  readonly domain: string;
  readonly secret?: string;
  readonly moved: keyof typeof MIGRATION_TEXTS;
};

async function resyncStores(run: CommandRun): Promise<CommandOutcome> {
  const { operator, args, options, isDryRun } = run;
  const [storeText] = args;
  if ((storeText === undefined) === (options.all !== true))
    throw new OperatorError('Name a store, or add --all.', 2);
  const stores =
    storeText === undefined ? await listStores(operator.scan) : [await requireStore(operator, storeText)];
  const migratedStores: MigratedStore[] = [];
  for (const { shopId, domain } of stores) {
    const { wasUnmigrated, secrets } = await (isDryRun ? previewResync : resyncStore)(operator, shopId);
    if (wasUnmigrated) migratedStores.push({ domain, moved: 'parted' });
    for (const { secret, moved: movedPart } of secrets)
      if (movedPart !== 'nothing') migratedStores.push({ domain, secret, moved: movedPart });
  }
  const lines = migratedStores.map(
    ({ domain, secret, moved }) =>
      `${[domain, secret].filter(Boolean).join(', ')}: ${MIGRATION_TEXTS[moved]}`,
  );
  if (isDryRun) return describeDryRun(migratedStores, lines);
  return { json: migratedStores, lines: lines.length === 0 ? ['Everything was up to date.'] : lines };
}

function describeDryRun(migratedStores: readonly MigratedStore[], lines: readonly string[]): CommandOutcome {
  const storeCount = new Set(migratedStores.map(({ domain }) => domain)).size;
  const message =
    migratedStores.length === 0
      ? 'Would change nothing.'
      : `Would fix ${formatCountWithUnit(migratedStores.length, 'problem')} of ${formatCountWithUnit(storeCount, 'store')}.`;
  const { json } = createDryRunOutcome(message, { wouldMove: migratedStores });
  return { json, lines: [message, ...lines] };
}
