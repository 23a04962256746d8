import * as z from 'zod';
import type { CustomerId } from '../../lib/domain/customer-id.ts';
import type { SessionId } from '../../lib/domain/session-id.ts';
import {
  previewRevocation,
  revokeCustomerSessions,
} from '../../lib/sign-in/sessions/list-customer-sessions.ts';
import {
  RevocationStopped,
  revokeStoreSessions,
  type StoreSessionsReport,
} from '../../lib/sign-in/sessions/revoke-store-sessions.ts';
import type { StoreRecord } from '../../lib/storage/stores.ts';
import type { ItemKey } from '../../lib/storage/table.ts';
import { errorTextOfFinding } from '../../lib/stores/checks/error-text-of-finding.ts';
import { type CommandDefinition, type CommandRun, findTextOption, requireArgument } from '../command.ts';
import { requireStore } from '../find-store.ts';
import { OperatorError } from '../operator-error.ts';
import { type CommandOutcome, createDryRunOutcome, formatCountWithUnit } from '../outcome.ts';
import { parseCustomerArgument } from './session-list.ts';

export const sessionRevokeCommand: CommandDefinition = {
  group: 'session',
  usage: 'revoke <store> [customerId] [sessionId]',
  summary:
    'Revoke one sign-in of a customer, all of them, or all of a store. The app then asks the customer to sign in again.',
  options: {
    '--all': 'all sign-ins of the customer',
    '--store': 'all sign-ins of the store',
    '--most <count>': 'with --store: stop after this number, and print the position (default: 100000)',
    '--from <position>': 'with --store: continue from the position of an earlier run',
  },
  examples: [
    'session revoke harbor-coffee.myshopify.com 7001001 --all --env dev',
    'session revoke harbor-coffee.myshopify.com 7001001 Jq0…Xw --env prod',
    'session revoke harbor-coffee.myshopify.com --store --env prod --dry-run',
  ],
  run: revokeSessions,
};

async function revokeSessions(run: CommandRun): Promise<CommandOutcome> {
  const { args, options } = run;
  const sessionId = args[2];
  if (options.store === true) {
    if (args.length > 1 || options.all === true)
      throw new OperatorError('--store is for all customers. Remove the customer and --all.', 2);
    return revokeSessionsOfStore(run);
  }
  if (options.most !== undefined || options.from !== undefined)
    throw new OperatorError('--most and --from need --store.', 2);
  if (args[1] === undefined) throw new OperatorError('Name a customer, or add --store.', 2);
  if ((sessionId === undefined) === (options.all !== true))
    throw new OperatorError('Name a session, or add --all.', 2);
  const store = await requireStore(run.operator, requireArgument(run, 0));
  return revokeSessionsOfCustomer(run, store, sessionId === undefined ? 'all' : (sessionId as SessionId));
}

async function revokeSessionsOfCustomer(
  run: CommandRun,
  store: StoreRecord,
  sessionIdOrAll: SessionId | 'all',
): Promise<CommandOutcome> {
  const customerId = parseCustomerArgument(run);
  const customer = { store, customerId };
  await run.confirm(
    `Customer ${customerId} will be signed out${sessionIdOrAll === 'all' ? ' everywhere' : ''}. Continue?`,
  );
  if (run.isDryRun)
    return describeDryRun(
      customerId,
      sessionIdOrAll,
      await previewRevocation(run.operator, customer, sessionIdOrAll),
    );
  const revokedSessions = await revokeCustomerSessions(run.operator, customer, sessionIdOrAll);
  return {
    json: { ended: revokedSessions },
    lines: [
      revokedSessions.length === 0 ? 'No sign-in was active.' : `Revoked: ${revokedSessions.join(', ')}`,
    ],
  };
}

function describeDryRun(
  customerId: CustomerId,
  sessionIdOrAll: SessionId | 'all',
  ids: readonly SessionId[],
): CommandOutcome {
  const idsText = ids.length === 0 ? '' : `: ${ids.join(', ')}`;
  const inProgressText = sessionIdOrAll === 'all' ? ' Sign-ins in progress would be revoked, too.' : '';
  const message = `Would revoke ${formatCountWithUnit(ids.length, 'sign-in')} of ${customerId}${idsText}.${inProgressText}`;
  return createDryRunOutcome(message, { ended: [], wouldEnd: ids });
}

const MAX_SESSIONS_PER_RUN = 100_000;

async function revokeSessionsOfStore(run: CommandRun): Promise<CommandOutcome> {
  const { operator, options, isDryRun } = run;
  const maxSessionCount = Number(findTextOption(options, 'most') ?? MAX_SESSIONS_PER_RUN);
  if (!Number.isSafeInteger(maxSessionCount) || maxSessionCount < 1)
    throw new OperatorError('--most must be a whole number from 1.', 2);
  const scanPosition = parseScanPosition(findTextOption(options, 'from'));
  const store = await requireStore(operator, requireArgument(run, 0));
  await run.confirm(`Every customer of ${store.domain} (${store.displayName}) will be signed out. Continue?`);
  try {
    return toRevocationOutcome(
      run,
      await revokeStoreSessions(operator, {
        store,
        startKey: scanPosition,
        stopAfterCount: maxSessionCount,
        isDryRun,
      }),
    );
  } catch (error) {
    if (!(error instanceof RevocationStopped)) throw error;
    const { lines, json } = toRevocationOutcome(run, error.report);
    const problem = errorTextOfFinding(error.cause);
    return { json: { ...(json as object), problem }, lines: [`Stopped: ${problem}`, ...lines], isBad: true };
  }
}

function toRevocationOutcome(
  { isDryRun }: CommandRun,
  { revokedCount, revokedBeforeCount, nextStartKey }: StoreSessionsReport,
): CommandOutcome {
  const position =
    nextStartKey && Buffer.from(JSON.stringify([nextStartKey.pk, nextStartKey.sk])).toString('base64url');
  const countsText = `${isDryRun ? 'Would revoke' : 'Revoked'}: ${revokedCount} sign-ins. Revoked before: ${revokedBeforeCount}.`;
  const remainderText =
    position === undefined ? 'No sign-ins are left.' : `There may be more: repeat with --from ${position}`;
  const endedCounts = isDryRun ? { ended: 0, wouldEnd: revokedCount } : { ended: revokedCount };
  return {
    json: { dryRun: isDryRun, ...endedCounts, before: revokedBeforeCount, next: position ?? null },
    lines: [countsText, remainderText],
  };
}

const scanPositionSchema = z.tuple([z.string().min(1).max(1024), z.string().min(1).max(1024)]);

function parseScanPosition(text: string | undefined): ItemKey | undefined {
  if (text === undefined) return undefined;
  try {
    const [pk, sk] = scanPositionSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    return { pk, sk };
  } catch {
    throw new OperatorError('--from must be a position that an earlier run has printed.', 2);
  }
}
