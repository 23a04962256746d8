import { uninstallStore } from '../../../lib/stores/lifecycle/uninstall-store.ts';
import { type CommandDefinition, requireArgument } from '../../command.ts';
import { requireStore } from '../../find-store.ts';

export const storeUninstallCommand: CommandDefinition = {
  group: 'store',
  usage: 'uninstall <store>',
  summary:
    'Uninstall a store. All its tokens and keys are refused from the next request. Its data is not deleted.',
  examples: ['store uninstall harbor-coffee.myshopify.com --env dev'],
  async run(run) {
    const store = await requireStore(run.operator, requireArgument(run, 0));
    await run.confirm(
      `All customers and servers of ${store.domain} (${store.displayName}) will be refused. Uninstall it?`,
    );
    return run.change(`Would uninstall ${store.domain}.`, async () => {
      const { outcome } = await uninstallStore(run.operator, store.shopId);
      const message = outcome === 'uninstalled' ? 'is uninstalled' : 'was already uninstalled';
      return {
        json: { domain: store.domain, outcome },
        lines: [`${store.domain} ${message}. Its data was not deleted.`],
      };
    });
  },
};
