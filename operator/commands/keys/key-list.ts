import { listAdminKeys, toListedKey } from '../../../lib/stores/admin-keys/list-admin-keys.ts';
import { type CommandDefinition, requiredArgument } from '../../command.ts';
import { findStore } from '../../find-store.ts';
import { shortTime, tableLines } from '../../show-table.ts';

export const keyList: CommandDefinition = {
  group: 'key',
  usage: 'list <store>',
  summary: "List a store's admin keys: id, label, state, scopes, networks, creation and expiry.",
  examples: ['key list harbor-coffee.myshopify.com --env dev'],
  isReading: true,
  async run(run) {
    const { operator, terminal } = run;
    const { shopId } = await findStore(operator, requiredArgument(run, 0));
    const { store, keys } = await listAdminKeys(operator, shopId);
    const listed = keys.map((record) => ({
      ...toListedKey(record, store, operator.now()),
      replaces: keys.find(({ replacedBy }) => replacedBy === record.id)?.id,
    }));
    const rows = listed.map((key) => ({
      id: key.id,
      label: key.label,
      state: key.state,
      may: key.scopes.join(' ').toLowerCase(),
      from: key.networks.join(' ') || 'anywhere',
      'created (utc)': shortTime(key.createdAtMs),
      claimed: shortTime(key.claimedAtMs),
      ends: shortTime(key.endsAtMs),
      used: shortTime(key.lastUsedAtMs),
      by: key.createdBy,
      replaces: key.replaces,
    }));
    return {
      json: listed,
      lines: rows.length === 0 ? ['The store has no key.'] : tableLines(rows, terminal.columns),
    };
  },
};
