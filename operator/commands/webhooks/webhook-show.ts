/** Shows one endpoint with its delivery state, without its secrets. */
import { listEndpoints } from '../../../lib/webhooks/endpoints.ts';
import {
  type InspectedEndpoint,
  inspectEndpoint,
  type WaitingEvents,
} from '../../../lib/webhooks/manage/read-endpoint-view.ts';
import type { CommandDefinition, CommandRun } from '../../command.ts';
import { OperatorError } from '../../operator-error.ts';
import type { CommandOutcome } from '../../outcome.ts';
import { formatFacts, formatShortTime, formatTable, formatTime, type TableRow } from '../../show-table.ts';
import {
  EXAMPLE_ENDPOINT_ARGUMENTS,
  parseEndpointRef,
  UNKNOWN_ENDPOINT_MESSAGE,
} from './parse-endpoint-ref.ts';

export const webhookShowCommand: CommandDefinition = {
  group: 'webhook',
  usage: 'show <store> <id>',
  summary:
    'Show an endpoint: its settings, its last event, waiting and parked events, and its last responses.',
  examples: [`webhook show ${EXAMPLE_ENDPOINT_ARGUMENTS} --env prod`],
  isReadOnly: true,
  run: showEndpoint,
};

/** The maximum number of contracts with waiting events that a terminal shows. --json has no maximum. */
const MAX_TERMINAL_LINES = 20;

async function showEndpoint(run: CommandRun): Promise<CommandOutcome> {
  const { operator, terminal } = run;
  const { shopId, id } = await parseEndpointRef(run);
  const endpoint = (await listEndpoints(operator.table, shopId)).find((one) => one.id === id);
  if (endpoint === undefined) throw new OperatorError(UNKNOWN_ENDPOINT_MESSAGE, 1, 'NOT_FOUND');
  const endpointState = await inspectEndpoint(operator, endpoint);
  const { held: waitingEvents } = endpointState;
  const hiddenCount = waitingEvents.length - MAX_TERMINAL_LINES;
  return {
    json: endpointState,
    lines: [
      ...formatFacts(toEndpointFacts(endpointState)),
      ...(waitingEvents.length === 0
        ? []
        : [
            '',
            ...formatTable(waitingEvents.slice(0, MAX_TERMINAL_LINES).map(toDeliveryRow), terminal.columns),
          ]),
      ...(hiddenCount > 0 ? [`and ${hiddenCount} more contracts. Add --json to list them.`] : []),
    ],
  };
}

function toEndpointFacts({
  held: waitingEvents,
  secrets,
  types,
  disabled,
  ...endpoint
}: InspectedEndpoint): TableRow {
  const parkedEvents = waitingEvents.filter(({ state }) => state !== 'RETRYING');
  const countOf = (eventGroups: readonly WaitingEvents[]) =>
    eventGroups.reduce((sum, { count }) => sum + count, 0);
  const disabledReason = disabled?.reason === 'GONE' ? 'it answered 410' : 'it accepted nothing for 24 hours';
  const { description, ...facts } = endpoint;
  return {
    ...facts,
    description: description ?? undefined,
    types: types?.join(' ') ?? 'all',
    disabled: disabled && `${formatTime(disabled.atMs)}: ${disabledReason}`,
    secrets: secrets.map(toSecretText).join('; '),
    parked: `${countOf(parkedEvents)} of ${parkedEvents.length} contracts`,
  };
}

function toSecretText({ createdAtMs, notAfterMs }: InspectedEndpoint['secrets'][number]): string {
  const expiryText = notAfterMs === undefined ? '' : `, signs until ${formatTime(notAfterMs)}`;
  return `created ${formatTime(createdAtMs)}${expiryText}`;
}

function toDeliveryRow({
  contract,
  state,
  number,
  count,
  refusals,
  answer,
  refusedAtMs,
  nextAtMs,
}: WaitingEvents): TableRow {
  return {
    ...{ contract: contract ?? 'none', state, number, events: count, refusals, answer },
    'refused (utc)': formatShortTime(refusedAtMs),
    'again (utc)': formatShortTime(nextAtMs),
  };
}
