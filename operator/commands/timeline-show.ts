import { DEFAULT_LANGUAGE } from '../../lib/messages/languages.ts';
import { createTranslator, type Translate } from '../../lib/messages/translator.ts';
import { timeZoneOf } from '../../lib/storage/stores.ts';
import type { ContractNumber } from '../../lib/timeline/event-record.ts';
import {
  adminKeyOfActor,
  contractNumberOfGid,
  type EventActor,
  type EventRecord,
} from '../../lib/timeline/event-record.ts';
import { presentEvent } from '../../lib/timeline/present/present-event.ts';
import { readEvents, STORE_TIMELINE } from '../../lib/timeline/read-events.ts';
import { type CommandDefinition, type CommandRun, findTextOption, requireArgument } from '../command.ts';
import { requireStore } from '../find-store.ts';
import { OperatorError } from '../operator-error.ts';
import type { CommandOutcome } from '../outcome.ts';
import { formatShortTime, formatTable } from '../show-table.ts';
import type { OperatorTarget } from '../target.ts';

export const timelineShowCommand: CommandDefinition = {
  group: 'timeline',
  usage: 'show <store> <contract>',
  summary:
    'List who changed a contract, what and when, newest last. "store" lists the changes of the whole store.',
  options: {
    '--last <count>': 'how many entries, 1 to 250 (default: 50)',
    '--query <terms>': 'for example "action:subscription_paused created_at:>=2026-11-01"',
  },
  examples: [
    'timeline show harbor-coffee.myshopify.com 9101001 --env dev',
    'timeline show harbor-coffee.myshopify.com 9101001 --query action:subscription_paused --json --env prod',
  ],
  isReadOnly: true,
  run: showTimeline,
};

async function showTimeline(run: CommandRun): Promise<CommandOutcome> {
  const store = await requireStore(run.operator, requireArgument(run, 0));
  const args = { last: parseEntryCount(run), query: findTextOption(run.options, 'query') ?? null };
  const request = { shopId: store.shopId, contracts: [parseContractArgument(run)], args };
  const [eventPage] = await readEvents(run.operator, request);
  const eventRecords = (eventPage?.edges ?? []).map(({ record }) => record);
  const noEventsLines = ['Nothing was changed through this service.'];
  const rows = eventRecords.map(toEntryRow);
  const translate = await createTranslator(DEFAULT_LANGUAGE, timeZoneOf(store));
  return {
    json: eventRecords.map((record) => toEntryJson(run.operator.target, translate, record)),
    lines: rows.length === 0 ? noEventsLines : formatTable(rows, run.terminal.columns),
  };
}

/** Returns an entry as a table row, with the columns of variable length last. */
export function toEntryRow({ createdAtMs, actor, action, outcome, changes, requestId }: EventRecord) {
  const changeLines = changes.map(({ field, before, after }) =>
    before === null && after === null ? field : `${field}: ${before ?? '–'} → ${after ?? '–'}`,
  );
  return {
    'time (utc)': formatShortTime(createdAtMs),
    who: describeActor(actor),
    action,
    outcome,
    request: requestId,
    changes: changeLines.join(', '),
  };
}

function describeActor(actor: EventActor): string {
  if (actor.kind === 'SERVICE') return 'service';
  if (actor.kind === 'UNKNOWN') return 'elsewhere';
  const { label, keyId } = actor;
  const key = keyId === undefined ? `key ${label}` : `${keyId} (${label})`;
  if (actor.kind === 'MERCHANT') return key;
  const agent = label === undefined ? '' : ` by ${key}`;
  const customer = actor.customerId === undefined ? 'an erased customer' : `customer ${actor.customerId}`;
  return `${customer}${agent}`;
}

/** Returns an entry with all its stored fields. */
export function toEntryJson(
  { gidNamespace }: Pick<OperatorTarget, 'gidNamespace'>,
  translate: Translate,
  record: EventRecord,
) {
  const eventReader = { kind: 'merchant', gidNamespace, translate, isOpenToCustomers: () => true } as const;
  const eventView = presentEvent(record, eventReader);
  const keyId = adminKeyOfActor(record.actor).keyId ?? null;
  return {
    ...eventView,
    actor: { ...eventView.actor, keyId },
    details: record.details,
    requestId: record.requestId,
  };
}

function parseContractArgument(run: CommandRun): ContractNumber | typeof STORE_TIMELINE {
  const contractText = requireArgument(run, 1);
  if (contractText === 'store') return STORE_TIMELINE;
  const contract = contractNumberOfGid(
    /^\d+$/.test(contractText) ? `gid://platform/SubscriptionContract/${contractText}` : contractText,
  );
  if (contract !== undefined) return contract;
  const message = 'give its number, gid://platform/SubscriptionContract/<number>, or "store"';
  throw new OperatorError(`${contractText} is not a contract: ${message}.`, 2);
}

function parseEntryCount(run: CommandRun): number {
  const entryCount = Number(findTextOption(run.options, 'last') ?? 50);
  if (Number.isInteger(entryCount) && entryCount >= 1 && entryCount <= 250) return entryCount;
  throw new OperatorError('--last must be a number from 1 to 250.', 2);
}
