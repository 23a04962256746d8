import { readFileSync } from 'node:fs';
import { listStores } from '../../../lib/stores/list-stores.ts';
import { completeRestore, type RestoreReport } from '../../../lib/stores/restore/complete-restore.ts';
import { type RestoreEvent, readRestoreEvents } from '../../../lib/stores/restore/restore-event.ts';
import { OperatorError } from '../operator-error.ts';
import type { Outcome } from '../outcome.ts';
import { factLines, timeText } from '../show-table.ts';
import { type OpenCommand, readTrace } from '../trace/read-trace.ts';
import { type Run, textOption, type Verb } from '../verb.ts';

export const restoreComplete: Verb = {
  noun: '',
  usage: 'restore-complete',
  summary:
    "Make a restored table fit to be used, before traffic returns. Reads the operators' trace by itself.",
  options: {
    '--table <name>': 'the restored table',
    '--since <time>': 'the time that the table was restored to, like 2026-07-01T09:30:00Z',
    '--events <file>':
      "the functions' log lines since then, as aws logs filter-log-events prints them; - reads standard input",
  },
  examples: [
    'restore-complete --env prod --table subscriptions-prod-restored --since 2026-07-01T09:30:00Z --events since.jsonl',
  ],
  run: restore,
};

async function restore(run: Run): Promise<Outcome> {
  const { operator, options } = run;
  const { name, tableName } = operator.target;
  if (textOption(options, 'table') === undefined)
    throw new OperatorError('Add --table with the restored table.', 2);
  const { events, open } = await readEvents(run);
  // A table that is not there, or not ours to read, is found out before anybody is asked.
  const stores = await listStores(operator.scan);
  await run.confirm(`${tableName} of ${name} will be changed as ${events.length} events say. Go on?`);
  const words = `Would replay ${events.length} events into ${tableName}, with its ${stores.length} stores.`;
  return run.change(words, async () => {
    operator.progress('Protecting the table');
    await operator.protectTable();
    operator.progress(`Replaying ${events.length} events`);
    const report = await completeRestore(operator, events);
    return { json: { ...report, open }, lines: describe({ ...report, open }, tableName) };
  });
}

type Forgotten = { readonly events: readonly RestoreEvent[]; readonly open: readonly OpenCommand[] };

async function readEvents({ operator, terminal, options }: Run): Promise<Forgotten> {
  const sinceMs = Date.parse(textOption(options, 'since') ?? '');
  if (Number.isNaN(sinceMs)) throw new OperatorError('Add --since, like 2026-07-01T09:30:00Z.', 2);
  const source = textOption(options, 'events');
  if (source === undefined)
    throw new OperatorError('Add --events: without the log, sign-ins that were ended since come back.', 2);
  const logged = readRestoreEvents(source === '-' ? await terminal.readInput() : readFile(source), sinceMs);
  operator.progress("Reading the operators' trace");
  const { events, open } = await readTrace(operator.traceStore, sinceMs);
  return { events: [...logged, ...events].sort((a, b) => a.atMs - b.atMs), open };
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new OperatorError(`${path} cannot be read.`);
  }
}

type Report = RestoreReport & Pick<Forgotten, 'open'>;

function describe(report: Report, tableName: string): string[] {
  const { toPurge, toInstall, toUpdate, lostLinks, open, uninstalled, ...counts } = report;
  return [
    ...factLines({ ...counts, uninstalled: uninstalled.join(', ') || undefined }),
    '',
    ...toPurge.map((shopId) => `To do: store purge ${shopId}`),
    ...toInstall.map(
      (shopId) => `To do: store install, for ${shopId}: it was installed again since the backup`,
    ),
    ...toUpdate.map(({ shopId, changed }) => `To do: store update ${shopId}, again: ${changed.join(', ')}`),
    ...lostLinks.map(
      ({ shopId, keyId }) =>
        `To do: ${keyId} of ${shopId} was issued and its link is gone: revoke it, issue another`,
    ),
    ...open.map(
      ({ command, by, begunAtMs }) =>
        `To do: nobody knows whether this was done (${by}, ${timeText(begunAtMs)}). Repeat it: ${command}`,
    ),
    `To do: name ${tableName} as restoredTableName of the environment in infra/definition/config.ts, and deploy.`,
  ];
}
