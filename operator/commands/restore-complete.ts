import { readFileSync } from 'node:fs';
import { replaySettings } from '../../lib/billing/settings/replay-settings.ts';
import { reapplyErasures } from '../../lib/privacy/reapply-erasures.ts';
import { listStores } from '../../lib/stores/list-stores.ts';
import { completeRestore, type RestoreReport } from '../../lib/stores/restore/complete-restore.ts';
import { type LoggedChange, parseLoggedChanges } from '../../lib/stores/restore/logged-change.ts';
import { type CommandDefinition, type CommandRun, findTextOption } from '../command.ts';
import { OperatorError } from '../operator-error.ts';
import { type CommandOutcome, formatCountWithUnit } from '../outcome.ts';
import { parseInstant } from '../parse-instant.ts';
import { formatFacts, formatTime } from '../show-table.ts';
import { type CommandWithoutOutcome, readTrace } from '../trace/read-trace.ts';

export const restoreCompleteCommand: CommandDefinition = {
  group: '',
  usage: 'restore-complete',
  summary: "Prepare a restored table for use, before it gets traffic. Also reads the operators' trace.",
  options: {
    '--table <name>': 'the restored table',
    '--since <time>': 'the time that the table was restored to, like 2026-07-01T09:30:00Z',
    '--events <file>':
      "the functions' log lines since then, as aws logs filter-log-events prints them; - reads standard input; none if the log has no events",
  },
  examples: [
    'restore-complete --env prod --table subscriptions-prod-restored --since 2026-07-01T09:30:00Z --events since.jsonl',
  ],
  run: runRestoreComplete,
};

async function runRestoreComplete(run: CommandRun): Promise<CommandOutcome> {
  const { operator } = run;
  const { name, tableName } = operator.target;
  checkRestoredTable(run);
  const { logged, traced, open } = await readUnrestoredChanges(run);
  const events = [...logged, ...traced].sort((a, b) => a.atMs - b.atMs);
  // Read the table before the question, so that a missing or unreadable table fails first.
  const stores = await listStores(operator.scan);
  const countText = `${formatCountWithUnit(logged.length, 'event')} of the log and ${traced.length} of the operators' trace`;
  await run.confirm(`${countText} will be applied to ${tableName} of ${name}. Continue?`);
  const message = `Would protect ${tableName}, and replay ${countText} into it, with its ${formatCountWithUnit(stores.length, 'store')}.`;
  return run.change(message, async () => {
    if (!run.isDryRun) operator.progress('Protecting the table');
    await operator.protectTable();
    operator.progress(`Replaying ${countText}`);
    const restoreReport = await completeRestore(
      {
        ...operator,
        eraseAgain: (erased) => reapplyErasures(operator, erased),
        replayBilling: (changes) => replaySettings(operator, changes),
      },
      events,
    );
    return {
      json: { ...restoreReport, open },
      lines: describeRestore({ ...restoreReport, open }, tableName),
    };
  });
}

function checkRestoredTable({ operator, options }: CommandRun): void {
  const { name, tableInUse } = operator.target;
  const table = findTextOption(options, 'table');
  if (table === undefined) throw new OperatorError('Add --table with the restored table.', 2);
  if (table !== tableInUse) return;
  throw new OperatorError(
    `${table} is the table that ${name} uses. Give the restored table, before you deploy it.`,
    2,
  );
}

type UnrestoredChanges = {
  readonly logged: readonly LoggedChange[];
  readonly traced: readonly LoggedChange[];
  /** The operators' commands whose outcome is unknown. */
  readonly open: readonly CommandWithoutOutcome[];
};

async function readUnrestoredChanges(run: CommandRun): Promise<UnrestoredChanges> {
  const { operator } = run;
  const restoreTime = parseRestoreTime(run);
  const logged = await readLoggedChanges(run, restoreTime);
  operator.progress("Reading the operators' trace");
  const { events, open } = await readTrace(operator.traceStore, restoreTime.atMs);
  return { logged, traced: events, open };
}

type RestoreTime = { readonly text: string; readonly atMs: number };

function parseRestoreTime({ operator, options }: CommandRun): RestoreTime {
  const sinceText = findTextOption(options, 'since') ?? '';
  const atMs = parseInstant(sinceText);
  if (atMs === undefined)
    throw new OperatorError('Add --since, an instant in UTC like 2026-07-01T09:30:00Z.', 2);
  if (atMs > operator.now())
    throw new OperatorError(
      `--since ${sinceText} is in the future. Give the time that the table was restored to.`,
      2,
    );
  return { text: sinceText, atMs };
}

/**
 * Reads the events since the restored time from the log in `--events`. A log without events is more likely the wrong
 * file than a quiet period, so the operator has to confirm it with `--events none`.
 */
async function readLoggedChanges(
  { terminal, options }: CommandRun,
  since: RestoreTime,
): Promise<LoggedChange[]> {
  const eventsSource = findTextOption(options, 'events');
  if (eventsSource === undefined)
    throw new OperatorError(
      'Add --events: without the log, sign-ins that were revoked since then become active again.',
      2,
    );
  if (eventsSource === 'none') return [];
  const logText = eventsSource === '-' ? await terminal.readInput() : readEventsFile(eventsSource);
  const loggedChanges = parseLoggedChanges(logText, since.atMs);
  if (loggedChanges.length > 0) return loggedChanges;
  const name = eventsSource === '-' ? 'Standard input' : eventsSource;
  throw new OperatorError(
    `${name} has no event since ${since.text}. Fetch the functions' log again; only if it has none, use --events none.`,
    2,
  );
}

function readEventsFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new OperatorError(`${path} cannot be read.`, 2);
  }
}

type RestoreReportWithOpenChanges = RestoreReport & Pick<UnrestoredChanges, 'open'>;

function describeRestore(restoreReport: RestoreReportWithOpenChanges, tableName: string): string[] {
  const { toPurge, toInstall, toUpdate, lostLinks, open, uninstalled, ...counts } = restoreReport;
  return [
    ...formatFacts({ ...counts, uninstalled: uninstalled.join(', ') || undefined }),
    '',
    ...toPurge.map((shopId) => `To do: store purge ${shopId}`),
    ...toInstall.map(
      (shopId) => `To do: store install, for ${shopId}: it was installed again since the backup`,
    ),
    ...toUpdate.map(({ shopId, changed }) => `To do: store update ${shopId}, again: ${changed.join(', ')}`),
    ...lostLinks.map(
      ({ shopId, keyId }) =>
        `To do: ${keyId} of ${shopId} was issued, but its link is lost: revoke it and issue another`,
    ),
    ...open.map(
      ({ command, by, startedAtMs }) =>
        `To do: the outcome of this command is unknown (${by}, ${formatTime(startedAtMs)}). Repeat it: ${command}`,
    ),
    `To do: set restoredTableName of the environment in infra/definition/config.ts to ${tableName}, and deploy.`,
  ];
}
