import { listAdminKeys, toListedAdminKey } from '../../../lib/stores/admin-keys/list-admin-keys.ts';
import { type CommandDefinition, requireArgument } from '../../command.ts';
import { requireStore } from '../../find-store.ts';
import { formatShortTime, formatTable } from '../../show-table.ts';

export const keyListCommand: CommandDefinition = {
  group: 'key',
  usage: 'list <store>',
  summary: "List a store's admin keys: id, label, state, scopes, networks, creation and expiry.",
  examples: ['key list harbor-coffee.myshopify.com --env dev'],
  isReadOnly: true,
  async run(run) {
    const { operator, terminal } = run;
    const { shopId } = await requireStore(operator, requireArgument(run, 0));
    const { store, keys } = await listAdminKeys(operator, shopId);
    const keyRows = keys.map((record) => ({
      ...toListedAdminKey(record, store, operator.now()),
      replaces: keys.find(({ replacedBy }) => replacedBy === record.id)?.id,
    }));
    const tableRows = keyRows.map((key) => ({
      id: key.id,
      label: key.label,
      state: key.state,
      may: key.scopes.join(' ').toLowerCase(),
      from: key.networks.join(' ') || 'anywhere',
      'created (utc)': formatShortTime(key.createdAtMs),
      claimed: formatShortTime(key.claimedAtMs),
      ends: formatShortTime(key.endsAtMs),
      used: formatShortTime(key.lastUsedAtMs),
      by: key.createdBy,
      replaces: key.replaces,
    }));
    return {
      json: keyRows,
      lines: tableRows.length === 0 ? ['The store has no key.'] : formatTable(tableRows, terminal.columns),
    };
  },
};
