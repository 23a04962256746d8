/** Runs GraphQL requests through the plan, with a function in place of the platform. */

import {
  createPreparedDocuments,
  type PreparedDocuments,
} from '../../../graphql/compile/prepare-document.ts';
import { type ActorRequest, executeRequest } from '../../../graphql/endpoint/execute-request.ts';
import type { RunContext, WebhookContext } from '../../../graphql/plan/run-context.ts';
import type { GraphqlResult } from '../../../graphql/response/graphql-result.ts';
import { introspectAdmin } from '../../../graphql/roots/introspection/introspect-admin.ts';
import { refuseIntrospection } from '../../../graphql/roots/introspection/refuse-introspection.ts';
import type { CustomerId } from '../../../lib/domain/customer-id.ts';
import { keyScopes } from '../../../lib/domain/key-scope.ts';
import type { Logger } from '../../../lib/observability/logger.ts';
import type { AdminOperation } from '../../../lib/platform/admin-api/admin-client.ts';
import {
  type AdminResponse,
  classifyAdminResponse,
  type PlatformCost,
} from '../../../lib/platform/admin-api/admin-response.ts';
import type { StoreRecord } from '../../../lib/storage/stores.ts';
import type { Table } from '../../../lib/storage/table.ts';
import type { VersionReader } from '../../../lib/storage/versioned-secret.ts';
import type { ChangeIntent } from '../../../lib/timeline/run-change.ts';
import type { Timeline } from '../../../lib/timeline/timeline.ts';
import { tableOf } from '../../rights/guarded-table.ts';

export const NOW_MS = Date.parse('2026-11-21T12:00:00Z');
export const ADA = 7001001 as CustomerId;

/** The label and id of the store's actors' key. */
export const KEY_LABEL = 'Help desk';
export const KEY_ID = 'key-1';

export const store = {
  shopId: 81234567001,
  domain: 'harbor-coffee.myshopify.com',
  storefrontUrl: 'https://harbor-coffee.example',
  portalPageId: '90210001',
  status: 'installed',
  installedAtMs: 0,
} as unknown as StoreRecord;

export type Sent = Pick<AdminOperation, 'document' | 'variables' | 'mutates' | 'isOptional'>;

/** Answers one request to the platform. */
export type StandIn = (sent: Sent) => Partial<AdminResponse> | Promise<Partial<AdminResponse>>;

export type PlanRequest = {
  readonly as: 'customer' | 'store' | 'store for a customer';
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string | undefined;
  readonly standIn: StandIn;
  /** Whether the result may be JSON already; its text is then read here. */
  readonly acceptsDataText?: boolean;
  /** Without one, nothing may be read from the table or written to it. */
  readonly table?: Table;
  /** Over the function's table, or made before. Without one, changes are only listed: see `Recorded`. */
  readonly timeline?: Timeline | ((table: Table) => Timeline);
  /** The list of recorded changes, including those of a failed request; without it, only the result contains them. */
  readonly recorded?: Recorded[];
  /** Without one, it is `NOW_MS` for ever. */
  readonly now?: () => number;
  /** Without one, no time passes. */
  readonly wait?: (ms: number) => Promise<void>;
  /** The documents of the container; without them, those of all requests here. */
  readonly documents?: PreparedDocuments;
  /** The actor, other than Ada or her store's first key. */
  readonly actor?: ActorRequest['actor'];
  /** Without one, nothing is logged. */
  readonly logger?: Logger;
  /** Without one, the store has no admin keys. */
  readonly readVersion?: VersionReader;
  /** The request's store; by default `store`. */
  readonly store?: StoreRecord;
  /** The header, as the endpoint passes it on. */
  readonly acceptLanguage?: string;
  /** Without it, no endpoints are managed. */
  readonly loadWebhooks?: RunContext['loadWebhooks'];
};

/** A change as the timeline recorded it. `open`: its outcome was never recorded. */
export type Recorded = ChangeIntent & { outcome: 'open' | 'done' | 'seen' | 'not done' };

const COST: PlatformCost = {
  requestedQueryCost: 3,
  actualQueryCost: 2,
  throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 1998, restoreRate: 100 },
};

const documents = createPreparedDocuments();
const quiet = () => undefined;

