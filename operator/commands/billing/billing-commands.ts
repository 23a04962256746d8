/** Commands of billing: they show what the service charges, and change what merchants change over GraphQL. */
import { createBillingPreviews, isValidPreview } from '../../../lib/billing/preview/previews.ts';
import {
  type BillingCharge,
  countTries,
  nextAllowedTryMs,
} from '../../../lib/billing/records/charge-record.ts';
import { createBillingCharges } from '../../../lib/billing/records/charges.ts';
import { createBillingReminders } from '../../../lib/billing/records/reminders.ts';
import { createBillingRuns } from '../../../lib/billing/records/runs.ts';
import { createBillingSettings } from '../../../lib/billing/records/settings.ts';
import { settingsOfInstallation } from '../../../lib/billing/settings/decide-billing-status.ts';
import { addDays } from '../../../lib/billing/settings/run-times.ts';
import { isBillingStopped, toVisibleRunStatus } from '../../../lib/billing/settings/visible-run-status.ts';
import { isoDayIn } from '../../../lib/domain/time-zone.ts';
import { timeZoneOf } from '../../../lib/storage/stores.ts';
import { type CommandDefinition, type CommandRun, findTextOption, requireArgument } from '../../command.ts';
import { requireStore } from '../../find-store.ts';
import type { CommandOutcome } from '../../outcome.ts';
import { formatShortTime, formatTable, type TableRow } from '../../show-table.ts';
import {
  runBillingConfirm,
  runBillingResume,
  runBillingSet,
  runBillingStop,
  SETTINGS_OPTIONS,
} from './billing-changes.ts';
import { toSettingsFacts } from './settings-facts.ts';

const EXAMPLE_STORE_DOMAIN = 'harbor-coffee.myshopify.com';
/** The maximum number of rows that a command prints: more than people read. */
const MAX_ROWS = 500;
const NO_PREVIEW_REASONS =
  'no night has counted it since billing was switched on, it is before the first day, or billing is off';
const ALL_OPTION = { '--all': 'all stores of the environment' };

export const billingCommands: readonly CommandDefinition[] = [
  {
    group: 'billing',
    usage: 'show <store>',
    summary: 'Show whether and how the service bills a store.',
    examples: [`billing show ${EXAMPLE_STORE_DOMAIN} --env prod`],
    isReadOnly: true,
    async run(run) {
      const store = await requireStore(run.operator, requireArgument(run, 0));
      return toSettingsFacts(run, store, await createBillingSettings(run.operator).read(store.shopId));
    },
  },
  {
    group: 'billing',
    usage: 'set <store>',
    summary: 'Change how the service bills a store, or switch it on or off.',
    options: SETTINGS_OPTIONS,
    examples: [`billing set ${EXAMPLE_STORE_DOMAIN} --enabled yes --hour 7 --env prod`],
    run: runBillingSet,
  },
  {
    group: 'billing',
    usage: 'preview <store>',
    summary: 'Show what a day would charge, as the night before has counted it.',
    options: { '--day <day>': 'the day, for example 2026-12-01 (default: tomorrow)' },
    examples: [`billing preview ${EXAMPLE_STORE_DOMAIN} --env prod`],
    isReadOnly: true,
    run: showPreview,
  },
  {
    group: 'billing',
    usage: 'runs <store>',
    summary: 'List the runs of a store, the newest first.',
    examples: [`billing runs ${EXAMPLE_STORE_DOMAIN} --env prod`],
    isReadOnly: true,
    run: listRuns,
  },
  {
    group: 'billing',
    usage: 'charges <store>',
    summary: 'List the orders in dunning, or all orders that a run has found.',
    options: { '--run <day>': 'the day of the run, for example 2026-12-01' },
    examples: [`billing charges ${EXAMPLE_STORE_DOMAIN} --env prod`],
    isReadOnly: true,
    run: listOrderCharges,
  },
  {
    group: 'billing',
    usage: 'confirm <store> <day>',
    summary: 'Let a run that is on hold go on.',
    examples: [`billing confirm ${EXAMPLE_STORE_DOMAIN} 2026-12-01 --env prod`],
    run: runBillingConfirm,
  },
  {
    group: 'billing',
    usage: 'stop [store]',
    summary: 'Stop billing within ten seconds. Only an operator can resume it.',
    options: ALL_OPTION,
    examples: [`billing stop ${EXAMPLE_STORE_DOMAIN} --env prod`, 'billing stop --all --env prod'],
    run: runBillingStop,
  },
  {
    group: 'billing',
    usage: 'resume [store]',
    summary: 'Resume billing after an operator has stopped it, or after a restore.',
    options: ALL_OPTION,
    examples: [`billing resume ${EXAMPLE_STORE_DOMAIN} --env prod`, 'billing resume --all --env prod'],
    run: runBillingResume,
  },
];

