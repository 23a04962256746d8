/** The types of webhooks, held against the schema, the timeline's actions and the facts. */
import { expect, test } from '@jest/globals';
import { schemaTable } from '../../../graphql/schema/generated/schema-table.ts';
import type { StoreEvent } from '../../../lib/storage/stream/stream-record.ts';
import {
  classifyFactChanges,
  findActionDefinition,
  TIMELINE_ACTIONS,
} from '../../../lib/timeline/actions.ts';
import {
  eventTypeEnumName,
  WEBHOOK_EVENT_TYPES,
  type WebhookEventType,
  webhookTypeOfFacts,
} from '../../../lib/timeline/event-type.ts';
import { FACT_KINDS } from '../../../lib/timeline/facts.ts';

const STATUSES = [
  ...['CANCELLED', 'EXPIRED', 'FAILED', 'PAUSED'].map((after) => ({ before: 'ACTIVE', after })),
  { before: 'PAUSED', after: 'ACTIVE' },
];
/** Changes of every fact, but no contract that became active without a pause: it has no action of its own. */
const CHANGES = FACT_KINDS.flatMap(({ field, example }) => {
  const named = field.replace('*', '7');
  if (field === 'status') return STATUSES.map((values) => ({ field: named, ...values }));
  const other = named.endsWith('.skipped') ? 'false' : null;
  const value = example === '' ? 'hash' : example;
  return [
    { field: named, before: other, after: value },
    { field: named, before: value, after: other },
  ];
});
const BECAME_ACTIVE = { field: 'status', before: 'FAILED', after: 'ACTIVE' };
const WITHOUT_ENTRY: readonly (StoreEvent['type'] | 'endpoint.test')[] = [
  'order.upcoming',
  'payment_method.expiring',
  'customer.erased',
  'billing.run_held',
  'store.uninstalled',
  'endpoint.test',
];

test('are the values of the enum WebhookEventType in graphql/schema/sdl/webhooks.graphql, in its order', () => {
  const table = schemaTable.WebhookEventType;
  expect(Object.keys(table !== undefined && 'values' in table ? table.values : {})).toEqual(
    WEBHOOK_EVENT_TYPES.map(eventTypeEnumName),
  );
});

test('an action has the type in lib/timeline/actions.ts that lib/timeline/event-type.ts gives to its facts', () => {
  const recognized = Object.keys(TIMELINE_ACTIONS).filter(
    (action) => findActionDefinition(action)?.matches !== undefined,
  );
  const typesOf = (action: string) =>
    CHANGES.filter((change) => classifyFactChanges([change]) === action).map((change) =>
      webhookTypeOfFacts([change]),
    );
  expect(recognized.map((action) => [action, [...new Set(typesOf(action))]])).toEqual(
    recognized.map((action) => [action, [findActionDefinition(action)?.webhook]]),
  );
});

test('each is the type of an action, of facts or of an event without an entry', () => {
  const reported = new Set<WebhookEventType | undefined>([
    ...Object.keys(TIMELINE_ACTIONS).map((action) => findActionDefinition(action)?.webhook),
    ...[...CHANGES, BECAME_ACTIVE].map((change) => webhookTypeOfFacts([change])),
    ...WITHOUT_ENTRY,
  ]);
  expect(WEBHOOK_EVENT_TYPES.filter((type) => !reported.has(type))).toEqual([]);
});
