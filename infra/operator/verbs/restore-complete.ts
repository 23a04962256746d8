import { readFileSync } from 'node:fs';
import { listStores } from '../../../lib/stores/list-stores.ts';
import { completeRestore, type RestoreReport } from '../../../lib/stores/restore/complete-restore.ts';
import { type RestoreEvent, readRestoreEvents } from '../../../lib/stores/restore/restore-event.ts';
import { OperatorError } from '../operator-error.ts';
import type { Outcome } from '../outcome.ts';
import { protectTable } from '../protect-table.ts';
import { factLines } from '../show-table.ts';
import { type Run, textOption, type Verb } from '../verb.ts';

export const restoreComplete: Verb = {
  noun: '',
  usage: 'restore-complete',
  summary: 'Make a restored table fit to be used, before traffic returns.',
  options: {
    '--table <name>': 'the restored table',
    '--since <time>': 'the time that the table was restored to, like 2026-07-01T09:30:00Z',
    '--events <file>':
      "log lines since then: what aws logs filter-log-events printed, operators' --log files; - reads standard input",
  },
  examples: [
    'restore-complete --env prod --table subscriptions-prod-restored --since 2026-07-01T09:30:00Z --events since.jsonl',
  ],
  run: restore,
};

async function restore(run: Run): Promise<Outcome> {
  const { operator, options } = run;
  const { name, tableName, dynamoDb } = operator.target;
  if (textOption(options, 'table') === undefined)
    throw new OperatorError('Add --table with the restored table.', 2);
  const events = await readEvents(run);
  // A table that is not there, or not ours to read, is found out before anybody is asked.
  const stores = await listStores(operator.scan);
  await run.confirm(`${tableName} of ${name} will be changed as ${events.length} events say. Go on?`);
  const words = `Would replay ${events.length} events into ${tableName}, with its ${stores.length} stores.`;
  return run.change(words, async () => {
    // The stand-in of the local stack knows none of these settings.
    if (name !== 'local' && !run.isDryRun) {
      operator.progress('Protecting the table');
      await protectTable(dynamoDb, tableName);
    }
    operator.progress(`Replaying ${events.length} events`);
    const report = await completeRestore(operator, events);
    return { json: report, lines: describe(report, tableName) };
  });
}

async function readEvents({ terminal, options }: Run): Promise<RestoreEvent[]> {
  const sinceMs = Date.parse(textOption(options, 'since') ?? '');
  if (Number.isNaN(sinceMs)) throw new OperatorError('Add --since, like 2026-07-01T09:30:00Z.', 2);
  const source = textOption(options, 'events');
  if (source === undefined)
    throw new OperatorError('Add --events: without the log, sign-ins that were ended since come back.', 2);
  return readRestoreEvents(source === '-' ? await terminal.readInput() : readFile(source), sinceMs);
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new OperatorError(`${path} cannot be read.`);
  }
}

function describe(report: RestoreReport, tableName: string): string[] {
  const { toPurge, toInstall, uninstalled, ...counts } = report;
  return [
    ...factLines({ ...counts, uninstalled: uninstalled.join(', ') || undefined }),
    '',
    ...toPurge.map((shopId) => `To do: store purge ${shopId}`),
    ...toInstall.map(
      (shopId) => `To do: store install, for ${shopId}: it was installed again since the backup`,
    ),
    `To do: name ${tableName} as restoredTableName of the environment in infra/definition/config.ts, and deploy.`,
  ];
}
