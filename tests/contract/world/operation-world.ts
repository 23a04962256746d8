/**
 * A store of the emulated platform behind the real client, for operations in process: without HTTP and without waits.
 * Faults are injected into the outgoing requests.
 */
import { type FieldNode, Kind, type OperationDefinitionNode, parse, type SelectionSetNode } from 'graphql';
import { countDocumentPoints } from '../../../graphql/run/count-document-points.ts';
import type { ErrorCode } from '../../../lib/errors/catalogue.ts';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import type { AdminOperation } from '../../../lib/platform/admin-api/admin-client.ts';
import { createAdminClient } from '../../../lib/platform/admin-api/admin-client.ts';
import type { AdminPost } from '../../../lib/platform/admin-api/admin-request.ts';
import type { PlatformCost, RawAdminResponse } from '../../../lib/platform/admin-api/admin-response.ts';
import { MAX_POINTS_PER_QUERY } from '../../../lib/platform/admin-api/query-points.ts';
import { createThrottleBuckets } from '../../../lib/platform/admin-api/throttle-buckets.ts';
import { TransportError } from '../../../lib/platform/send-request.ts';
import type { StoreRecord } from '../../../lib/storage/stores.ts';
import { outdateDrafts } from '../../../sandbox/platform/admin/resolvers/contracts/contract-changes.ts';
import type { ContractRecord } from '../../../sandbox/platform/state/contract-records.ts';
import { actorOf, NOW_MS, type PlanRequest, type Recorded, runPlan } from '../../graphql/world/harness.ts';
import { harbor, newPlatform } from '../../sandbox/platform/admin/harness.ts';
import { selectDetails, type TranslatedRefusal, takeDetails } from './error-details.ts';
import { countProgress, createTenant, isInterleaved, type Tenant, waitForTurn } from './interleaved.ts';

export type Acting = PlanRequest['as'];

/**
 * `stale`: another app changes the contract first. `lost before`, `lost after`: the connection breaks before or after
 * the platform makes the change. `refused`: the platform rejects the change with its own message; `one refused`: it
 * rejects one mutation of the document, and runs the others.
 */
export type WorldFault = {
  readonly kind: 'stale' | 'lost before' | 'lost after' | 'refused' | 'one refused';
  /** A root field of the request that it happens to, for example `subscriptionDraftCommit`. */
  readonly at: string;
  readonly times?: number;
  /** The external change, with `stale`; an irrelevant change by default. */
  readonly change?: () => void;
  /** The platform's rejection, with `refused`. */
  readonly refusal?: object;
  /** The number, from 1, of the rejected mutation, with `one refused`. */
  readonly mutation?: number;
};

export type Outcome = {
  /** The payload of the mutation's field. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are read as the JSON they are.
  readonly payload: any;
  /** The code of the request's or the field's error. */
  readonly code: ErrorCode | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** The rejections with all their details, regardless of the document's selection. */
  readonly refusals: readonly TranslatedRefusal[];
  /** The root fields of each request that reached the platform's door. */
  readonly sent: readonly string[][];
  /** The same requests as they were sent. */
  readonly documents: readonly string[];
  /** The timeline entries. */
  readonly recorded: readonly Recorded[];
};

export type OperationWorld = ReturnType<typeof createOperationWorld>;

export const gid = (type: string, tail: number | string) => `gid://platform/${type}/${tail}`;

