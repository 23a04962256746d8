/** The mutations of billing. Only switching it on sends a request to the platform. */
import type { BillingSettings } from '../../../lib/billing/records/settings-record.ts';
import {
  confirmRun,
  resumeBilling,
  type SettingsOutcome,
  stopBilling,
  updateSettings,
} from '../../../lib/billing/settings/change-settings.ts';
import {
  MESSAGE_KEY_BY_SETTINGS_FAULT,
  type SettingsFault,
  type SettingsInput,
} from '../../../lib/billing/settings/decide-settings-change.ts';
import type { BillingObstacle } from '../../../lib/billing/settings/find-obstacles.ts';
import { message } from '../../../lib/messages/message.ts';
import type { OperationRequest } from '../../../lib/subscriptions/operation.ts';
import {
  createChangedOutcome,
  createRefusedOutcome,
  createUserError,
  type OperationError,
  type OperationOutcome,
} from '../../../lib/subscriptions/operation-error.ts';
import type { RunContext } from '../../plan/run-context.ts';
import { createBillingDeps } from './billing-deps.ts';
import { isStoreStopped, parseRunGid, toRunValue } from './billing-values.ts';
import { readObstacles, toSettingsValue } from './settings-value.ts';

type BillingArguments = OperationRequest['args'];
type BillingChange = (context: RunContext, args: BillingArguments) => Promise<OperationOutcome>;

/**
 * The changes by the mutation's name.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export const BILLING_MUTATIONS: Readonly<Record<string, BillingChange>> = {
  async billingSettingsUpdate(context, args) {
    const input = toSettingsInput(args.settings);
    const obstacles = await readObstacles(context, { checksAccess: input.enabled === true });
    const change = { input, obstacles };
    const settingsOutcome = await updateSettings(createChangeDeps(context), context.store, change);
    return toSettingsOutcome(context, settingsOutcome, { input, obstacles });
  },
  async billingStop(context) {
    const settingsOutcome = await stopBilling(createChangeDeps(context), context.store, 'STORE');
    return toSettingsOutcome(context, settingsOutcome);
  },
  async billingResume(context) {
    const settingsOutcome = await resumeBilling(createChangeDeps(context), context.store, 'STORE');
    return toSettingsOutcome(context, settingsOutcome);
  },
  async billingRunConfirm(context, { id }) {
    const outcome = await confirmRun(createBillingDeps(context), context.store.shopId, parseRunGid(id) ?? '');
    if (outcome.refusal !== undefined) return createRefusedOutcome([RUN_ERRORS[outcome.refusal]()]);
    logBillingChange(context, 'billing_run.confirmed', { date: outcome.run.date });
    return createChangedOutcome({
      run: toRunValue(context, outcome.run, await isStoreStopped(context)),
    });
  },
};

function createChangeDeps(context: RunContext) {
  return {
    ...createBillingDeps(context),
    logChange: (settings: BillingSettings) => logBillingChange(context, 'billing.changed', { settings }),
  };
}

/** Logs which key and request changed billing. `restore-complete` replays `billing.changed`. */
function logBillingChange(
  { logger, actor, requestId, store }: RunContext,
  event: 'billing.changed' | 'billing_run.confirmed',
  fields: object,
): void {
  const keyId = actor.kind === 'store' ? actor.keyId : undefined;
  logger.info(event, { shopId: store.shopId, keyId, requestId, ...fields });
}

/** Returns the settings to change. Fields that are omitted or null stay unchanged. */
function toSettingsInput(value: unknown): SettingsInput {
  const givenFields = Object.entries(value as BillingArguments).filter(([, field]) => field !== null);
  return Object.fromEntries(givenFields);
}

type RequestedChange = {
  readonly input: SettingsInput;
  readonly obstacles: readonly BillingObstacle[];
};

async function toSettingsOutcome(
  context: RunContext,
  outcome: SettingsOutcome,
  change?: RequestedChange,
): Promise<OperationOutcome> {
  switch (outcome.refusal) {
    case undefined: {
      const obstacles = change?.obstacles ?? (await readObstacles(context, { checksAccess: false }));
      return createChangedOutcome({ settings: await toSettingsValue(context, outcome.settings, obstacles) });
    }
    case 'INPUT':
      return createRefusedOutcome(outcome.faults.map((fault) => toUserError(fault, change?.input)));
    case 'STOPPED_BY_OPERATOR':
      return createRefusedOutcome([
        createUserError('STOPPED_BY_OPERATOR', { field: null, message: message('billingStoppedByOperator') }),
      ]);
    case 'CONCURRENT_UPDATE':
      return createRefusedOutcome([createConcurrentUpdateError()]);
  }
}

function toUserError(
  { reason, path }: SettingsFault,
  { startsOn: startDate = '' }: SettingsInput = {},
): OperationError {
  const errorFields = {
    field: ['settings', ...path],
    message: message(MESSAGE_KEY_BY_SETTINGS_FAULT[reason]),
  };
  switch (reason) {
    case 'DATE_UNKNOWN':
    case 'HOUR_INVALID':
      return createUserError('INVALID', errorFields);
    case 'DATE_IN_PAST':
    case 'DATE_TOO_FAR':
      return createUserError(reason, errorFields, { date: startDate });
    default:
      return createUserError(reason, errorFields);
  }
}

const RUN_ERRORS = {
  RUN_NOT_FOUND: () =>
    createUserError('RUN_NOT_FOUND', { field: ['id'], message: message('billingRunUnknown') }),
  RUN_NOT_ON_HOLD: () =>
    createUserError('RUN_NOT_ON_HOLD', { field: ['id'], message: message('billingRunNotOnHold') }),
  CONCURRENT_UPDATE: createConcurrentUpdateError,
};

function createConcurrentUpdateError(): OperationError {
  return createUserError('CONCURRENT_UPDATE', { field: null, message: message('billingChangedMeanwhile') });
}
