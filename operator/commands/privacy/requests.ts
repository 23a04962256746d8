/** Commands for privacy requests, which have a legal deadline of 30 days: list, record, export and close them. */
import { writeFileSync } from 'node:fs';
import { parseShopId } from '../../../lib/domain/shop-id.ts';
import { openDataRequest } from '../../../lib/privacy/data-requests.ts';
import { exportCustomer } from '../../../lib/privacy/export-customer.ts';
import { readContractNumbersOfCustomer } from '../../../lib/privacy/read-contract-numbers-of-customer.ts';
import type { DataRequestRecord } from '../../../lib/storage/privacy/compliance-requests.ts';
import { listStores } from '../../../lib/stores/list-stores.ts';
import { type CommandDefinition, type CommandRun, findTextOption, requireArgument } from '../../command.ts';
import { requireStore } from '../../find-store.ts';
import { OperatorError } from '../../operator-error.ts';
import type { CommandOutcome } from '../../outcome.ts';
import { formatShortTime, formatTable, formatTime, formatTimeLeft } from '../../show-table.ts';
import { parseCustomerArgument } from '../session-list.ts';
import { formatErasureName } from './customer-erase.ts';

export const complianceRequestsListCommand: CommandDefinition = {
  group: 'requests',
  usage: 'list [store]',
  summary:
    'List open requests for data and for the erasure of a store, with the days left; and the erasures of the last 35 days.',
  examples: ['requests list --env prod', 'requests list harbor-coffee.myshopify.com --env dev'],
  isReadOnly: true,
  run: listOpenRequests,
};

export const dataRequestOpenCommand: CommandDefinition = {
  group: 'requests',
  usage: 'open <store> <customerId>',
  summary: "Record a customer's request for data that the platform does not report.",
  examples: ['requests open harbor-coffee.myshopify.com 7001001 --env prod'],
  run: recordDataRequest,
};

export const dataRequestExportCommand: CommandDefinition = {
  group: 'requests',
  usage: 'export <id>',
  summary: 'Export all stored data about the customer of a request, as JSON for the owner of the store.',
  options: { '--output <file>': 'write it to this file, readable only by you, instead of printing it' },
  examples: ['requests export 81234567001-7 --output ada.json --env prod'],
  isReadOnly: true,
  run: exportRequestedData,
};

export const dataRequestDoneCommand: CommandDefinition = {
  group: 'requests',
  usage: 'done <id>',
  summary: 'Close a request that was answered.',
  examples: ['requests done 81234567001-7 --env prod'],
  run: closeDataRequest,
};

const REQUEST_ID_BYTES = 5;

async function listOpenRequests({ operator, args, terminal }: CommandRun): Promise<CommandOutcome> {
  const stores =
    args[0] === undefined ? await listStores(operator.scan) : [await requireStore(operator, args[0])];
  const allRequests = [];
  for (const { shopId } of stores) allRequests.push(...(await operator.complianceRequests.listOf(shopId)));
  const requestRows = allRequests.map((complianceRequest) =>
    complianceRequest.kind === 'erasure'
      ? {
          id: undefined,
          what: formatErasureName(complianceRequest),
          'since (utc)': formatShortTime(complianceRequest.erasedAtMs),
          state:
            complianceRequest.sweptAtMs === undefined
              ? 'the table has not been searched yet'
              : `searched ${formatTime(complianceRequest.sweptAtMs)}`,
        }
      : {
          id: formatRequestId(complianceRequest),
          what:
            complianceRequest.customerId === undefined
              ? complianceRequest.kind
              : `${complianceRequest.kind} of ${complianceRequest.customerId}`,
          'since (utc)': formatShortTime(complianceRequest.receivedAtMs),
          state: formatTimeLeft(complianceRequest.dueAtMs - operator.now()),
        },
  );
  const json = allRequests.map((complianceRequest) =>
    complianceRequest.kind === 'erasure' ? complianceRequest : toRequestView(complianceRequest),
  );
  return {
    json,
    lines:
      requestRows.length === 0
        ? ['There are no requests and no erasures.']
        : formatTable(requestRows, terminal.columns),
  };
}

async function recordDataRequest(run: CommandRun): Promise<CommandOutcome> {
  const { operator } = run;
  const { shopId, domain } = await requireStore(operator, requireArgument(run, 0));
  const customerId = parseCustomerArgument(run);
  return run.change(
    `Would record a request for the data of customer ${customerId} of ${domain}.`,
    async () => {
      // The id does not contain the customer's number, because an erasure could not remove it from the item's key.
      const id = Buffer.from(operator.random(REQUEST_ID_BYTES)).toString('hex');
      const newRequest = { kind: 'data request', shopId, customerId, id, askedBy: 'operator' } as const;
      const request = await openDataRequest(operator, newRequest);
      operator.trace.recordChange('data_request_opened', { shopId, requestId: id });
      return {
        json: toRequestView(request),
        lines: [`Recorded as ${formatRequestId(request)}. Answer it within 30 days.`],
      };
    },
  );
}

async function exportRequestedData(run: CommandRun): Promise<CommandOutcome> {
  const { operator, options } = run;
  const { shopId, customerId } = await requireDataRequest(run);
  if (customerId === undefined)
    throw new OperatorError(
      'No data is stored: the customer has been erased, or the request is about the store.',
      1,
      'NOT_FOUND',
    );
  const customerOfStore = { shopId, customerId };
  const store = await operator.stores.find(shopId);
  const contracts =
    store === undefined
      ? []
      : await readContractNumbersOfCustomer({ ...operator, ...operator.target }, store, customerOfStore);
  const json = await exportCustomer(operator.scan, customerOfStore, contracts);
  const file = findTextOption(options, 'output');
  if (file === undefined) return { json, lines: JSON.stringify(json, null, 2).split('\n') };
  try {
    writeFileSync(file, `${JSON.stringify(json, null, 2)}\n`, { mode: 0o600 });
  } catch (error) {
    throw new OperatorError(
      `--output ${file} cannot be written: ${(error as NodeJS.ErrnoException).code}.`,
      2,
    );
  }
  return {
    json: { file },
    lines: [`The data is in ${file}. Give it to the owner of the store, then run requests done.`],
  };
}

async function closeDataRequest(run: CommandRun): Promise<CommandOutcome> {
  const { operator } = run;
  const request = await requireDataRequest(run);
  return run.change(`Would close ${formatRequestId(request)}.`, async () => {
    await operator.complianceRequests.closeDataRequest(request, operator.now());
    operator.trace.recordChange('data_request_done', { shopId: request.shopId, requestId: request.id });
    return { json: { closed: formatRequestId(request) }, lines: [`${formatRequestId(request)} is closed.`] };
  });
}

/** Returns the request with the id that the commands accept. */
function toRequestView(request: DataRequestRecord) {
  return { ...request, id: formatRequestId(request) };
}

function formatRequestId({ shopId, id }: DataRequestRecord): string {
  return `${shopId}-${id}`;
}

async function requireDataRequest(run: CommandRun): Promise<DataRequestRecord> {
  const requestIdText = requireArgument(run, 0);
  const [, shop = '', id = ''] = /^(\d+)-(.+)$/.exec(requestIdText) ?? [];
  const shopId = parseShopId(Number(shop));
  if (shopId === undefined)
    throw new OperatorError(`${requestIdText} is not a request id. See requests list.`, 2);
  const request = await run.operator.complianceRequests.findDataRequest(shopId, id);
  if (request) return request;
  throw new OperatorError(`Open request ${requestIdText} was not found. See requests list.`, 1, 'NOT_FOUND');
}
