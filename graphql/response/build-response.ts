/**
 * Builds the client's response from the platform's: each root with its value or the reason for its null, the errors at their
 * places, and the cost.
 */
import type { ServiceError } from '../../lib/errors/service-error.ts';
import type { SendAdminOperation } from '../../lib/platform/admin-api/admin-client.ts';
import {
  type AdminResponse,
  isNotFoundError,
  type PlatformCost,
  type PlatformError,
} from '../../lib/platform/admin-api/admin-response.ts';
import { isServiceAlias } from '../compile/selection/service-alias.ts';
import { isPlatformPartAlias } from '../compile/selection/service-selection.ts';
import { isNonNullReference } from '../compile/selection/type-reference.ts';
import type { Variables } from '../plan/client-document.ts';
import type { ResponsePath, ResultError } from '../plan/result-error.ts';
import type { CompiledRoot, RootResponse, RootResponseRequest } from '../plan/root-handler.ts';
import type {
  LocatedError,
  ResponseContext,
  RootOutcome,
  RootRefusal,
  RootValue,
} from '../plan/root-response.ts';
import type { ResponseWalk, ServiceTask } from '../plan/walk.ts';
import { createFieldError, type GraphqlResult, toFieldError } from './graphql-result.ts';
import { propagateNull } from './propagate-null.ts';
import { classifyRefusal, createRefusalError, type RefusalOptions } from './refusal.ts';
import { toClientPath } from './to-client-path.ts';
import { translatePlatformError } from './translate-platform-error.ts';
import { createResponseWalk, isNotForSale, REMOVED_OBJECT, walkRoot } from './walk-response.ts';

/** A field that the service resolves, with the error because of which it has no value. */
export type FailedServiceField = { readonly task: ServiceTask; readonly error: ServiceError };

export type ResponseInput = {
  /** The roots with their outcomes; a root without an outcome has the platform's response. */
  readonly roots: readonly { readonly root: CompiledRoot; readonly outcome: RootOutcome | undefined }[];
  /** The platform's response, or undefined when no request was sent. */
  readonly platformResponse: AdminResponse | undefined;
  readonly variables: Variables;
  /** Fills in the fields that the service resolves, and returns the failed ones. */
  readonly fillServiceFields: (walks: readonly ResponseWalk[]) => Promise<readonly FailedServiceField[]>;
  /**
   * The costs so far, to which the costs of filled-in fields are added, or undefined when costs are not
   * counted.
   */
  readonly costs?: readonly PlatformCost[];
};

/** Builds the whole response of an operation, or of one root of a mutation. */
export async function buildResponse(
  context: ResponseContext,
  responseInput: ResponseInput,
): Promise<GraphqlResult> {
  const { roots, platformResponse, variables } = responseInput;
  const request = { context, platformResponse, variables };
  const respondedRoots = roots.map(({ root, outcome }) => ({
    root,
    ...buildRootResponse(request, root, outcome),
  }));
  const { data, errors } = await fillAndLocateErrors(
    context,
    respondedRoots,
    responseInput.fillServiceFields,
  );
  const isDataNull = platformResponse?.data === null || respondedRoots.some((one) => one.nullsData);
  const showsCost = context.isMerchant && !respondedRoots.some((one) => one.hidesCost);
  const cost = showsCost ? sumCosts(responseInput.costs ?? []) : undefined;
  return {
    data: isDataNull ? null : data,
    ...(errors.length > 0 && { errors }),
    ...(cost && { extensions: { cost } }),
  };
}

function buildRootResponse(
  request: RootResponseRequest,
  root: CompiledRoot,
  outcome: RootOutcome | undefined,
): RootResponse {
  switch (outcome?.kind) {
    case 'refused':
      return refuseRoot(request, root, outcome.refusal);
    case 'absent':
      return createErrorResponse(root, ...errorsOfAbsentObject(request, root, outcome.errors));
    case 'invalid':
      return createErrorResponse(
        root,
        createFieldError('GRAPHQL_VALIDATION_FAILED', [root.key], outcome.message),
      );
    default:
      return root.handler.respond?.(request, root, outcome?.found) ?? buildForwardedResponse(request, root);
  }
}

