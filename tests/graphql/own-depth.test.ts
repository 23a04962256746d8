/**
 * What this service answers itself, for every root field of both schemas to depth 4: each selected field is in the
 * answer, nothing of it fails, and what goes to the platform is valid there.
 */

import { describe, expect, test } from '@jest/globals';
import { type FieldNode, Kind, parse, type SelectionSetNode } from 'graphql';
import { isServiceType } from '../../graphql/schema/field-policy.ts';
import { getSchema, type Surface } from '../../graphql/schema/schema.ts';
import { DEFAULT_BILLING_SETTINGS } from '../../lib/billing/records/settings-record.ts';
import type { ShopId } from '../../lib/domain/shop-id.ts';
import type { Table } from '../../lib/storage/table.ts';
import type { PauseRecord } from '../../lib/subscriptions/pause/pause-record.ts';
import type { EventRecord } from '../../lib/timeline/event-record.ts';
import { type ContractNumber, formatEventNumber } from '../../lib/timeline/event-record.ts';
import { createFact } from '../../lib/timeline/facts.ts';
import type { Timeline } from '../../lib/timeline/timeline.ts';
import { adasPlatform, PAUSED_AND_SOLD } from './world/adas-store.ts';
import { documentsOf, leavesOf } from './world/everything.ts';
import { ADA, NOW_MS, runPlan, store } from './world/harness.ts';
import { oneSession } from './world/session-item.ts';
import { LOOKALIKES } from './world/world.ts';

const DEPTH = 4;
const SIZE: Record<Surface, number> = { admin: 1500, customer: 400 };

/** The roots whose entries are all the service's. */
const OF_CONTRACTS = new Set(['event', 'subscriptionContract', 'subscriptionContractDetails']);

/** The service's nodes other than entries; tests/graphql/roots/webhooks/webhooks.test.ts requests those. */
const OTHER_NODES = new Set(['WebhookDelivery', 'WebhookEndpoint']);

