/** The context of a running plan: the actor, the access to the platform, and the resolvers of the service's fields. */
import type { DocumentNode, FieldNode } from 'graphql';
import type { Actor } from '../../lib/credentials/actor.ts';
import type { LoadTranslator } from '../../lib/messages/translator.ts';
import type { Logger } from '../../lib/observability/logger.ts';
import type { SendAdminOperation } from '../../lib/platform/admin-api/admin-client.ts';
import type { ClaimableIdempotencyKey } from '../../lib/storage/idempotency-record.ts';
import type { StoreRecord } from '../../lib/storage/stores.ts';
import type { Table } from '../../lib/storage/table.ts';
import type { VersionReader } from '../../lib/storage/versioned-secret.ts';
import type { PauseRecord } from '../../lib/subscriptions/pause/pause-record.ts';
import type { Timeline } from '../../lib/timeline/timeline.ts';
import type { ManageEndpointsDeps } from '../../lib/webhooks/manage/change-endpoints.ts';
import type { TestEndpointDeps } from '../../lib/webhooks/manage/test-endpoint.ts';
import type { Variables } from './client-document.ts';
import type { CyclePrefetch } from './cycle-prefetch.ts';
import type { ResultError } from './result-error.ts';
import type { ResponseBudget, ResponseContext } from './root-response.ts';
import type { UpstreamDocument } from './upstream-document.ts';
import type { ServiceTask } from './walk.ts';

/**
 * Resolves one of the service's fields for all objects of a response together. Returns one value for each task, in
 * their order: a scalar, an object by field names, a list of such values, or a ServiceError for a field without a
 * value. A task's `parent` is the platform's object, with the internal keys of the plan.
 */
export type ResolveServiceField = (
  context: RunContext,
  tasks: readonly ServiceTask[],
  progress: ResponseInProgress,
) => readonly unknown[] | Promise<readonly unknown[]>;

/** What other fields of the same response have already done. */
type ResponseInProgress = {
  /** The number of tasks of this field that the response has already had. */
  readonly earlierTaskCount: number;
  readonly pauses: ReadPauses;
};

/** The pauses that a response has read, by the client's id of the contract; undefined for a contract without one. */
export type ReadPauses = Map<string, PauseRecord | undefined>;

/** The fields that this service adds, by `Type.field`. */
export type ServiceFields = Readonly<Record<string, ResolveServiceField>>;

/**
 * Answers a `__schema` or `__type` root. Never called on the customer surface.
 * @throws QUERY_TOO_COMPLEX when the budget is exceeded
 */
export type HandleIntrospection = (
  fields: readonly FieldNode[],
  introspectedDocument: IntrospectedDocument,
  budget: ResponseBudget,
) => Promise<{ readonly value: unknown; readonly errors: readonly ResultError[] }>;

/** The document that contains the fields, with its variables. */
export type IntrospectedDocument = { readonly document: DocumentNode; readonly variables: Variables };

/** The dependencies of webhook endpoints besides table and clock. */
export type WebhookContext = Pick<ManageEndpointsDeps, 'tokenKeys' | 'random' | 'guard' | 'newId'> &
  Pick<TestEndpointDeps, 'send'>;

/** A user error. Some of the platform's have no code. */
export type UserErrorWithCode = { readonly code?: unknown };

export type RunContext = ResponseContext & {
  readonly actor: Actor;
  readonly store: StoreRecord;
  readonly table: Table;
  readonly timeline: Timeline;
  /** The idempotency key of the running mutation, or undefined when it has none. */
  readonly idempotentRequest?: ClaimableIdempotencyKey;
  /** Sends a request to the platform. A customer's own request uses the customer's quota of the store's points. */
  readonly send: SendAdminOperation;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  readonly deadlineAtMs: number;
  readonly requestId: string;
  /** Loads the translator for the language of the request. */
  readonly loadTranslator: LoadTranslator;
  /** The extensions of the response besides the costs, or undefined when there are none. */
  readonly extensions: Readonly<Record<string, unknown>> | undefined;
  readonly introspect: HandleIntrospection;
  readonly logger: Logger;
  /** Loads the dependencies of merchants' webhook endpoints; undefined when this function manages none. */
  readonly loadWebhooks?: (() => Promise<WebhookContext>) | undefined;
  /** Reads a version of one of the store's secrets. */
  readonly readVersion: VersionReader;
  /** The resolvers of the service's fields. */
  readonly serviceFields: ServiceFields;
  /** The next cycles of the contracts that a customer's session remembers; undefined when the query needs none. */
  readonly cyclePrefetch?: CyclePrefetch | undefined;
  /** Whether the caller accepts a result that is already the JSON text of the response. */
  readonly acceptsDataText: boolean;
  /** Adds the customer's action to the request's log line. */
  readonly recordAction: (action: string) => void;
  /** Adds the codes of user errors to the request's log line. */
  readonly recordUserErrors: (userErrors: readonly UserErrorWithCode[]) => void;
};

/** The sources of the values of an upstream document's variables. */
export type VariableSources = {
  /** The client's variables, coerced. */
  readonly variables: Variables;
  /** The internal variables by name. There may be more than the document declares. */
  readonly internalVariables: Variables;
};

export type UpstreamRequest = VariableSources & {
  readonly planId: string;
  readonly upstream: UpstreamDocument;
  readonly mutates: boolean;
  readonly acceptsDataText?: boolean;
};
