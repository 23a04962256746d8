/**
 * Commands for a store's endpoints. They do what the store's own key does over GraphQL, for stores without such a key.
 */
import { composeWebhookContext } from '../../../functions/compose/compose-webhook-context.ts';
import { createWorkQueue } from '../../../lib/storage/work-queue/work-queue.ts';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../../../lib/timeline/event-type.ts';
import { isAcceptedResponse } from '../../../lib/webhooks/deliver/attempt-event.ts';
import { type EndpointRecord, listEndpoints } from '../../../lib/webhooks/endpoints.ts';
import type { AddressRefusal } from '../../../lib/webhooks/guard-address.ts';
import {
  createEndpoint,
  deleteEndpoint,
  type EndpointRef,
  type EndpointRefusal,
  type ManageEndpointsDeps,
  requestReplay,
  requestResend,
  rotateEndpointSecret,
  updateEndpoint,
} from '../../../lib/webhooks/manage/change-endpoints.ts';
import { readEndpointView } from '../../../lib/webhooks/manage/read-endpoint-view.ts';
import { type TestEndpointDeps, testEndpoint } from '../../../lib/webhooks/manage/test-endpoint.ts';
import { type CommandDefinition, type CommandRun, findTextOption, requireArgument } from '../../command.ts';
import { requireStore } from '../../find-store.ts';
import { OperatorError } from '../../operator-error.ts';
import type { CommandOutcome } from '../../outcome.ts';
import { parseDayOrInstant } from '../../parse-instant.ts';
import { formatShortTime, formatTable } from '../../show-table.ts';
import {
  EXAMPLE_ENDPOINT_ARGUMENTS,
  EXAMPLE_STORE_DOMAIN,
  parseEndpointRef,
  UNKNOWN_ENDPOINT_MESSAGE,
} from './parse-endpoint-ref.ts';
import { webhookShowCommand } from './webhook-show.ts';

const ENDPOINT_OPTIONS = {
  '--types <types>': 'the event types that it gets, for example order.charged,order.declined (default: all)',
  '--description <text>': 'purpose of the endpoint',
};

export const webhookCommands: readonly CommandDefinition[] = [
  {
    group: 'webhook',
    usage: 'create <store> <url>',
    summary: "Create an endpoint for a store's server, and print its secret. The secret is shown only once.",
    options: ENDPOINT_OPTIONS,
    examples: [`webhook create ${EXAMPLE_STORE_DOMAIN} https://hooks.example.com/subscriptions --env prod`],
    run: runEndpointCreate,
  },
  {
    group: 'webhook',
    usage: 'list <store>',
    summary: "List a store's endpoints, with their status and the number of waiting events.",
    examples: [`webhook list ${EXAMPLE_STORE_DOMAIN} --env prod`],
    isReadOnly: true,
    run: runEndpointList,
  },
  webhookShowCommand,
  {
    group: 'webhook',
    usage: 'update <store> <id>',
    summary: 'Change an endpoint. An endpoint that was disabled after failures is tried again.',
    options: { ...ENDPOINT_OPTIONS, '--url <url>': 'where events are sent', '--enabled <yes>': 'yes or no' },
    examples: [`webhook update ${EXAMPLE_ENDPOINT_ARGUMENTS} --enabled yes --env prod`],
    run: runEndpointUpdate,
  },
  {
    group: 'webhook',
    usage: 'delete <store> <id>',
    summary: 'Delete an endpoint. Its waiting events are not sent.',
    examples: [`webhook delete ${EXAMPLE_ENDPOINT_ARGUMENTS} --env prod`],
    async run(run) {
      await run.confirm(`Endpoint ${requireArgument(run, 1)} will be deleted. Continue?`);
      return runEndpointChange(run, 'delete', deleteEndpoint);
    },
  },
  {
    group: 'webhook',
    usage: 'rotate-secret <store> <id>',
    summary: 'Create a new secret, which is shown only once. The old secret stays valid for 24 hours.',
    examples: [`webhook rotate-secret ${EXAMPLE_ENDPOINT_ARGUMENTS} --env prod`],
    run: (run) => runEndpointChange(run, 'create a new secret for', rotateEndpointSecret),
  },
  {
    group: 'webhook',
    usage: 'test <store> <id>',
    summary: 'Send a test to an endpoint, and print its response.',
    examples: [`webhook test ${EXAMPLE_ENDPOINT_ARGUMENTS} --env prod`],
    run: runEndpointTest,
  },
  {
    group: 'webhook',
    usage: 'replay <store> <id>',
    summary: 'Send the events since a time to an endpoint again. The time is at most 30 days ago.',
    options: { '--since <time>': 'a day or an instant in UTC, for example 2026-07-01T09:30:00Z' },
    examples: [`webhook replay ${EXAMPLE_ENDPOINT_ARGUMENTS} --since 2026-07-01 --env prod`],
    run: (run) =>
      runEndpointChange(run, 'replay', (deps, ref) => requestReplay(deps, ref, parseReplayStart(run))),
  },
  {
    group: 'webhook',
    usage: 'resend <store> <id> <number>',
    summary: "Send one event again. Its number is the end of the delivery's id.",
    examples: [`webhook resend ${EXAMPLE_ENDPOINT_ARGUMENTS} 1795371000000 --env prod`],
    run: runEventResend,
  },
];