/**
 * Returns the errors of a root whose object does not exist at the platform. An acting customer gets the same error for
 * an object that does not exist and for another customer's object. A root that the service composes of several platform
 * fields is null without an error; a forwarded root keeps the platform's error.
 */
function errorsOfAbsentObject(
  { context }: RootResponseRequest,
  root: CompiledRoot,
  errors: readonly PlatformError[],
): ResultError[] {
  if (context.identity.actingCustomerId !== undefined && errors.some(isNotFoundError))
    return [createFieldError('FORBIDDEN', [root.key])];
  if (!root.clientPathByPlatformKey.has(root.key) && errors.every(isNotFoundError)) return [];
  return errors.map((error) =>
    translatePlatformError({ ...context, root }, error, findClientPath(root, error) ?? [root.key]),
  );
}

/** Returns the response of a forwarded root: the platform's value, converted for the client. */
function buildForwardedResponse(request: RootResponseRequest, root: CompiledRoot): RootResponse {
  // A root that passed its ownership check and is null is null at the platform, so the client gets null.
  const value = root.read(request.platformResponse?.data ?? {});
  return buildPlatformValueResponse(request, root, { value, errors: listPlatformErrorsBelow(request, root) });
}

type RespondedRoot = RootResponse & { readonly root: CompiledRoot };
type FinishedResponse = {
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly errors: readonly ResultError[];
};

/**
 * Fills in the service's fields of all roots in one call, then adds the errors. Their paths are known only afterwards.
 */
async function fillAndLocateErrors(
  context: ResponseContext,
  respondedRoots: readonly RespondedRoot[],
  fillServiceFields: ResponseInput['fillServiceFields'],
): Promise<FinishedResponse> {
  const responseWalks = respondedRoots.flatMap(({ walked }) => walked?.walk ?? []);
  const failedFields = responseWalks.some(({ tasks }) => tasks.length > 0)
    ? await fillServiceFields(responseWalks)
    : [];
  let data: Record<string, unknown> | null = Object.fromEntries(
    respondedRoots.map(({ root, value }) => [root.key, value]),
  );
  const errors: ResultError[] = [];
  for (const respondedRoot of respondedRoots) {
    errors.push(...listPlatformErrors(context, respondedRoot));
    for (const { task, error } of failedFields.filter(
      ({ task: { walk } }) => walk === respondedRoot.walked?.walk,
    )) {
      const path = toClientPath(task.path, task.walk.removals) ?? task.path;
      errors.push(toFieldError(error, path, context.isMerchant));
      data = data && propagateNull(data, respondedRoot.root.shape, path);
    }
    errors.push(...respondedRoot.errors);
  }
  return { data, errors };
}

/** Returns the platform's errors below a root, with their paths in the client's response. */
function listPlatformErrors(context: ResponseContext, { root, walked }: RespondedRoot): ResultError[] {
  const { walk, platformErrors = [] } = walked ?? {};
  const locatedErrors = [...platformErrors, ...(walk?.furtherErrors ?? [])].flatMap(({ error, path }) =>
    walk === undefined ? [] : toClientPaths(path, walk).map((clientPath) => ({ error, clientPath })),
  );
  return locatedErrors.map(({ error, clientPath }) => {
    const translated = translatePlatformError({ ...context, root }, error, clientPath);
    context.budget.take(JSON.stringify(translated).length);
    return translated;
  });
}

/**
 * Returns the paths in the client's response that correspond to a path in the platform's response. An object can be
 * removed, or occur several times.
 */
function toClientPaths(path: ResponsePath, { grafts, removals }: ResponseWalk): ResponsePath[] {
  const graftsAtPath = grafts.filter(({ from }) => from.every((step, depth) => path[depth] === step));
  const movedPaths = graftsAtPath.map(({ from, to }) => [...to, ...path.slice(from.length)]);
  const isInServicePart =
    path.some((step) => typeof step === 'string' && isPlatformPartAlias(step)) || isServiceRootKey(path[0]);
  const clientPaths = (isInServicePart || movedPaths.length > 0 ? movedPaths : [path]).map((one) =>
    toClientPath(one, removals),
  );
  return clientPaths.filter((one) => one !== undefined);
}