/** A fresh world: the seeded first store, at the time of the plan's harness. */
export function createOperationWorld() {
  const platform = newPlatform({ contracts: 0 });
  platform.holder.nowMs = NOW_MS;
  const tenant = createTenant();
  const faults: (WorldFault & { left: number })[] = [];
  const sent: string[][] = [];
  const documents: string[] = [];
  const contract = (id: number): ContractRecord => {
    const found = platform.store().contracts.get(id);
    if (found === undefined) throw new Error(`no contract ${id}`);
    return found;
  };

  async function send(post: AdminPost): Promise<RawAdminResponse> {
    if (!isInterleaved) return sendNow(post);
    const { domain } = tenant.store;
    if (post.url.hostname !== domain || post.accessToken !== tokenOf(tenant.store))
      throw new Error(`a request of ${post.url.hostname} at the world of ${domain}`);
    await waitForTurn();
    const answer = await sendNow({ ...post, body: tenant.toSeeded(post.body) });
    await waitForTurn();
    return { ...answer, body: tenant.toOwn(answer.body) };
  }

  async function sendNow(post: AdminPost): Promise<RawAdminResponse> {
    const { query } = JSON.parse(post.body) as { query: string };
    const roots = rootsOf(query);
    sent.push(roots);
    documents.push(query);
    const fault = faults.find(({ at, left }) => left > 0 && roots.includes(at));
    if (fault !== undefined) fault.left -= 1;
    if (fault?.kind === 'refused') return refusedBody(query, fault.refusal);
    if (fault?.kind === 'lost before') throw new TransportError('Admin API', 'cut', true);
    if (fault?.kind === 'stale') {
      fault.change?.();
      outdateDrafts(platform.store(), platform.holder.nowMs);
    }
    const { status, body } = await platform.send(
      post.body,
      fault?.kind === 'one refused' ? { refusedMutationNumber: fault.mutation ?? 1 } : {},
    );
    weigh(post.body, body);
    if (fault?.kind === 'lost after') throw new TransportError('Admin API', 'cut', true);
    return { status, body, retryAfter: undefined };
  }

  const now = () => platform.holder.nowMs;
  const client = createAdminClient({
    send,
    grants: {
      read: async (store) => ({ accessToken: tokenOf(store), versionId: 'v1' }),
      renew: () => Promise.reject(new ServiceError('STORE_DISCONNECTED')),
    },
    buckets: createThrottleBuckets({ now }),
    platformOrigin: 'https://{shop}',
    platformApiVersion: '2026-07',
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    now,
    random: () => 0.5,
    wait: async (ms) => {
      platform.holder.nowMs += ms;
    },
  });

  /** Runs the plan; interleaved with others, for the tenant's store and customer. */
  async function runAsTenant(request: PlanRequest): ReturnType<typeof runPlan> {
    if (!isInterleaved) return runPlan(request);
    const store = { ...tenant.store, ...request.store, ...tenant.address };
    const query = tenant.toOwn(request.query);
    const variables = JSON.parse(tenant.toOwn(JSON.stringify(request.variables ?? {})));
    const actor = withCustomer(actorOf(request.as, store), tenant.customerId);
    const ran = await countProgress(() => runPlan({ actor, ...request, store, query, variables }));
    return { ...ran, result: JSON.parse(tenant.toSeeded(JSON.stringify(ran.result))) };
  }

  /** Runs a document with one mutation of the service. */
  async function run(request: Omit<PlanRequest, 'standIn'>): Promise<Outcome> {
    sent.length = 0;
    documents.length = 0;
    const recorded: Recorded[] = [];
    const requests = () => ({ sent: [...sent], documents: [...documents], recorded });
    const standIn = (operation: unknown) => client(operation as AdminOperation);
    try {
      const query = selectDetails(request.query);
      const { result, recorded: translated } = await runAsTenant({ now, ...request, query, standIn });
      recorded.push(...translated);
      const refusals = takeDetails(result.data, request.as);
      const payload = Object.values(result.data ?? {})[0] ?? null;
      checkForPeople(payload);
      const code = result.errors?.[0]?.extensions?.code as ErrorCode | undefined;
      return { payload, code, refusals, ...requests() };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { code, retryAfterSeconds } = error;
      return { payload: null, code, refusals: [], retryAfterSeconds, ...requests() };
    }
  }

  return {
    platform,
    client,
    store: tenant.store,
    contract,
    run,
    /** Retries once after Retry-After, like a client. */
    async withTranslation(ask: () => Promise<Outcome>): Promise<Outcome> {
      const first = await ask();
      if (first.retryAfterSeconds === undefined) return first;
      platform.holder.nowMs += first.retryAfterSeconds * 1000;
      return ask();
    },
    fail: (fault: WorldFault) => void faults.push({ ...fault, left: fault.times ?? 1 }),
    /** Faults that have not happened will not. */
    clearFaults: () => {
      faults.length = 0;
    },
    throttle: (times: number) => platform.api.throttleNext(harbor, times),
  };
}