/** The result of a request, what was sent to the platform for it, and what its log line says was done. */
export async function runPlan(request: PlanRequest): Promise<{
  result: GraphqlResult<string>;
  sent: Sent[];
  recorded: Recorded[];
  actions: string[];
  isText: boolean;
}> {
  const sent: Sent[] = [];
  const { recorded = [] } = request;
  const actions: string[] = [];
  const surface = request.as === 'customer' ? 'customer' : 'admin';
  const table = request.table ? tableOf(`${surface}-graphql`, request.table) : neverUsed;
  const { timeline = listing(recorded) } = request;
  const result = await executeRequest(
    {
      surface,
      documents: request.documents ?? documents,
      loadWebhooks: request.loadWebhooks,
      introspect: surface === 'admin' ? introspectAdmin : refuseIntrospection,
      namespaces: { client: 'platform', platform: 'shopify' },
      now: request.now ?? (() => NOW_MS),
      wait: request.wait ?? (async () => undefined),
      table,
      timeline: typeof timeline === 'function' ? timeline(table) : timeline,
      logger: request.logger ?? { debug: quiet, info: quiet, warn: quiet, error: quiet },
      readVersion: request.readVersion ?? (async () => ({ keys: [] })),
      sendAdminOperation: async (operation) => {
        sent.push(operation);
        const answer = await request.standIn(operation);
        // The form after transport: plain objects, nothing shared.
        if (!operation.acceptsDataText) {
          return { data: null, errors: [], cost: undefined, ...structuredClone(answer) };
        }
        const { data, errors = [], cost = COST } = answer;
        const body = JSON.stringify({ data, ...(errors.length > 0 && { errors }), extensions: { cost } });
        const reading = classifyAdminResponse({ status: 200, retryAfter: undefined, body }, true);
        if (reading.kind !== 'answered') throw new Error(`The answer was read as ${reading.kind}: ${body}`);
        return reading.response;
      },
    },
    {
      actor: request.actor ?? actorOf(request.as, request.store ?? store),
      request: {
        query: request.query,
        operationName: request.operationName,
        variables: request.variables ?? {},
      },
      requestId: 'request-1',
      startedAtMs: request.now?.() ?? NOW_MS,
      recordAction: (action) => void actions.push(action),
      acceptsDataText: request.acceptsDataText ?? false,
      acceptLanguage: request.acceptLanguage,
    },
  );
  const isText = result.text !== undefined;
  return { result: isText ? JSON.parse(result.text) : result, sent, recorded, actions, isText };
}

/** The intents of operations, and their outcomes. */
function listing(recorded: Recorded[]): Timeline {
  return {
    begin: () => async (intent) => {
      const change: Recorded = { ...intent, outcome: 'open' };
      const further = [...(intent.further ?? [])];
      recorded.push(change);
      return {
        recordAlso: async (facts) => {
          further.push(...facts);
        },
        settleAsDone: async (changes = intent.changes) => {
          Object.assign(change, { changes: [...changes, ...further], outcome: 'done' });
        },
        settleAsObserved: async (changes = intent.changes) => {
          Object.assign(change, { changes: [...changes, ...further], outcome: 'seen' });
        },
        settleWithAttempt: async () => {
          change.outcome = 'done';
        },
        settleAsNotDone: async () => {
          change.outcome = 'not done';
        },
      };
    },
    readEvents: async ({ contracts }) =>
      contracts.map(() => ({ edges: [], hasNextPage: false, hasPreviousPage: false })),
    findEvents: async (_shopId, names) => names.map(() => undefined),
    idempotency: noIdempotency,
  };
}

/** Changes that have a key need a timeline over a table. */
export const noIdempotency = {} as Timeline['idempotency'];

/** Returns the actor of a request; a store's key has all scopes. */
export function actorOf(as: PlanRequest['as'], of: StoreRecord): ActorRequest['actor'] {
  const actor =
    as === 'customer'
      ? { kind: 'customer', customerId: ADA, session: { confirmation: Promise.resolve() } }
      : {
          kind: 'store',
          keyId: KEY_ID,
          keyLabel: KEY_LABEL,
          scopes: keyScopes,
          ...(as === 'store for a customer' && { actingCustomerId: ADA }),
        };
  return { ...actor, shopId: of.shopId, store: of } as unknown as ActorRequest['actor'];
}

const neverUsed = new Proxy({} as Table, {
  get: (_table, operation) => {
    throw new Error(`The table was asked: ${String(operation)}`);
  },
});

/** A platform function for requests that must not reach the platform. */
export const neverCalled: StandIn = ({ document }) => {
  throw new Error(`The platform was asked: ${document}`);
};

/** Where no name leads to an address, no endpoint is made. */
export const loadWebhooksNowhere = async () =>
  ({
    guard: { resolve: async () => [], allowsLoopback: false },
    newId: () => 'id',
  }) as unknown as WebhookContext;
