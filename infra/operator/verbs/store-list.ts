import { listStores } from '../../../lib/stores/list-stores.ts';
import { findStore } from '../find-store.ts';
import { factLines, tableLines } from '../show-table.ts';
import { argument, type Verb } from '../verb.ts';
import { storeFacts } from './store-facts.ts';

export const storeList: Verb = {
  noun: 'store',
  usage: 'list',
  summary: 'All stores. Reads the whole table.',
  examples: ['store list --env dev', 'store list --env prod --json'],
  isReading: true,
  async run({ operator, terminal }) {
    const stores = (await listStores(operator.scan)).map(storeFacts);
    if (stores.length === 0)
      return { json: [], lines: ['There is no store. Install one: store install --help'] };
    const rows = stores.map(({ domain, shopId, name, status, installedAt }) => ({
      domain,
      shopId,
      name,
      status,
      installedAt,
    }));
    return { json: stores, lines: tableLines(rows, terminal.columns) };
  },
};

export const storeShow: Verb = {
  noun: 'store',
  usage: 'show <store>',
  summary: 'One store, by its domain or its shop id.',
  examples: ['store show harbor-coffee.myshopify.com --env dev'],
  isReading: true,
  async run(run) {
    const facts = storeFacts(await findStore(run.operator, argument(run, 0)));
    return { json: facts, lines: factLines(facts) };
  },
};