/** Whether a root of the upstream document has no counterpart in the client's document. */
function isServiceRootKey(key: string | number | undefined): boolean {
  return typeof key === 'string' && isServiceAlias(key);
}

/** The facts that the error of a refusal depends on. */
export function toRefusalOptions({ context, platformResponse }: RootResponseRequest): RefusalOptions {
  return { isMerchant: context.isMerchant, errors: platformResponse?.errors ?? [] };
}

/**
 * Returns the place of a platform's error in the client's response.
 * @returns undefined when the error belongs to another root.
 */
function findClientPath(
  { clientPathByPlatformKey }: CompiledRoot,
  { path = [] }: PlatformError,
): ResponsePath | undefined {
  const [upstreamKey, ...pathBelow] = path;
  const clientPrefix = clientPathByPlatformKey.get(String(upstreamKey));
  return clientPrefix === undefined ? undefined : [...clientPrefix, ...pathBelow];
}

/** Returns the platform's errors below this root. */
export function listPlatformErrorsBelow(
  { platformResponse }: Pick<RootResponseRequest, 'platformResponse'>,
  root: CompiledRoot,
): LocatedError[] {
  return (platformResponse?.errors ?? []).flatMap((error) => {
    const path = findClientPath(root, error);
    return path === undefined ? [] : [{ error, path }];
  });
}

/** Returns the response of a root without a value: null, with these errors. */
export function createErrorResponse(root: CompiledRoot, ...errors: readonly ResultError[]): RootResponse {
  return { value: null, errors, nullsData: isNonNullReference(root.type) };
}

/**
 * Returns the response of a refused root: null with the reason. Hides the cost, which would reveal whether the object
 * exists.
 */
export function refuseRoot(
  request: RootResponseRequest,
  root: CompiledRoot,
  refusal: RootRefusal,
): RootResponse {
  return {
    ...createErrorResponse(root, createRefusalError(refusal, [root.key], toRefusalOptions(request))),
    hidesCost: true,
  };
}

/**
 * Returns the response of a root with the platform's value. The value is null with an error if it belongs to another
 * customer.
 */
export function buildPlatformValueResponse(
  request: RootResponseRequest,
  root: CompiledRoot,
  { value, errors }: RootValue,
): RootResponse {
  const { context, variables } = request;
  const responseWalk = createResponseWalk(context, variables);
  const walkedValue = walkRoot(responseWalk, value ?? null, root.shape);
  if (walkedValue !== REMOVED_OBJECT)
    return { value: walkedValue, walked: { walk: responseWalk, platformErrors: errors }, errors: [] };
  // The client gets the same response for a product that is no longer for sale as for one that does not exist.
  if (isNotForSale(value)) return { value: null, errors: [] };
  const serviceAliasErrors = errors.filter(({ path }) => path.some((step) => isServiceAlias(String(step))));
  const refusal = classifyRefusal(serviceAliasErrors.map(({ error }) => error));
  return createErrorResponse(root, createRefusalError(refusal, [root.key], toRefusalOptions(request)));
}

/** Returns a `send` that adds the cost of each response to `costs`. */
export function createCostCollectingSend(
  send: SendAdminOperation,
  costs: PlatformCost[],
): SendAdminOperation {
  return async (operation) => {
    const response = await send(operation);
    if (response.cost !== undefined) costs.push(response.cost);
    return response;
  };
}

/**
 * Returns the sum of the points with the last state of the bucket.
 * @returns undefined when the platform reported no cost.
 */
export function sumCosts(costs: readonly PlatformCost[]): PlatformCost | undefined {
  const lastCost = costs.at(-1);
  if (lastCost === undefined || costs.length === 1) return lastCost;
  const sumPoints = (points: readonly (number | null)[]) => points.reduce<number>((a, b) => a + (b ?? 0), 0);
  return {
    requestedQueryCost: sumPoints(costs.map((cost) => cost.requestedQueryCost)),
    actualQueryCost: sumPoints(costs.map((cost) => cost.actualQueryCost)),
    throttleStatus: lastCost.throttleStatus,
  };
}