const tokenOf = ({ shopId }: Pick<StoreRecord, 'shopId'>) => `token-${shopId}`;

type RequestActor = NonNullable<PlanRequest['actor']>;

/** Returns the actor with another customer. */
function withCustomer(actor: RequestActor, own: Tenant['customerId']): RequestActor {
  if (actor.kind === 'customer') return { ...actor, customerId: own(actor.customerId) };
  const { actingCustomerId } = actor;
  return actingCustomerId === undefined ? actor : { ...actor, actingCustomerId: own(actingCustomerId) };
}

const INSTANT = /\d{4}-\d\d-\d\dT/;

/** Checks that messages for people contain days, not instants. */
function checkForPeople(payload: object | null): void {
  const { userErrors } = (payload ?? {}) as { readonly userErrors?: unknown };
  const translated = [userErrors].flat() as ({ readonly message?: string } | null | undefined)[];
  const wrong = translated.find((one) => INSTANT.test(one?.message ?? ''));
  if (wrong) throw new Error(`an instant in words for people: ${wrong.message}`);
}

/** Requests whose charge was found in order: most are sent again and again. */
const weighed = new Set<string>();

/**
 * Checks that both sides count the same points for a document, and that no document of the service is near the limit.
 */
function weigh(sent: string, answered: string): void {
  if (weighed.has(sent)) return;
  const { extensions } = JSON.parse(answered) as { extensions?: { cost?: PlatformCost } };
  const translated = extensions?.cost?.requestedQueryCost;
  const { query, variables } = JSON.parse(sent) as { query: string; variables: Record<string, unknown> };
  // The service's schema has no webhooks, which clients may not register: such a document counts as charged.
  const points = query.includes('webhookSubscription')
    ? (translated ?? 0)
    : countDocumentPoints(query, variables);
  if (translated !== undefined && translated !== points)
    throw new Error(`counted ${points}, charged ${translated}: ${query}`);
  if (points >= MAX_POINTS_PER_QUERY) throw new Error(`${points} points: ${query}`);
  if (translated !== undefined) weighed.add(sent);
}

const knownRoots = new Map<string, readonly string[]>();

function rootsOf(query: string): string[] {
  const known = knownRoots.get(query) ?? readRoots(query);
  knownRoots.set(query, known);
  return [...known];
}

function readRoots(query: string): string[] {
  return parse(query).definitions.flatMap((definition) =>
    definition.kind === 'OperationDefinition'
      ? definition.selectionSet.selections.flatMap((field) =>
          field.kind === 'Field' ? [field.name.value] : [],
        )
      : [],
  );
}

/** Returns a response that rejects all roots of a mutation, under their response keys. */
function refusedBody(query: string, refusal: object | undefined): RawAdminResponse {
  const [operation] = parse(query).definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const keyOf = ({ alias, name }: FieldNode) => (alias ?? name).value;
  const fieldsOf = (node: { readonly selectionSet?: SelectionSetNode | undefined }) =>
    (node.selectionSet?.selections ?? []).filter((one) => one.kind === Kind.FIELD);
  const payload = (root: FieldNode) =>
    Object.fromEntries(
      fieldsOf(root).map((field) => [keyOf(field), field.name.value === 'userErrors' ? [refusal] : null]),
    );
  const roots = fieldsOf(operation as OperationDefinitionNode).map((root) => [keyOf(root), payload(root)]);
  const body = JSON.stringify({ data: Object.fromEntries(roots) });
  return { status: 200, body, retryAfter: undefined };
}
