import { currentGrantRefusal, type StoreRecord } from '../../../lib/storage/stores.ts';
import { listStores } from '../../../lib/stores/list-stores.ts';
import { type CommandDefinition, requireArgument } from '../../command.ts';
import { requireStore } from '../../find-store.ts';
import { formatFacts, formatShortTime, formatTable } from '../../show-table.ts';
import { toStoreFacts } from './store-facts.ts';

export const storeListCommand: CommandDefinition = {
  group: 'store',
  usage: 'list',
  summary: 'List all stores. Reads the whole table.',
  examples: ['store list --env dev', 'store list --env prod --json'],
  isReadOnly: true,
  async run({ operator, terminal }) {
    const storeList = await listStores(operator.scan);
    const stores = storeList.map(toStoreFacts);
    if (stores.length === 0)
      return { json: [], lines: ['There is no store. Install one: store install --help'] };
    const storeRows = storeList.map((store) => ({
      domain: store.domain,
      'shop id': store.shopId,
      name: store.displayName,
      status: store.status,
      grant: describeGrant(store),
      'installed (utc)': formatShortTime(store.installedAtMs),
    }));
    return { json: stores, lines: [...formatTable(storeRows, terminal.columns), '', GRANT_HINT] };
  },
};

const GRANT_HINT = "GRANT is the platform's last response. Run store check for the current state.";

/** Describes why the platform refuses the store's current grant; empty when it does not. */
function describeGrant(store: StoreRecord): string {
  const grantRefusal = currentGrantRefusal(store);
  return grantRefusal === undefined ? '' : `refused: ${grantRefusal.reason}`;
}

export const storeShowCommand: CommandDefinition = {
  group: 'store',
  usage: 'show <store>',
  summary: 'Show one store, by its domain or its shop id.',
  examples: ['store show harbor-coffee.myshopify.com --env dev'],
  isReadOnly: true,
  async run(run) {
    const storeFacts = toStoreFacts(await requireStore(run.operator, requireArgument(run, 0)));
    return { json: storeFacts, lines: formatFacts(storeFacts) };
  },
};
