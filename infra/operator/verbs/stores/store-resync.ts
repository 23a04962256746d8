import { listStores } from '../../../../lib/stores/list-stores.ts';
import { resyncStore } from '../../../../lib/stores/restore/resync-store.ts';
import { findStore } from '../../find-store.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Outcome } from '../../outcome.ts';
import type { Run, Verb } from '../../verb.ts';

export const storeResync: Verb = {
  noun: 'store',
  usage: 'resync [store]',
  summary: 'After a restore of the table: point stores at the current versions of their secrets.',
  options: { '--all': 'every store' },
  examples: ['store resync --all --env prod', 'store resync harbor-coffee.myshopify.com --env prod'],
  run: resync,
};

const WORDS = { item: 'the store names the current version again', label: 'AWSCURRENT follows the store' };

async function resync(run: Run): Promise<Outcome> {
  const { operator, args, options } = run;
  const [text] = args;
  if ((text === undefined) === (options.all !== true))
    throw new OperatorError('Name a store, or add --all.', 2);
  const stores = text === undefined ? await listStores(operator.scan) : [await findStore(operator, text)];
  return run.change(`Would resync ${stores.map(({ domain }) => domain).join(', ')}.`, async () => {
    const moved: { domain: string; secret: string; moved: string }[] = [];
    for (const { shopId, domain } of stores) {
      for (const each of await resyncStore(operator, shopId)) {
        if (each.moved !== 'nothing') moved.push({ domain, ...each });
      }
    }
    const lines = moved.map(
      (each) => `${each.domain}, ${each.secret}: ${WORDS[each.moved as keyof typeof WORDS]}`,
    );
    return { json: moved, lines: lines.length === 0 ? ['Everything was in step.'] : lines };
  });
}
