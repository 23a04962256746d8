/** The request as a plan runs with it: who asks, how the platform is reached, who answers fields here. */
import type { DocumentNode, FieldNode } from 'graphql';
import type { Actor } from '../../lib/credentials/actor.ts';
import type { LoadTranslator } from '../../lib/messages/translator.ts';
import type { Logger } from '../../lib/observability/logger.ts';
import type { AdminAnswer } from '../../lib/platform/admin-api/admin-answer.ts';
import type { SendAdminOperation } from '../../lib/platform/admin-api/admin-client.ts';
import type { ClaimedKey } from '../../lib/storage/idempotency-record.ts';
import type { StoreRecord } from '../../lib/storage/stores.ts';
import type { Table } from '../../lib/storage/table.ts';
import type { VersionReader } from '../../lib/storage/versioned-secret.ts';
import type { Timeline } from '../../lib/timeline/timeline.ts';
import type { ManageDeps } from '../../lib/webhooks/manage/change-endpoints.ts';
import type { TestDeps } from '../../lib/webhooks/manage/test-endpoint.ts';
import type { AnswerContext } from '../answer/answer-builder.ts';
import type { AnswerBudget } from '../answer/answer-size.ts';
import { actingCustomerGid } from '../answer/identity.ts';
import type { ServiceTask } from '../answer/walk.ts';
import { CUSTOMER } from '../compile/ownership/write-ownership-query.ts';
import type { ResultError } from '../compile/result-error.ts';
import type { Variables } from '../compile/selection/client-document.ts';
import { SERVICE_ALIAS } from '../compile/selection/service-alias.ts';
import type { UpstreamDocument } from '../compile/selection/upstream-writer.ts';

/** Variables that each request fills in: now, and the end of the billing cycles that are shown. */
export const NOW = `${SERVICE_ALIAS}Now`;
export const HORIZON = `${SERVICE_ALIAS}Horizon`;
export const HORIZON_DAYS = 365;

/**
 * Answers one field of the service's on all objects of an answer at once. One value for each task, in their order: a
 * scalar, an object by the names of its fields, a list of such, or a ServiceError for a field that has none. A task's
 * `parent` is the platform's object, with the keys of ours that the plan asked for.
 */
export type ResolveServiceField = (
  context: RunContext,
  tasks: readonly ServiceTask[],
  /** `before`: how many tasks of this field the same answer has had already. */
  answer: { readonly before: number },
) => readonly unknown[] | Promise<readonly unknown[]>;

/** The fields that this service adds, by `Type.field`. */
export type ServiceFields = Readonly<Record<string, ResolveServiceField>>;

/** Answers a `__schema` or `__type` root; never asked on the customer surface. QUERY_TOO_COMPLEX: the budget is spent. */
export type Introspect = (
  fields: readonly FieldNode[],
  plan: IntrospectedDocument,
  budget: AnswerBudget,
) => Promise<{ readonly value: unknown; readonly errors: readonly ResultError[] }>;

/** The document in which the fields stand, with the variables that they may use. */
export type IntrospectedDocument = { readonly document: DocumentNode; readonly variables: Variables };

/** What the table and the clock are not. */
export type WebhookParts = Pick<ManageDeps, 'tokenKeys' | 'random' | 'guard' | 'newId'> &
  Pick<TestDeps, 'send'>;

export type RunContext = AnswerContext & {
  readonly actor: Actor;
  readonly store: StoreRecord;
  readonly table: Table;
  readonly timeline: Timeline;
  /** The key of the mutation that is run; undefined: it has none. */
  readonly idempotentRequest?: ClaimedKey;
  /** Spends the customer's share of the store's points, if the request is a customer's own. */
  readonly send: SendAdminOperation;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  readonly deadlineAtMs: number;
  readonly requestId: string;
  /** Tells messages in the language of the request. */
  readonly loadTranslator: LoadTranslator;
  /** What the answer's extensions hold beside the costs; undefined: nothing. */
  readonly extensions: Readonly<Record<string, unknown>> | undefined;
  readonly introspect: Introspect;
  readonly logger: Logger;
  /** What endpoints of merchants' servers are managed with; undefined: this function manages none. */
  readonly loadWebhooks?: (() => Promise<WebhookParts>) | undefined;
  /** Reads a version of one of the store's secrets. */
  readonly readVersion: VersionReader;
  /** The functions that answer the fields of this service's own. */
  readonly serviceFields: ServiceFields;
  /** Whether the result may be JSON already. */
  readonly takesText: boolean;
  /** Notes for the request's log line what was done to a contract. */
  readonly recordAction: (action: string) => void;
};

const DAY_MS = 86_400_000;

/** The value of a variable of ours that depends on the clock or on who acts; undefined: it is none of them. */
function ambientValue({ now, identity }: RunContext, name: string): string | undefined {
  switch (name) {
    case NOW:
      return new Date(now()).toISOString();
    case HORIZON:
      return new Date(now() + HORIZON_DAYS * DAY_MS).toISOString();
    case CUSTOMER:
      return actingCustomerGid(identity);
    default:
      return undefined;
  }
}

/** The values that an upstream document's variables are taken from. */
export type VariableSources = {
  /** The client's variables, coerced. */
  readonly variables: Variables;
  /** The variables of ours, by name; more than the document declares may stand here. */
  readonly internalVariables: Variables;
};

/** The values of the variables that an upstream document declares. */
export function upstreamVariables(
  context: RunContext,
  { clientVariables, ownVariables }: UpstreamDocument,
  { variables, internalVariables }: VariableSources,
): Record<string, unknown> {
  const sent: Record<string, unknown> = {};
  for (const name of clientVariables) if (variables[name] !== undefined) sent[name] = variables[name];
  for (const name of ownVariables) {
    const value =
      internalVariables[name] === undefined ? ambientValue(context, name) : internalVariables[name];
    if (value !== undefined) sent[name] = value;
  }
  return sent;
}

export type UpstreamRequest = VariableSources & {
  readonly planId: string;
  readonly upstream: UpstreamDocument;
  readonly mutates: boolean;
  readonly takesText?: boolean;
};

/** Sends an upstream document with the variables that it declares. */
export function sendUpstream(context: RunContext, request: UpstreamRequest): Promise<AdminAnswer> {
  const { planId, upstream, variables, mutates, takesText = false } = request;
  const pages = upstream.pageSizes.map((name) => variables[name] ?? request.internalVariables[name] ?? '');
  return context.send({
    store: context.store,
    document: upstream.text,
    variables: upstreamVariables(context, upstream, request),
    mutates,
    caller: upstream.takesValues ? context.identity.namespaces : undefined,
    takesText,
    deadlineAtMs: context.deadlineAtMs,
    costKey: `${planId} ${pages.join(' ')}`,
  });
}
