/** One endpoint with all that is known of it, but no secret. */
import { listEndpoints } from '../../../lib/webhooks/endpoints.ts';
import {
  type InspectedEndpoint,
  inspectEndpoint,
  type WaitingEvents,
} from '../../../lib/webhooks/manage/read-endpoint-view.ts';
import type { CommandDefinition, Run } from '../../command.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Outcome } from '../../outcome.ts';
import { factLines, shortTime, type TableRow, tableLines, timeText } from '../../show-table.ts';
import { EXAMPLE_ENDPOINT, readEndpointRef, UNKNOWN_ENDPOINT } from './read-endpoint-ref.ts';

export const webhookShow: CommandDefinition = {
  group: 'webhook',
  usage: 'show <store> <id>',
  summary:
    'Show an endpoint: its settings, its last event, waiting and parked events, and its last responses.',
  examples: [`webhook show ${EXAMPLE_ENDPOINT} --env prod`],
  isReading: true,
  run: showEndpoint,
};

/** On a terminal; --json has all. */
const MAX_LINES = 20;

async function showEndpoint(run: Run): Promise<Outcome> {
  const { operator, terminal } = run;
  const { shopId, id } = await readEndpointRef(run);
  const endpoint = (await listEndpoints(operator.table, shopId)).find((one) => one.id === id);
  if (endpoint === undefined) throw new OperatorError(UNKNOWN_ENDPOINT, 1, 'NOT_FOUND');
  const inspected = await inspectEndpoint(operator, endpoint);
  const { held: undelivered } = inspected;
  const more = undelivered.length - MAX_LINES;
  return {
    json: inspected,
    lines: [
      ...factLines(toFacts(inspected)),
      ...(undelivered.length === 0
        ? []
        : ['', ...tableLines(undelivered.slice(0, MAX_LINES).map(toRow), terminal.columns)]),
      ...(more > 0 ? [`and ${more} more contracts. Add --json to list them.`] : []),
    ],
  };
}

function toFacts({ held: undelivered, secrets, types, disabled, ...endpoint }: InspectedEndpoint): TableRow {
  const parked = undelivered.filter(({ state }) => state !== 'RETRYING');
  const countOf = (some: readonly WaitingEvents[]) => some.reduce((sum, { count }) => sum + count, 0);
  const reason = disabled?.reason === 'GONE' ? 'it answered 410' : 'it accepted nothing for 24 hours';
  const { description, ...facts } = endpoint;
  return {
    ...facts,
    description: description ?? undefined,
    types: types?.join(' ') ?? 'all',
    disabled: disabled && `${timeText(disabled.atMs)}: ${reason}`,
    secrets: secrets.map(toSecretText).join('; '),
    parked: `${countOf(parked)} of ${parked.length} contracts`,
  };
}

function toSecretText({ createdAtMs, notAfterMs }: InspectedEndpoint['secrets'][number]): string {
  const until = notAfterMs === undefined ? '' : `, signs until ${timeText(notAfterMs)}`;
  return `created ${timeText(createdAtMs)}${until}`;
}

function toRow({
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
    'refused (utc)': shortTime(refusedAtMs),
    'again (utc)': shortTime(nextAtMs),
  };
}
