import { DEFAULT_LANGUAGE } from '../../../lib/messages/languages.ts';
import { createTranslator } from '../../../lib/messages/translator.ts';
import { timeZoneOf } from '../../../lib/storage/stores.ts';
import { listChangesByAdminKey } from '../../../lib/timeline/read-events.ts';
import { type CommandDefinition, type Run, requiredArgument } from '../../command.ts';
import { findStore } from '../../find-store.ts';
import type { Outcome } from '../../outcome.ts';
import { tableLines } from '../../show-table.ts';
import { toJson, toRow } from '../timeline-show.ts';
import { readKeyId } from './read-key-id.ts';

export const timelineOfKey: CommandDefinition = {
  group: 'timeline',
  usage: 'of-key <store> <keyId>',
  summary: 'List the changes of all contracts with one admin key, newest last. Reads the whole table.',
  examples: ['timeline of-key harbor-coffee.myshopify.com key_0123456789ab --env prod'],
  isReading: true,
  run: showTimelineOfKey,
};

const NO_ENTRIES_MESSAGE =
  'No entry has this key. Entries from before key ids were recorded have only its label.';
const OTHER_SOURCES =
  'Other changes, such as those of customers, selling plans and tokens, are only in the log. Run the ' +
  'saved query "changes made with an admin key".';

async function showTimelineOfKey(run: Run): Promise<Outcome> {
  const store = await findStore(run.operator, requiredArgument(run, 0));
  const keyId = readKeyId(run);
  const records = await listChangesByAdminKey(run.operator, { shopId: store.shopId, keyId });
  const rows = records.map((record) => ({ contract: record.contract ?? 'store', ...toRow(record) }));
  const translate = await createTranslator(DEFAULT_LANGUAGE, timeZoneOf(store));
  return {
    json: records.map((record) => toJson(run.operator.target, translate, record)),
    lines: [
      ...(rows.length === 0 ? [NO_ENTRIES_MESSAGE] : tableLines(rows, run.terminal.columns)),
      OTHER_SOURCES,
    ],
  };
}
