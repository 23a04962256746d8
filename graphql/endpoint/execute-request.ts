/**
 * The last step of both GraphQL endpoints: compiles and runs the document of a verified actor, and writes the HTTP
 * response.
 */
import type { Actor } from '../../lib/credentials/actor.ts';
import type { WithActor } from '../../lib/credentials/verify-credential.ts';
import { loadOnce } from '../../lib/domain/load-once.ts';
import { errorCatalogue } from '../../lib/errors/catalogue.ts';
import { ServiceError, withMerchantMessage } from '../../lib/errors/service-error.ts';
import type { Exchange, HttpEvent, HttpResult } from '../../lib/http/exchange.ts';
import { toApiGatewayResult } from '../../lib/http/http-response.ts';
import { isGraphqlResponse } from '../../lib/http/negotiate-graphql.ts';
import type { GraphqlRequest, WithGraphqlRequest } from '../../lib/http/read-graphql-request.ts';
import type { LanguageCode } from '../../lib/messages/languages.ts';
import type { RequestedLanguage } from '../../lib/messages/translator.ts';
import { requestDeadlineAtMs, type SendAdminOperation } from '../../lib/platform/admin-api/admin-client.ts';
import { createWaitBudget, type WaitBudget } from '../../lib/platform/admin-api/wait-for-points.ts';
import { timeZoneOf } from '../../lib/storage/stores.ts';
import {
  findPreparedDocument,
  type PreparedDocuments,
  prepareDocument,
} from '../compile/prepare-document.ts';
import { SERVICE_FIELD_RESOLVERS } from '../fields/service-fields.ts';
import type { Variables } from '../plan/client-document.ts';
import type { GidNamespaces } from '../plan/identity.ts';
import type { MutationPlan, Plan, QueryPlan } from '../plan/plan.ts';
import type { RunContext } from '../plan/run-context.ts';
import { createRefusedResult, type GraphqlResult } from '../response/graphql-result.ts';
import {
  createChangeResponseTooLargeError,
  createQueryTooLargeError,
  createResponseBudget,
  isWithinResponseSize,
} from '../response/response-size.ts';
import { findMissingScope } from '../run/find-missing-scope.ts';
import { runQuery } from '../run/run-query.ts';
import type { Surface } from '../schema/schema.ts';
import { COMPILE_REGISTRIES, loadFindReplay } from './registries.ts';
import { addUserErrorCodes } from './user-error-codes.ts';

export type GraphqlDeps = Pick<
  RunContext,
  'introspect' | 'loadWebhooks' | 'logger' | 'now' | 'readVersion' | 'table' | 'timeline' | 'wait'
> & {
  readonly surface: Surface;
  /** The documents of the container. */
  readonly documents: PreparedDocuments;
  readonly sendAdminOperation: SendAdminOperation;
  readonly namespaces: GidNamespaces;
};

/** @internal Tests name the actor of a request. */
export type ActorRequest = {
  readonly actor: Actor;
  readonly request: GraphqlRequest;
  readonly requestId: string;
  readonly startedAtMs: number;
  /** Adds the customer's action to the request's log line. */
  readonly recordAction?: (action: string) => void;
  /** Adds the codes of user errors to the request's log line. */
  readonly recordUserErrors?: RunContext['recordUserErrors'];
  /** Whether the caller accepts a result that is already the JSON text of the response. */
  readonly acceptsDataText?: boolean;
  /** The header `Accept-Language`, or undefined when it is missing or ignored. */
  readonly acceptLanguage?: string | undefined;
  /** Called with the operation's language as soon as it is known. */
  readonly recordLanguage?: (language: LanguageCode) => void;
};

/**
 * Executes a request. The result has no `data` if the document was refused.
 * @throws ServiceError when the request failed as a whole, for example THROTTLED or PLATFORM_UNAVAILABLE
 * @internal Tests and the benchmark execute a request without its handler.
 */
