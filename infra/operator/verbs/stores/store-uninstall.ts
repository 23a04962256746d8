import { uninstallStore } from '../../../../lib/stores/life/uninstall-store.ts';
import { findStore } from '../../find-store.ts';
import { argument, type Verb } from '../../verb.ts';

export const storeUninstall: Verb = {
  noun: 'store',
  usage: 'uninstall <store>',
  summary: 'Refuse all tokens and keys of a store from the next request on. Its data stays.',
  examples: ['store uninstall harbor-coffee.myshopify.com --env dev'],
  async run(run) {
    const store = await findStore(run.operator, argument(run, 0));
    await run.confirm(
      `All customers and servers of ${store.domain} (${store.displayName}) will be refused. Uninstall it?`,
    );
    return run.change(`Would uninstall ${store.domain}.`, async () => {
      const { outcome } = await uninstallStore(run.operator, store.shopId);
      const words = outcome === 'uninstalled' ? 'is uninstalled' : 'was uninstalled before';
      return {
        json: { domain: store.domain, outcome },
        lines: [`${store.domain} ${words}. Its data is still there.`],
      };
    });
  },
};
