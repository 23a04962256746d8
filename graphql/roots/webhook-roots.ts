/**
 * `webhookEndpointRoot`, `webhookEndpointsRoot`, `webhookDeliveriesRoot` and `subscriptionEventsRoot`: all come from the table,
 * without a request to the platform.
 */
import { ServiceError } from '../../lib/errors/service-error.ts';
import { eventTypeEnumName } from '../../lib/timeline/event-type.ts';
import { listEndpoints, MAX_ENDPOINTS } from '../../lib/webhooks/endpoints.ts';
import { type DeliveryStatus, listDeliveries } from '../../lib/webhooks/manage/list-deliveries.ts';
import { listEvents } from '../../lib/webhooks/manage/list-events.ts';
import { compileServiceSelection } from '../compile/selection/build-response-shape.ts';
import { createFieldArgumentsReader } from '../compile/selection/read-arguments.ts';
import { buildUnsentRoot } from '../compile/write-root.ts';
import type { FlattenedField } from '../plan/client-document.ts';
import type { ReadArguments } from '../plan/response-shape.ts';
import type { CompiledRoot, RootCompileContext, RootKind } from '../plan/root-kind.ts';
import type { RunContext } from '../plan/run-context.ts';
import { startUnsentRoot } from '../run/start-root.ts';
import {
  buildServiceValueResponse,
  type SelectedServiceValue,
  type ServiceValueResult,
} from './build-service-value-response.ts';
import {
  parseEndpointGid,
  parseEventTypeEnum,
  toDeliveryValue,
  toEndpointValue,
} from './webhooks/endpoint-value.ts';
import { buildConnection, parsePageRequest } from './webhooks/read-page.ts';

type WebhookArguments = ReturnType<ReadArguments>;
type CompiledWebhookRoot = SelectedServiceValue & { readonly key: string; readonly args: ReadArguments };
type WebhookRootKind = RootKind<CompiledWebhookRoot, ServiceValueResult>;

const MAX_PAGE_SIZE = 100;

export const webhookEndpointRoot = createWebhookRootKind('WebhookEndpoint', async (context, { id }) => {
  const endpoint = await findEndpointOfStore(context, id);
  return endpoint && toEndpointValue(context, endpoint);
});

export const webhookEndpointsRoot = createWebhookRootKind(
  'WebhookEndpointConnection',
  async (context, args) => {
    const page = parsePageRequest(args, MAX_PAGE_SIZE);
    const all = await listEndpoints(context.table, context.store.shopId);
    const placed = all.map((endpoint) => ({
      endpoint,
      position: endpoint.createdAtMs * (MAX_ENDPOINTS + 1) + endpoint.slot,
    }));
    const { above = -1, below = Infinity, size, descending } = page;
    const within = placed
      .filter(({ position }) => position > above && position < below)
      .sort((one, other) => (descending ? other.position - one.position : one.position - other.position));
    const read = [];
    for (const { endpoint, position } of within.slice(0, size)) {
      read.push({ position, node: await toEndpointValue(context, endpoint) });
    }
    return buildConnection(page, { read, isMore: within.length > size });
  },
);

export const webhookDeliveriesRoot = createWebhookRootKind(
  'WebhookDeliveryConnection',
  async (context, args) => {
    const page = parsePageRequest(args, MAX_PAGE_SIZE);
    const endpoint = await findEndpointOfStore(context, args.endpointId);
    if (endpoint === undefined) throw createUnknownEndpointError();
    const status = (args.status ?? undefined) as DeliveryStatus | undefined;
    const { items, hasMore, lastNumber } = await listDeliveries(context, endpoint, { ...page, status });
    const read = items.map((delivery) => ({
      position: delivery.number,
      node: toDeliveryValue(context, endpoint, delivery),
    }));
    return buildConnection(page, { read, isMore: hasMore, endPosition: lastNumber });
  },
);

export const subscriptionEventsRoot = createWebhookRootKind(
  'SubscriptionStreamEventConnection',
  async (context, args) => {
    const page = parsePageRequest(args, MAX_PAGE_SIZE);
    const { table, now, store, identity } = context;
    const request = {
      ...page,
      // GraphQL accepts a single value in place of a list (section 3.11).
      types: (args.types ?? undefined) && [args.types].flat().map((name) => parseEventTypeEnum(String(name))),
      actor: typeof args.actor === 'string' ? args.actor : undefined,
      fromMs: toEpochMs(args.recordedFrom),
      untilMs: toEpochMs(args.recordedBefore),
    };
    const deps = { table, now, gidNamespace: identity.namespaces.client };
    const { items, hasMore, lastNumber } = await listEvents(deps, store.shopId, request);
    const read = items.map(({ number, id, payload }) => ({
      position: number,
      node: {
        ...{ eventId: id, type: eventTypeEnumName(payload.type), recordedAt: payload.data.recordedAt },
        body: payload,
      },
    }));
    return buildConnection(page, { read, isMore: hasMore, endPosition: lastNumber });
  },
);

function toEpochMs(value: unknown): number | undefined {
  return typeof value === 'string' ? Date.parse(value) : undefined;
}

async function findEndpointOfStore(context: RunContext, id: unknown) {
  const endpointId = parseEndpointGid(id);
  if (endpointId === undefined) return undefined;
  const all = await listEndpoints(context.table, context.store.shopId);
  return all.find((endpoint) => endpoint.id === endpointId);
}

function createUnknownEndpointError(): ServiceError {
  const message = 'This endpoint was not found. List webhookEndpoints to see their IDs.';
  return new ServiceError('GRAPHQL_VALIDATION_FAILED', { message });
}

/**
 * Creates the kind of a root whose places have separate values. An error of its arguments is an error of that root
 * only.
 */
function createWebhookRootKind(
  typeName: string,
  read: (context: RunContext, args: WebhookArguments) => Promise<object | undefined>,
): WebhookRootKind {
  return {
    compile: (context, { key, fields, access }) => ({
      texts: [],
      root: {
        ...buildUnsentRoot(context, key, fields),
        access,
        special: compileWebhookRoot(context, { key, fields, typeName }),
      },
    }),
    start: (_context, root) => startUnsentRoot(root),
    async follow(context, roots, { variables }) {
      const found: ServiceValueResult[] = [];
      for (const { root } of roots) {
        found.push(await resolveWebhookRoot(root, () => read(context, root.special.args(variables))));
      }
      return found;
    },
    answer: buildServiceValueResponse,
  };
}

type WebhookRootInput = {
  readonly key: string;
  readonly fields: readonly FlattenedField[];
  readonly typeName: string;
};

function compileWebhookRoot(
  context: RootCompileContext,
  { key, fields, typeName }: WebhookRootInput,
): CompiledWebhookRoot {
  const [first] = fields;
  if (first === undefined) throw new Error(`${key} stands nowhere`);
  return {
    key,
    args: createFieldArgumentsReader('QueryRoot', first.field),
    selection: compileServiceSelection(context, fields, typeName),
  };
}

async function resolveWebhookRoot(
  { special }: CompiledRoot<CompiledWebhookRoot>,
  read: () => Promise<object | undefined>,
): Promise<ServiceValueResult> {
  try {
    return { value: (await read()) ?? null, errors: [] };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'GRAPHQL_VALIDATION_FAILED') throw error;
    return { value: null, errors: [{ error, path: [special.key] }] };
  }
}