export async function executeRequest(
  deps: GraphqlDeps,
  actorRequest: ActorRequest,
): Promise<GraphqlResult<string>> {
  const { query, operationName, variables } = actorRequest.request;
  const { surface } = deps;
  const sender = actorRequest.actor;
  const isActing = sender.kind === 'customer' || sender.actingCustomerId !== undefined;
  const request = { surface, isActing, query, operationName, sender };
  const preparedDocument =
    findPreparedDocument(deps.documents, request) ??
    (await prepareDocument(deps.documents, request, COMPILE_REGISTRIES));
  if (preparedDocument.kind === 'refused')
    return localizeResult({ errors: preparedDocument.errors }, actorRequest);
  const missingScope =
    sender.kind === 'customer' ? undefined : findMissingScope(preparedDocument.plan, sender);
  if (missingScope !== undefined) return createRefusedResult(missingScope);
  const coercionResult = preparedDocument.coerceVariables(variables);
  if ('errors' in coercionResult) return coercionResult;
  const contextLanguage = preparedDocument.readLanguage?.(coercionResult.coerced);
  if (contextLanguage !== undefined) actorRequest.recordLanguage?.(contextLanguage);
  const reader: RequestedLanguage = {
    language: contextLanguage,
    acceptLanguage: actorRequest.acceptLanguage,
  };
  const extensions = preparedDocument.readLanguage && {
    context: { language: await resolveReaderLanguage(reader) },
  };
  const { send, waitBudget } = startQuotaUse(deps, actorRequest.actor, preparedDocument.plan);
  const runContext = createRunContext(deps, actorRequest, { reader, send, extensions });
  const plannedRequest = { plan: preparedDocument.plan, variables: coercionResult.coerced };
  let graphqlResult: GraphqlResult;
  try {
    graphqlResult = await runPlan(runContext, plannedRequest);
  } catch (error) {
    graphqlResult = toDocumentErrorResult(error, runContext);
  } finally {
    if (waitBudget?.refund !== undefined) await waitBudget.refund();
  }
  const hasErrors = graphqlResult.errors !== undefined && graphqlResult.errors.length > 0;
  const localized = hasErrors
    ? await localizeResult(graphqlResult, reader)
    : (graphqlResult as GraphqlResult<string>);
  return withExtensions(localized, extensions);
}

/** Returns an error of the document as a result, and throws any other error. */
function toDocumentErrorResult(error: unknown, { isMerchant }: RunContext): GraphqlResult {
  if (!(error instanceof ServiceError)) throw error;
  const publicError = isMerchant ? withMerchantMessage(error) : error;
  if (!isDocumentError(publicError)) throw publicError;
  return createRefusedResult(publicError);
}

/** Returns the result with its errors in the language of the request. */
async function localizeResult(
  result: GraphqlResult,
  reader: RequestedLanguage,
): Promise<GraphqlResult<string>> {
  const { errors = [] } = result;
  const { localizeErrors } = await import('../../lib/messages/localize-errors.ts');
  return { ...result, errors: await localizeErrors(errors, reader) };
}

/** Adds the extensions. A result that is JSON text already has them (run-query.ts). */
function withExtensions(
  result: GraphqlResult<string>,
  extensions: RunContext['extensions'],
): GraphqlResult<string> {
  if (extensions === undefined || result.text !== undefined) return result;
  return { ...result, extensions: { ...result.extensions, ...extensions } };
}

const loadTranslatorModule = loadOnce(() => import('../../lib/messages/translator.ts'));

async function resolveReaderLanguage(reader: RequestedLanguage): Promise<LanguageCode> {
  return (await loadTranslatorModule()).resolveLanguage(reader);
}

/** Loaded on demand, because most containers only run queries. */
const loadRunMutation = loadOnce(() => import('../run/run-mutation.ts'));
/** Loaded on demand, because most queries list no next orders. */
const loadCyclePrefetch = loadOnce(() => import('./remembered-contracts.ts'));

type RunnablePlanWithVariables = { readonly plan: Plan; readonly variables: Variables };

function runPlan(
  context: RunContext,
  { plan, variables }: RunnablePlanWithVariables,
): Promise<GraphqlResult> {
  if (plan.kind === 'mutation') return runMutationPlan(context, plan, variables);
  const hasPrefetch = plan.contractLists.length > 0;
  return hasPrefetch ? runPrefetchedQuery(context, plan, variables) : runQuery(context, plan, variables);
}

async function runPrefetchedQuery(
  context: RunContext,
  plan: Plan & QueryPlan,
  variables: Variables,
): Promise<GraphqlResult> {
  const { cyclePrefetch, end } = (await loadCyclePrefetch()).createCyclePrefetch(context, plan, variables);
  let isComplete = false;
  try {
    const result = await runQuery({ ...context, cyclePrefetch }, plan, variables);
    isComplete = result.errors === undefined || result.errors.length === 0;
    return result;
  } finally {
    await end(isComplete);
  }
}

async function runMutationPlan(
  context: RunContext,
  plan: Plan & MutationPlan,
  variables: Variables,
): Promise<GraphqlResult> {
  const { runMutation } = await loadRunMutation();
  return replaceTooLargeResult(await runMutation(context, { plan, variables, loadFindReplay }));
}

