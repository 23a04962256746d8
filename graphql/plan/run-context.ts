/** What running a plan needs: who asks, how the platform is reached, what is answered here. */
import type { DocumentNode, FieldNode } from 'graphql';
import type { Actor } from '../../lib/credentials/actor.ts';
import type { CustomerId } from '../../lib/domain/customer-id.ts';
import type { AdminAnswer } from '../../lib/platform/admin-answer.ts';
import type { SendAdminOperation } from '../../lib/platform/admin-client.ts';
import type { StoreRecord } from '../../lib/storage/stores.ts';
import type { Table } from '../../lib/storage/table.ts';
import type { Timeline } from '../../lib/timeline/timeline.ts';
import { HORIZON, HORIZON_DAYS, NOW } from '../resolve/plan-contract-details.ts';
import type { Identity } from './evaluate-root.ts';
import type { ResultError } from './graphql-result.ts';
import { CUSTOMER } from './proof.ts';
import type { UpstreamDocument, Variables } from './upstream-writer.ts';

/** Answers a `__schema` or `__type` root; never asked on the customer surface. */
export type Introspect = (
  fields: readonly FieldNode[],
  plan: IntrospectedDocument,
) => Promise<{ readonly value: unknown; readonly errors: readonly ResultError[] }>;

/** Where the fields stand, with the variables that they may use. */
export type IntrospectedDocument = { readonly document: DocumentNode; readonly variables: Variables };

export type RunContext = {
  readonly identity: Identity;
  readonly actor: Actor;
  readonly store: StoreRecord;
  readonly table: Table;
  readonly timeline: Timeline;
  /** Who spends the store's points, if the request is a customer's own. */
  readonly spender: CustomerId | undefined;
  readonly send: SendAdminOperation;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  readonly deadlineAtMs: number;
  readonly requestId: string;
  readonly introspect: Introspect;
  /** Whether costs are shown. */
  readonly isMerchant: boolean;
  /** Notes for the request's log line what was done to a contract. */
  readonly noteAction: (action: string) => void;
};

const DAY_MS = 86_400_000;

/**
 * Values of our variables that depend on the clock and on who acts; sent only where they are declared. Few documents
 * declare times, so they are written down when they are asked for.
 */
export function ambientVariables({ now, identity }: RunContext): Record<string, unknown> {
  const nowMs = now();
  const { actingCustomerId, namespaces } = identity;
  return {
    get [NOW]() {
      return new Date(nowMs).toISOString();
    },
    get [HORIZON]() {
      return new Date(nowMs + HORIZON_DAYS * DAY_MS).toISOString();
    },
    ...(actingCustomerId !== undefined && {
      [CUSTOMER]: `gid://${namespaces.platform}/Customer/${actingCustomerId}`,
    }),
  };
}

export type UpstreamRequest = {
  readonly planId: string;
  readonly upstream: UpstreamDocument;
  /** The client's, coerced. */
  readonly variables: Variables;
  /** Ours, by name; more than the document declares may stand here. */
  readonly ours: Variables;
  readonly mutates: boolean;
};

/** Sends an upstream document with the variables that it declares. */
export function sendUpstream(context: RunContext, request: UpstreamRequest): Promise<AdminAnswer> {
  const { planId, upstream, variables, ours, mutates } = request;
  const sent: Record<string, unknown> = {};
  for (const name of upstream.clientVariables) {
    if (variables[name] !== undefined) sent[name] = variables[name];
  }
  for (const name of upstream.ownVariables) if (ours[name] !== undefined) sent[name] = ours[name];
  const pages = upstream.pageSizes.map((name) => variables[name] ?? '');
  return context.send({
    store: context.store,
    document: upstream.text,
    variables: sent,
    mutates,
    deadlineAtMs: context.deadlineAtMs,
    costKey: `${planId} ${pages.join(' ')}`,
    customerId: context.spender,
  });
}
