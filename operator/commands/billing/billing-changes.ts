/** Commands that change how a store is billed, and that stop and resume billing for a store or for all. */
import { randomUUID } from 'node:crypto';
import { createBillingRuns } from '../../../lib/billing/records/runs.ts';
import { createBillingSettings } from '../../../lib/billing/records/settings.ts';
import type { BillingFinalAction, RetrySettings } from '../../../lib/billing/records/settings-record.ts';
import {
  type ChangeSettingsDeps,
  confirmRun,
  resumeAllStores,
  resumeBilling,
  type SettingsOutcome,
  stopAllStores,
  stopBilling,
  updateSettings,
} from '../../../lib/billing/settings/change-settings.ts';
import {
  MESSAGE_KEY_BY_SETTINGS_FAULT,
  type SettingsInput,
} from '../../../lib/billing/settings/decide-settings-change.ts';
import { findObstacles } from '../../../lib/billing/settings/find-obstacles.ts';
import { DEFAULT_LANGUAGE } from '../../../lib/messages/languages.ts';
import { message } from '../../../lib/messages/message.ts';
import { createTranslator } from '../../../lib/messages/translator.ts';
import { type StoreRecord, timeZoneOf } from '../../../lib/storage/stores.ts';
import { createWorkQueue } from '../../../lib/storage/work-queue/work-queue.ts';
import { isFirstReconciliationComplete } from '../../../lib/store-events/reconciliation/reconciliation-record.ts';
import { listStores } from '../../../lib/stores/list-stores.ts';
import { type CommandOptions, type CommandRun, findTextOption, requireArgument } from '../../command.ts';
import { requireStore } from '../../find-store.ts';
import { OperatorError } from '../../operator-error.ts';
import type { CommandOutcome } from '../../outcome.ts';
import { toSettingsFacts } from './settings-facts.ts';

const FINAL_ACTIONS: readonly BillingFinalAction[] = ['PAUSE', 'CANCEL', 'SKIP', 'LEAVE'];

export const SETTINGS_OPTIONS = {
  '--enabled <yes>': 'yes or no: whether the service bills the store',
  '--starts-on <day>': 'the first day, for example 2026-12-01 (default: the day after tomorrow)',
  '--hour <hour>': 'the hour of a run in the time zone of the store, 0 to 23',
  '--retry-after <days>': 'the days from one declined try to the next, for example 3,4,7; or none',
  '--final-action <action>': `what follows the last try: ${FINAL_ACTIONS.join(', ')}`,
  '--stock-retry-after <days>': 'the same when too little is in stock',
  '--stock-final-action <action>': 'the same when too little is in stock',
  '--ask-for-new-method <yes>': 'yes or no: whether customers are asked for a new payment method',
};

/** Changes the settings that the options name. */
export async function runBillingSet(run: CommandRun): Promise<CommandOutcome> {
  const store = await requireStore(run.operator, requireArgument(run, 0));
  const settingsInput = parseSettingsInput(run.options);
  if (Object.values(settingsInput).every((value) => value === undefined))
    throw new OperatorError('There is nothing to change: see billing set --help.', 2);
  const { table } = run.operator;
  const obstacles = findObstacles({
    store,
    isFirstReconciliationComplete: await isFirstReconciliationComplete({ table }, store.shopId),
    grantedScopes: undefined,
  });
  return run.change(`Would change how ${store.domain} is billed.`, async () => {
    const settingsOutcome = await updateSettings(createChangeDeps(run, store), store, {
      input: settingsInput,
      obstacles,
    });
    if (settingsOutcome.refusal === 'INPUT') {
      const translate = await createTranslator(DEFAULT_LANGUAGE, timeZoneOf(store));
      const faultTexts = settingsOutcome.faults.map(
        ({ reason, path }) =>
          ` ${translate(message(MESSAGE_KEY_BY_SETTINGS_FAULT[reason]))} (${reason}: ${path.join('.')})`,
      );
      const isStoreNotReady = settingsOutcome.faults.some(({ reason }) => reason === 'STORE_NOT_READY');
      const obstaclesText = isStoreNotReady ? ` Obstacles: ${obstacles.join(', ')}.` : '';
      throw new OperatorError(`Nothing was changed.${faultTexts.join('')}${obstaclesText}`, 2);
    }
    return toCommandOutcome(run, store, settingsOutcome);
  });
}

/** Stops a store, or all stores. */
export async function runBillingStop(run: CommandRun): Promise<CommandOutcome> {
  const store = await findStoreOrAll(run);
  if (store === 'all') return changeAllStores(run, 'stopped');
  return run.change(`Would stop billing for ${store.domain}.`, async () =>
    toCommandOutcome(run, store, await stopBilling(createChangeDeps(run, store), store, 'OPERATOR')),
  );
}

/** Ends an operator's stop of a store, or the stop of all stores. Also ends the automatic stop after a restore. */
export async function runBillingResume(run: CommandRun): Promise<CommandOutcome> {
  const store = await findStoreOrAll(run);
  if (store === 'all') return changeAllStores(run, 'resumed');
  return run.change(`Would resume billing for ${store.domain}.`, async () =>
    toCommandOutcome(run, store, await resumeBilling(createChangeDeps(run, store), store, 'OPERATOR')),
  );
}