const number = formatEventNumber({ createdAtMs: NOW_MS, sequence: 0, contract: '11' as ContractNumber });
const record: EventRecord = {
  number,
  shopId: store.shopId as ShopId,
  contract: '11' as ContractNumber,
  action: 'subscription_paused',
  actor: { kind: 'CUSTOMER', customerId: ADA, label: 'Helpdesk' },
  id: 'entry-1',
  requestId: 'request-1',
  details: {},
  changes: [createFact('status', { before: 'ACTIVE', after: 'PAUSED' })],
  createdAtMs: NOW_MS,
  outcome: 'DONE',
};
const timeline = {
  readEvents: async ({ contracts }) =>
    contracts.map(() => ({ edges: [{ cursor: 'x', record }], hasNextPage: false, hasPreviousPage: false })),
  findEvents: async (_shopId, names) => names.map(() => record),
} satisfies Partial<Timeline> as unknown as Timeline;
const pause: Partial<PauseRecord> = {
  pausedAtMs: NOW_MS,
  pausedBy: { kind: 'CUSTOMER', customerId: ADA },
  resumesAtMs: NOW_MS,
  reason: 'away',
  setBy: { kind: 'CUSTOMER', customerId: ADA },
};
const endpoint = {
  ...{
    pk: `ENDPOINT#${store.shopId}`,
    sk: '1',
    id: '0123456789abcdef01234567',
    shopId: store.shopId,
    slot: 1,
  },
  ...{ url: 'https://shop.example/', description: null, types: null, status: 'ENABLED', createdAtMs: NOW_MS },
  ...{ secrets: [], startsAt: 0, version: 1, revision: 'r' },
};
const order = { shopId: store.shopId, contractNumber: '11', cycleIndex: 1 };
/** The items of billing, by the first word of their keys. */
const BILLING_ITEMS: Readonly<Record<string, object>> = {
  BILLING: { ...DEFAULT_BILLING_SETTINGS, version: 1, updatedAtMs: NOW_MS, enabled: true },
  LEDGER: {
    ...order,
    version: 1,
    state: 'RETRYING',
    expectedAtMs: NOW_MS,
    runDate: '2026-11-21',
    failedTryCount: 1,
  },
  RUN: {
    shopId: store.shopId,
    version: 1,
    date: '2026-11-21',
    status: 'DONE',
    foundCount: 1,
    startedAtMs: NOW_MS,
  },
  PREVIEW: { date: '2026-11-21', preparedAtMs: NOW_MS, orderCount: 1, totals: [] },
};
const sessions = oneSession(() => 'Phone/1');
const table = {
  get: async ({ pk, sk }) => ({ ...BILLING_ITEMS[pk.split('#')[0] ?? ''], pk, sk }),
  query: async (selection) => {
    const [family = ''] = String(selection.values?.[':pk']).split('#');
    if (family === 'ENDPOINT') return { items: [endpoint], nextKey: undefined };
    return ['DELIVERY', 'STREAM'].includes(family) ? { items: [], nextKey: undefined } : sessions(selection);
  },
  batchGet: async (keys) =>
    keys.map((key) => ({ ...key, ...pause, contractNumber: key.pk.replace(/.*#/, '') })),
} satisfies Partial<Table> as unknown as Table;

/** No page has a next one: no order is due after the pause, so the search for the next order would go on. */
const WHOLE = { values: { ...PAUSED_AND_SOLD.values, 'PageInfo.hasNextPage': false } };

type Json = Readonly<Record<string, unknown>>;

/** Returns the paths of selected fields without a value in the response, and of the service's values that are null. */
function missing(set: SelectionSetNode, value: unknown, path = ''): string[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((one) => missing(set, one, path));
  return set.selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return missingField(selection, value as Json, path);
    if (selection.kind === Kind.FRAGMENT_SPREAD) throw new Error('no document here has fragments');
    const type = selection.typeCondition?.name.value ?? '';
    // A platform event has no service fields; the service's own events are checked below.
    const isMeant = isServiceType(type) && !OTHER_NODES.has(type);
    const absent = isMeant ? missing(selection.selectionSet, value, path) : [];
    return isSome(selection.selectionSet, value) ? absent : [];
  });
}

function isSome({ selections }: SelectionSetNode, value: object): boolean {
  return selections.some((one) => one.kind === Kind.FIELD && Object.hasOwn(value, one.name.value));
}

function missingField({ name, selectionSet }: FieldNode, value: Json, path: string): string[] {
  const at = `${path}.${name.value}`;
  if (!Object.hasOwn(value, name.value)) return [at];
  const found = value[name.value];
  if (['currentPause', 'pausedBy', 'actor', 'events'].includes(name.value) && found === null) return [at];
  return selectionSet === undefined ? [] : missing(selectionSet, found, at);
}

describe.each<Surface>(['customer', 'admin'])('on the %s endpoint', (surface) => {
  const every = { schema: getSchema(surface), depth: DEPTH, customer: ADA, withOwn: true };
  const type = every.schema.getQueryType();
  const fields = Object.values(type?.getFields() ?? {});
  const roots = fields.flatMap((field) => {
    const leaves = type ? leavesOf(every, { type, field }) : [];
    const own = leaves.filter((path) => path.some(({ isOwn }) => isOwn));
    return own.length === 0 ? [] : [[field.name, own] as const];
  });

  test.each(roots)('%s', async (name, leaves) => {
    for (const document of documentsOf('query', leaves, SIZE[surface])) {
      const isById = ['event', 'node', 'nodes'].includes(name);
      const id = `gid://platform/SubscriptionEvent/${number}`;
      const named = isById ? document.replace(/gid:\/\/platform\/\w+\/\w+/, id) : document;
      const query = named
        .replace(/(gid:\/\/platform\/WebhookEndpoint)\/\w+/, `$1/${endpoint.id}`)
        .replace(/(gid:\/\/platform\/BillingRun)\/\w+/, '$1/2026-11-21');
      const as = surface === 'customer' ? surface : 'store';
      const { result } = await runPlan({
        as,
        query,
        standIn: adasPlatform(WHOLE),
        timeline,
        table,
      });
      // The service's fields are only available at the root.
      const refusals =
        name === 'job' ? result.errors?.filter(({ path }) => path?.[1] === 'query') : undefined;
      expect(refusals?.map(({ extensions }) => extensions?.code) ?? result.errors ?? []).toEqual(
        refusals?.map(() => 'GRAPHQL_VALIDATION_FAILED') ?? [],
      );
      const [operation] = parse(query).definitions;
      if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('no operation');
      expect(missing(operation.selectionSet, result.data)).toEqual([]);
      expect(Object.values(result.data ?? {})).not.toContain(null);
      const text = JSON.stringify(result.data);
      if (OF_CONTRACTS.has(name) && / action/.test(query)) expect(text).toContain('subscription_paused');
      expect(text).not.toContain('_svc');
      const ids = LOOKALIKES.reduce((left, one) => left.replaceAll(one, ''), text);
      expect(ids).not.toContain('gid://shopify');
    }
  });

  test('every root and every type with something of ours is among them', () => {
    const names = roots.map(([name]) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'subscriptionContractDetails',
        'subscriptionIntervalInfo',
        'subscriptionLineOptions',
      ]),
    );
    const texts = roots.flatMap(([, leaves]) => leaves.map((path) => path.map(({ text }) => text).join(' ')));
    for (const field of ['currentPause pausedAt', 'events', 'portalUrl', 'currentPrice amount']) {
      expect(texts.some((text) => text.includes(field.split(' ')[0] ?? ''))).toBe(true);
    }
  });
});