type WebhookCommandDeps = ManageEndpointsDeps & TestEndpointDeps;
type CompletedEndpointChange = { readonly endpoint: EndpointRecord; readonly refused?: undefined };

async function runEndpointCreate(run: CommandRun): Promise<CommandOutcome> {
  const { shopId, domain } = await requireStore(run.operator, requireArgument(run, 0));
  const url = requireArgument(run, 1);
  return run.change(`Would create an endpoint of ${domain} at ${url}.`, async () => {
    const creationResult = await createEndpoint(createEndpointDeps(run), shopId, {
      ...parseEndpointInput(run),
      url,
    });
    if (creationResult.refused !== undefined) throw createChangeError(creationResult);
    return toChangeOutcome(creationResult);
  });
}

async function runEndpointUpdate(run: CommandRun): Promise<CommandOutcome> {
  const endpointInput = parseEndpointInput(run);
  if (Object.values(endpointInput).every((value) => value === undefined))
    throw new OperatorError('There is nothing to change: see webhook update --help.', 2);
  return runEndpointChange(run, 'change', (deps, ref) => updateEndpoint(deps, ref, endpointInput));
}

async function runEndpointList({ operator, args, terminal }: CommandRun): Promise<CommandOutcome> {
  const { shopId } = await requireStore(operator, args[0] ?? '');
  const endpointViews = [];
  for (const endpoint of await listEndpoints(operator.table, shopId)) {
    endpointViews.push(await readEndpointView(operator, endpoint));
  }
  const endpointRows = endpointViews.map(({ id, url, status, types, waitingCount, lastDeliveredAtMs }) => ({
    ...{ id, status, waiting: String(waitingCount), 'last delivered': formatShortTime(lastDeliveredAtMs) },
    ...{ types: types?.join(' ') ?? 'all', url },
  }));
  return {
    json: endpointViews,
    lines:
      endpointRows.length === 0
        ? ['The store has no endpoint.']
        : formatTable(endpointRows, terminal.columns),
  };
}

async function runEndpointTest(run: CommandRun): Promise<CommandOutcome> {
  const ref = await parseEndpointRef(run);
  return run.change(`Would send a test to endpoint ${ref.id}.`, async () => {
    const testResult = await testEndpoint(createEndpointDeps(run), ref);
    if (testResult.refused === 'TOO_SOON')
      throw new OperatorError('An endpoint of the store was tested a moment ago. Wait ten seconds.');
    if (testResult.refused !== undefined) throw createChangeError(testResult);
    const { response } = testResult;
    const message =
      'status' in response
        ? `The endpoint answered ${response.status}.`
        : `The endpoint did not respond: ${response.failed}.`;
    return { json: response, lines: [message], isBad: !isAcceptedResponse(response) };
  });
}

async function runEndpointChange(
  run: CommandRun,
  action: string,
  changeEndpoint: (
    deps: WebhookCommandDeps,
    ref: EndpointRef,
  ) => Promise<CompletedEndpointChange | EndpointRefusal>,
): Promise<CommandOutcome> {
  const ref = await parseEndpointRef(run);
  return run.change(`Would ${action} endpoint ${ref.id}.`, async () => {
    const changeResult = await changeEndpoint(createEndpointDeps(run), ref);
    if (changeResult.refused !== undefined) throw createChangeError(changeResult);
    return toChangeOutcome(changeResult);
  });
}

async function runEventResend(run: CommandRun): Promise<CommandOutcome> {
  const resendOutcome = await runEndpointChange(run, 'resend an event to', (deps, ref) =>
    requestResend(deps, { ...ref, number: parseEventNumber(run) }),
  );
  if (run.isDryRun) return resendOutcome;
  return {
    ...resendOutcome,
    lines: ['Requested. The event is sent within about a minute. See webhook show for the result.'],
  };
}

const REPLAY_NOTE = 'They are sent within about a minute; those of a disabled endpoint once it is enabled.';

/** The outcome has no sealed secret, only a newly created one. */
function toChangeOutcome(
  completedChange: CompletedEndpointChange & { readonly secret?: string; readonly eventCount?: number },
): CommandOutcome {
  const { endpoint, secret, eventCount } = completedChange;
  const { id, url, types, description, status } = endpoint;
  const additionalFacts = {
    ...(secret !== undefined && { secret }),
    ...(eventCount !== undefined && { eventCount }),
  };
  return {
    json: { id, url, types, description, status, ...additionalFacts },
    lines: [
      `Endpoint ${id}, ${status}, ${url}: done.`,
      ...(secret === undefined ? [] : [`Its secret, shown only once: ${secret}`]),
      ...(eventCount === undefined
        ? []
        : [`The replay has ${eventCount} events${eventCount > 1000 ? ' at most' : ''}. ${REPLAY_NOTE}`]),
    ],
  };
}