/** Replaces a result that is too large by an error that does not deny the change. */
function replaceTooLargeResult(result: GraphqlResult): GraphqlResult {
  if (isWithinResponseSize(JSON.stringify(result))) return result;
  return { data: null, ...createRefusedResult(createChangeResponseTooLargeError()) };
}

/**
 * Whether the HTTP status depends on the media type, because the error is one of the document. All other errors have
 * their own status.
 */
function isDocumentError({ code }: ServiceError): boolean {
  return errorCatalogue[code].status < 400 || code.startsWith('GRAPHQL_');
}

type QuotaUse = { readonly send: SendAdminOperation; readonly waitBudget?: WaitBudget };

/**
 * Returns a `send` that uses the customer's quota for all parts of the request and waits a short time, and the request's
 * wait budget, whose `refund` is called when the request has ended.
 */
function startQuotaUse({ sendAdminOperation }: GraphqlDeps, actor: Actor, plan: Plan): QuotaUse {
  if (actor.kind !== 'customer') return { send: sendAdminOperation };
  const { customerId, quotaFreeAtMs = 0 } = actor;
  const expectedPoints = plan.kind === 'mutation' ? plan.points : 0;
  const waitBudget = createWaitBudget({ expectedPoints, quotaFreeAtMs });
  return {
    send: (operation) => sendAdminOperation({ ...operation, customerId, waitBudget }),
    waitBudget,
  };
}

type RequestLanguageAndSender = Pick<RunContext, 'send' | 'extensions'> & {
  readonly reader: RequestedLanguage;
};

function createRunContext(
  deps: GraphqlDeps,
  request: ActorRequest,
  { reader, send, extensions }: RequestLanguageAndSender,
): RunContext {
  const { actor, requestId, startedAtMs, acceptsDataText = false } = request;
  const { table, timeline, introspect, loadWebhooks, logger, readVersion, now, wait } = deps;
  const isSentByCustomer = actor.kind === 'customer';
  return {
    identity: {
      namespaces: deps.namespaces,
      actingCustomerId: isSentByCustomer ? actor.customerId : actor.actingCustomerId,
    },
    actor,
    store: actor.store,
    ...{ table, timeline, introspect, loadWebhooks, logger, readVersion, now, wait },
    send,
    loadTranslator: async () =>
      (await loadTranslatorModule()).createTranslator(
        await resolveReaderLanguage(reader),
        timeZoneOf(actor.store),
      ),
    extensions,
    serviceFields: SERVICE_FIELD_RESOLVERS,
    deadlineAtMs: requestDeadlineAtMs(startedAtMs),
    requestId,
    isMerchant: !isSentByCustomer,
    budget: createResponseBudget(),
    acceptsDataText,
    recordAction: request.recordAction ?? (() => undefined),
    recordUserErrors: request.recordUserErrors ?? (() => undefined),
  };
}

/**
 * Writes 200 for a result with data, whatever its errors. A refused document is 400 under `application/graphql-
 * response+json`, 200 under `application/json` (GraphQL over HTTP, section "Status Codes").
 */
export function handleGraphql(deps: GraphqlDeps) {
  return async ({ exchange }: HttpEvent<WithActor<Actor> & WithGraphqlRequest>): Promise<HttpResult> => {
    const { actor, graphql, request: http, requestId, startedAtMs } = exchange;
    // A merchant's server sets the language by `@inContext` only.
    const acceptLanguage = actor.kind === 'customer' ? http.headers['accept-language'] : undefined;
    const graphqlResult = await executeRequest(deps, {
      ...{ actor, request: graphql, requestId, startedAtMs, acceptLanguage, acceptsDataText: true },
      recordLanguage(language) {
        exchange.language = language;
      },
      recordAction(action) {
        exchange.logFields.action = action;
      },
      recordUserErrors(userErrors) {
        exchange.logFields.userErrors = addUserErrorCodes(exchange.logFields.userErrors, userErrors);
      },
    });
    const httpResult = toHttpResult(exchange, graphqlResult);
    return isWithinResponseSize(httpResult.body ?? '')
      ? httpResult
      : toHttpResult(exchange, createRefusedResult(createQueryTooLargeError()));
  };
}

function toHttpResult(exchange: Exchange, { text, ...result }: GraphqlResult<string>): HttpResult {
  if (text !== undefined) return toApiGatewayResult(exchange, { status: 200, body: text });
  const [firstError] = result.errors ?? [];
  if (firstError !== undefined)
    exchange.logFields.errorCode = String(firstError.extensions?.code ?? 'UNKNOWN');
  const hasNoData = result.data === undefined;
  return toApiGatewayResult(exchange, {
    status: hasNoData && isGraphqlResponse(exchange) ? 400 : 200,
    body: result,
  });
}