/** Confirms a run on hold, so that it continues. */
export async function runBillingConfirm(run: CommandRun): Promise<CommandOutcome> {
  const { shopId, domain } = await requireStore(run.operator, requireArgument(run, 0));
  const date = requireArgument(run, 1);
  const { table, now, logger } = run.operator;
  return run.change(`Would let the run of ${date} of ${domain} go on.`, async () => {
    const deps = { runs: createBillingRuns({ table, now }), enqueueStore: createEnqueueStore(run), now };
    const confirmation = await confirmRun(deps, shopId, date);
    if (confirmation.refusal !== undefined) throw new OperatorError(CONFIRM_ERRORS[confirmation.refusal]);
    logger.info('billing_run.confirmed', { shopId, date });
    return { json: confirmation.run, lines: [`The run of ${date} goes on within a minute.`] };
  });
}

const CONFIRM_ERRORS = {
  RUN_NOT_FOUND: 'This day has no run. See billing runs.',
  RUN_NOT_ON_HOLD: 'The run is not on hold.',
  CONCURRENT_UPDATE: 'The run was changed at the same time. Look at it, and try again.',
};

async function findStoreOrAll(run: CommandRun): Promise<StoreRecord | 'all'> {
  const [name] = run.args;
  const isForAllStores = run.options.all === true;
  if (isForAllStores === (name !== undefined)) throw new OperatorError('Name a store, or add --all.', 2);
  return name === undefined ? 'all' : requireStore(run.operator, name);
}

const CHANGES_OF_ALL_STORES = {
  stopped: {
    change: stopAllStores,
    dryRun: 'Would stop billing for all stores.',
    done: 'Billing is stopped for all stores.',
  },
  resumed: {
    change: resumeAllStores,
    dryRun: 'Would end the stop of all stores.',
    done: 'The stop of all stores has ended.',
  },
};

async function changeAllStores(
  run: CommandRun,
  changeName: keyof typeof CHANGES_OF_ALL_STORES,
): Promise<CommandOutcome> {
  const { operator } = run;
  const { change, dryRun, done } = CHANGES_OF_ALL_STORES[changeName];
  const enqueueStore = createEnqueueStore(run);
  return run.change(dryRun, async () => {
    await change({
      settings: createBillingSettings(operator),
      enqueueAllStores: async () => {
        for (const { shopId } of await listStores(operator.scan)) await enqueueStore(shopId);
      },
      logChange: (changed) => operator.logger.info('billing.changed', changed),
    });
    return { json: { all: changeName }, lines: [done] };
  });
}

function createEnqueueStore({ operator: { table, now } }: CommandRun): ChangeSettingsDeps['enqueueStore'] {
  const { enqueue } = createWorkQueue({ table, now, newId: randomUUID });
  return (shopId) => enqueue('billing', shopId);
}

/** Changes are in the operators' trace with all values: `restore-complete` replays them. */
function createChangeDeps(run: CommandRun, { shopId }: StoreRecord): ChangeSettingsDeps {
  const { table, now, logger } = run.operator;
  return {
    settings: createBillingSettings({ table, now }),
    enqueueStore: createEnqueueStore(run),
    logChange: (settings) => logger.info('billing.changed', { shopId, settings }),
    now,
  };
}

async function toCommandOutcome(
  run: CommandRun,
  store: StoreRecord,
  outcome: SettingsOutcome,
): Promise<CommandOutcome> {
  if (outcome.refusal !== undefined)
    throw new OperatorError('The settings were changed at the same time. Look at them, and try again.');
  return toSettingsFacts(run, store, outcome.settings);
}

function parseSettingsInput(options: CommandOptions): SettingsInput {
  const hour = findTextOption(options, 'hour');
  return {
    enabled: parseYesOrNo(options, 'enabled'),
    startsOn: findTextOption(options, 'startsOn'),
    hour: hour === undefined ? undefined : Number(hour),
    declined: parseRetries(options, 'retryAfter', 'finalAction'),
    outOfStock: parseRetries(options, 'stockRetryAfter', 'stockFinalAction'),
    askForNewMethod: parseYesOrNo(options, 'askForNewMethod'),
  };
}

function parseYesOrNo(options: CommandOptions, name: string): boolean | undefined {
  const text = findTextOption(options, name);
  if (text === undefined || text === 'yes' || text === 'no')
    return text === undefined ? text : text === 'yes';
  throw new OperatorError(`${name} must be yes or no, not “${text}”.`, 2);
}

function parseRetries(
  options: CommandOptions,
  daysName: string,
  actionName: string,
): Partial<RetrySettings> | undefined {
  const [days, actionText] = [findTextOption(options, daysName), findTextOption(options, actionName)];
  const finalAction = FINAL_ACTIONS.find((each) => each === actionText?.toUpperCase());
  if (actionText !== undefined && finalAction === undefined)
    throw new OperatorError(`“${actionText}” is no final action. Use one of ${FINAL_ACTIONS.join(', ')}.`, 2);
  if (days === undefined && finalAction === undefined) return undefined;
  const retryAfterDays = days === 'none' ? [] : days?.split(',').map(Number);
  return { ...(retryAfterDays && { retryAfterDays }), ...(finalAction && { finalAction }) };
}
