import { DEFAULT_LANGUAGE } from '../../../lib/messages/languages.ts';
import { createTranslator } from '../../../lib/messages/translator.ts';
import { timeZoneOf } from '../../../lib/storage/stores.ts';
import { listChangesByAdminKey } from '../../../lib/timeline/read-events.ts';
import { type CommandDefinition, type CommandRun, requireArgument } from '../../command.ts';
import { requireStore } from '../../find-store.ts';
import type { CommandOutcome } from '../../outcome.ts';
import { formatTable } from '../../show-table.ts';
import { toEntryJson, toEntryRow } from '../timeline-show.ts';
import { parseKeyIdArgument } from './parse-key-id-argument.ts';

export const timelineOfKeyCommand: CommandDefinition = {
  group: 'timeline',
  usage: 'of-key <store> <keyId>',
  summary: 'List the changes of all contracts with one admin key, newest last. Reads the whole table.',
  examples: ['timeline of-key harbor-coffee.myshopify.com key_0123456789ab --env prod'],
  isReadOnly: true,
  run: showTimelineOfKey,
};

const NO_ENTRIES_MESSAGE =
  'No entry has this key. Entries from before key ids were recorded have only its label.';
const OTHER_SOURCES_MESSAGE =
  'Other changes, such as those of customers, selling plans and tokens, are only in the log. Run the ' +
  'saved query "changes made with an admin key".';

async function showTimelineOfKey(run: CommandRun): Promise<CommandOutcome> {
  const store = await requireStore(run.operator, requireArgument(run, 0));
  const keyId = parseKeyIdArgument(run);
  const eventRecords = await listChangesByAdminKey(run.operator, { shopId: store.shopId, keyId });
  const eventRows = eventRecords.map((record) => ({
    contract: record.contract ?? 'store',
    ...toEntryRow(record),
  }));
  const translate = await createTranslator(DEFAULT_LANGUAGE, timeZoneOf(store));
  return {
    json: eventRecords.map((record) => toEntryJson(run.operator.target, translate, record)),
    lines: [
      ...(eventRows.length === 0 ? [NO_ENTRIES_MESSAGE] : formatTable(eventRows, run.terminal.columns)),
      OTHER_SOURCES_MESSAGE,
    ],
  };
}