async function showPreview(run: CommandRun): Promise<CommandOutcome> {
  const { operator, options } = run;
  const store = await requireStore(operator, requireArgument(run, 0));
  const date = findTextOption(options, 'day') ?? addDays(isoDayIn(timeZoneOf(store), operator.now()), 1);
  const billingPreviews = createBillingPreviews(operator);
  const billingPreview = await billingPreviews.find(store.shopId, date);
  const storedSettings = await createBillingSettings(operator).read(store.shopId);
  if (!isValidPreview(billingPreview, settingsOfInstallation(storedSettings, store)))
    return { json: null, lines: [`${date} has no preview: ${NO_PREVIEW_REASONS}.`] };
  const previewEntries = await billingPreviews.listEntries(store.shopId, date, { limit: MAX_ROWS });
  const totalsText = billingPreview.totals
    .map(({ amount, currencyCode }) => `${amount} ${currencyCode}`)
    .join(', ');
  const entryRows = previewEntries.map(({ contractNumber, cycleIndex, expectedAtMs, amount, warnings }) => ({
    ...{ contract: contractNumber, cycle: cycleIndex, 'due (utc)': formatShortTime(expectedAtMs) },
    ...{ amount: amount && `${amount.amount} ${amount.currencyCode}`, warnings: warnings.join(' ') },
  }));
  const countText = `${billingPreview.orderCount} orders on ${date}, ${totalsText || 'no amount'}, counted at ${formatShortTime(billingPreview.preparedAtMs)} UTC.`;
  return {
    json: { ...billingPreview, entries: previewEntries },
    lines: [countText, ...formatRowsOrNote(run, entryRows, 'It lists orders of today and tomorrow only.')],
  };
}

async function listRuns(run: CommandRun): Promise<CommandOutcome> {
  const { operator } = run;
  const store = await requireStore(operator, requireArgument(run, 0));
  const storedRuns = await takeFirstRows(
    createBillingRuns(operator).list(store.shopId, { descending: true, pageSize: 100 }),
  );
  const deps = { settings: createBillingSettings(operator), now: operator.now };
  const isStoreBillingStopped = await isBillingStopped(deps, store);
  const visibleRuns = storedRuns.map((each) => ({
    ...each,
    status: toVisibleRunStatus(each, isStoreBillingStopped),
  }));
  const rows = visibleRuns.map(
    ({ date, status, holdReason, expectedCount, foundCount, countByState = {} }) => ({
      ...{ day: date, status, hold: holdReason, expected: expectedCount, found: foundCount },
      ...{ charged: countByState.CHARGED, retrying: countByState.RETRYING, ended: countByState.ENDED },
      ...{ skipped: countByState.SKIPPED, reported: countByState.REPORTED },
    }),
  );
  return { json: visibleRuns, lines: formatRowsOrNote(run, rows, 'The store has no run.') };
}

/** Lists the orders whose charge is retried, or with `--run` all orders that the run of that day found. */
async function listOrderCharges(run: CommandRun): Promise<CommandOutcome> {
  const { operator, options } = run;
  const { shopId } = await requireStore(operator, requireArgument(run, 0));
  const day = findTextOption(options, 'run');
  const ordersToLookUp =
    day === undefined
      ? await takeFirstRows(createBillingReminders(operator).list(shopId, {}))
      : await takeFirstRows(createBillingRuns(operator).listLines(shopId, day));
  const enqueueStore = async () => undefined;
  const foundCharges = await createBillingCharges({ ...operator, enqueueStore }).findMany(ordersToLookUp);
  const isChargeUnpaid = ({ state }: BillingCharge) => state === 'RETRYING' || state === 'ACTION_REQUIRED';
  const charges = foundCharges.flatMap((charge) =>
    charge && (day !== undefined || isChargeUnpaid(charge)) ? [charge] : [],
  );
  const chargeRows = charges.map((charge) => ({
    ...{ contract: charge.contractNumber, cycle: charge.cycleIndex, state: charge.state },
    ...{ reason: charge.reason, tries: countTries(charge), 'last code': charge.lastErrorCode },
    ...{ 'next try (utc)': formatShortTime(nextAllowedTryMs(charge)), run: charge.runDate },
  }));
  const note = day === undefined ? 'No order is in dunning.' : `No order was found by a run of ${day}.`;
  return { json: charges, lines: formatRowsOrNote(run, chargeRows, note) };
}

async function takeFirstRows<Item>(items: AsyncGenerator<Item>): Promise<Item[]> {
  const limitedItems: Item[] = [];
  for await (const item of items) {
    limitedItems.push(item);
    if (limitedItems.length === MAX_ROWS) break;
  }
  return limitedItems;
}

function formatRowsOrNote({ terminal }: CommandRun, rows: readonly TableRow[], emptyNote: string): string[] {
  return rows.length === 0 ? [emptyNote] : formatTable(rows, terminal.columns);
}