function createEndpointDeps({ operator }: CommandRun): WebhookCommandDeps {
  const { secretsPrefix, target, table, now, secrets, logger } = operator;
  const webhookContext = composeWebhookContext(
    { secretsPrefix, platformOrigin: target.platformOrigin },
    { secrets, now, logger },
  );
  const { enqueue } = createWorkQueue({ table, now, newId: webhookContext.newId });
  const countReplayRequest = async () => undefined;
  return {
    ...webhookContext,
    table,
    now,
    countReplayRequest,
    enqueue: (shopId) => enqueue('webhook-deliveries', shopId),
  };
}

/** The same limit as for a store's own key. */
const MAX_DESCRIPTION_CHARACTERS = 255;

function parseEndpointInput({ options }: CommandRun) {
  const enabledText = findTextOption(options, 'enabled');
  if (enabledText !== undefined && !/^(yes|no)$/.test(enabledText))
    throw new OperatorError('--enabled must be yes or no.', 2);
  const description = findTextOption(options, 'description');
  if (description !== undefined && description.length > MAX_DESCRIPTION_CHARACTERS)
    throw new OperatorError(`--description must have at most ${MAX_DESCRIPTION_CHARACTERS} characters.`, 2);
  return {
    types: parseEventTypes(findTextOption(options, 'types')),
    description,
    url: findTextOption(options, 'url'),
    isEnabled: enabledText === undefined ? undefined : enabledText === 'yes',
  };
}

function parseEventTypes(text: string | undefined): WebhookEventType[] | undefined {
  return text?.split(',').map((name) => {
    const type = WEBHOOK_EVENT_TYPES.find((one) => one === name.trim());
    if (type === undefined) throw new OperatorError(`${name} is not an event type. See docs/webhooks.md.`, 2);
    return type;
  });
}

function parseReplayStart({ options }: CommandRun): number {
  const sinceMs = parseDayOrInstant(findTextOption(options, 'since') ?? '');
  if (sinceMs === undefined)
    throw new OperatorError('--since must be a day or an instant, such as 2026-07-01.', 2);
  return sinceMs;
}

function parseEventNumber(run: CommandRun): number {
  const text = requireArgument(run, 2);
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new OperatorError(`${text} is not an event number.`, 2);
  return Number(text);
}

const CHANGE_ERROR_TEXTS: Readonly<Record<Exclude<EndpointRefusal['refused'], 'ADDRESS'>, string>> = {
  UNKNOWN: UNKNOWN_ENDPOINT_MESSAGE,
  TOO_MANY: 'The store already has five endpoints. Delete one first.',
  NO_TYPES: 'Name at least one type, or omit --types.',
  CHANGED_CONCURRENTLY: 'Someone else changed the endpoint at the same time. Try again.',
  SINCE: 'Choose a time within the last 30 days.',
  UNKNOWN_DELIVERY: 'The event was not found in the last 30 days.',
  TOO_MANY_REPLAYS: 'Too many replays were requested within an hour. Try again later.',
  TOO_MANY_RESENDS: 'Too many events were resent one by one today. Use webhook replay.',
};

const NOT_FOUND_ERRORS: readonly EndpointRefusal['refused'][] = ['UNKNOWN', 'UNKNOWN_DELIVERY'];
const INVALID_INPUT_ERRORS: readonly EndpointRefusal['refused'][] = ['NO_TYPES', 'SINCE'];

const ADDRESS_PROBLEM_TEXTS: Readonly<Record<AddressRefusal, string>> = {
  NOT_A_URL: 'it is not a full URL, such as https://hooks.example.com/subscriptions',
  TOO_LONG: 'it is longer than 2048 characters',
  NOT_HTTPS: 'it must start with https://',
  USER_IN_URL: 'remove the user name and the password',
  OTHER_PORT: 'remove the port, which is always 443',
  NOT_PUBLIC: 'it is not public, or its host name has an address that is not',
  UNRESOLVED: 'its host name has no address. Create its DNS record first',
};

function createChangeError(refusal: EndpointRefusal): OperatorError {
  if (refusal.refused === 'ADDRESS')
    return new OperatorError(
      `Events are not sent to that address: ${ADDRESS_PROBLEM_TEXTS[refusal.addressRefusal]}.`,
      refusal.addressRefusal === 'UNRESOLVED' ? 1 : 2,
    );
  const message = CHANGE_ERROR_TEXTS[refusal.refused];
  if (NOT_FOUND_ERRORS.includes(refusal.refused)) return new OperatorError(message, 1, 'NOT_FOUND');
  return new OperatorError(message, INVALID_INPUT_ERRORS.includes(refusal.refused) ? 2 : 1);
}
