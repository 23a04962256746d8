/** The client's answer is built from the platform's: roots in the client's order, errors where they belong, costs. */
import type { ServiceError } from '../../lib/errors/service-error.ts';
import {
  type AdminAnswer,
  isAbsence,
  type PlatformCost,
  type PlatformError,
} from '../../lib/platform/admin-api/admin-answer.ts';
import { isServiceAlias } from '../compile/selection/service-alias.ts';
import { isPartAlias } from '../compile/selection/service-selection.ts';
import type { Variables } from '../plan/client-document.ts';
import type { Path, ResultError } from '../plan/result-error.ts';
import type { AnswerContext, RootOutcome } from '../plan/root-answer.ts';
import type { AnswerRequest, CompiledRoot, RootAnswer } from '../plan/root-kind.ts';
import type { ServiceTask, Walk } from '../plan/walk.ts';
import { answerWalked, errorsOf, fail, pathAt, refuse } from './answer-root.ts';
import { fieldError, fieldErrorFrom, type GraphqlResult } from './graphql-result.ts';
import { sumOf } from './platform-costs.ts';
import { propagateNull } from './propagate-null.ts';
import { toClientPath } from './to-client-path.ts';
import { translatePlatformError } from './translate-platform-error.ts';

/** A field of the service's that has no value. */
export type ServiceFailure = { readonly task: ServiceTask; readonly error: ServiceError };

export type AnswerParts = {
  /** The roots with their outcomes; a root without an outcome has the platform's response. */
  readonly roots: readonly { readonly root: CompiledRoot; readonly outcome: RootOutcome | undefined }[];
  /** The platform's response, or undefined when no request was sent. */
  readonly answer: AdminAnswer | undefined;
  readonly variables: Variables;
  /** Fills in the fields that the service resolves, and returns the failed ones. */
  readonly fillIn: (walks: readonly Walk[]) => Promise<readonly ServiceFailure[]>;
  /**
   * The costs so far, to which the costs of filled-in fields are added, or undefined when costs are not
   * counted.
   */
  readonly costs?: readonly PlatformCost[];
};

/** The whole answer of an operation, or of one root of a mutation. */
export async function buildAnswer(context: AnswerContext, parts: AnswerParts): Promise<GraphqlResult> {
  const { roots, answer, variables } = parts;
  const request = { context, answer, variables };
  const answered = roots.map(({ root, outcome }) => ({ root, ...answerRoot(request, root, outcome) }));
  const { data, errors } = await finish(context, answered, parts.fillIn);
  const isNull = answer?.data === null || answered.some((one) => one.isNull);
  const hasCost = context.isMerchant && !answered.some((one) => one.hidesCost);
  const cost = hasCost ? sumOf(parts.costs ?? []) : undefined;
  return {
    data: isNull ? null : data,
    ...(errors.length > 0 && { errors }),
    ...(cost && { extensions: { cost } }),
  };
}

function answerRoot(
  request: AnswerRequest,
  root: CompiledRoot,
  outcome: RootOutcome | undefined,
): RootAnswer {
  switch (outcome?.kind) {
    case 'refused':
      return refuse(request, root, outcome.why);
    case 'absent':
      return fail(root, ...absentErrors(request, root, outcome.errors));
    case 'invalid':
      return fail(root, fieldError('GRAPHQL_VALIDATION_FAILED', [root.key], outcome.message));
    default:
      return root.kind.answer?.(request, root, outcome?.found) ?? answerForwarded(request, root);
  }
}

/**
 * The errors of an absent root. While a customer is acting, absent looks like foreign. A root that is put together from
 * the platform's is just null where they say that there is no such object; one of the platform's own keeps its error.
 */
function absentErrors(
  { context }: AnswerRequest,
  root: CompiledRoot,
  errors: readonly PlatformError[],
): ResultError[] {
  if (context.identity.actingCustomerId !== undefined && errors.some(isAbsence))
    return [fieldError('FORBIDDEN', [root.key])];
  if (!root.upstream.has(root.key) && errors.every(isAbsence)) return [];
  return errors.map((error) =>
    translatePlatformError({ ...context, root }, error, pathAt(root, error) ?? [root.key]),
  );
}

/** Answers a root with the platform's response, walked. */
function answerForwarded(request: AnswerRequest, root: CompiledRoot): RootAnswer {
  // An owned root that is proved and yet null is null at the platform: that is the answer.
  const value = root.read(request.answer?.data ?? {});
  return answerWalked(request, root, { value, errors: errorsOf(request, root) });
}

type AnsweredRoot = RootAnswer & { readonly root: CompiledRoot };
type FinishedAnswer = {
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly errors: readonly ResultError[];
};

/** Fills in the service's fields of all roots together, then adds the errors, whose places are known only now. */
async function finish(
  context: AnswerContext,
  answered: readonly AnsweredRoot[],
  fillIn: AnswerParts['fillIn'],
): Promise<FinishedAnswer> {
  const walks = answered.flatMap(({ walked }) => walked?.walk ?? []);
  const failures = walks.some(({ tasks }) => tasks.length > 0) ? await fillIn(walks) : [];
  let data: Record<string, unknown> | null = Object.fromEntries(
    answered.map(({ root, value }) => [root.key, value]),
  );
  const errors: ResultError[] = [];
  for (const one of answered) {
    errors.push(...platformErrorsOf(context, one));
    for (const { task, error } of failures.filter(({ task: { walk } }) => walk === one.walked?.walk)) {
      const path = toClientPath(task.path, task.walk.removals) ?? task.path;
      errors.push(fieldErrorFrom(error, path, context.isMerchant));
      data = data && propagateNull(data, one.root.shape, path);
    }
    errors.push(...one.errors);
  }
  return { data, errors };
}

/** The platform's errors below a root, at their places in the client's answer. */
function platformErrorsOf(context: AnswerContext, { root, walked }: AnsweredRoot): ResultError[] {
  const { walk, platformErrors = [] } = walked ?? {};
  const placed = platformErrors.flatMap(({ error, path }) =>
    walk === undefined ? [] : placesOf(path, walk).map((place) => ({ error, place })),
  );
  return placed.map(({ error, place }) => {
    const translated = translatePlatformError({ ...context, root }, error, place);
    context.budget.take(JSON.stringify(translated).length);
    return translated;
  });
}

/** The places in the client's answer of a path of the platform's: none, one, or several. */
function placesOf(path: Path, { grafts, removals }: Walk): Path[] {
  const at = grafts.filter(({ from }) => from.every((step, depth) => path[depth] === step));
  const moved = at.map(({ from, to }) => [...to, ...path.slice(from.length)]);
  const isPart = path.some((step) => typeof step === 'string' && isPartAlias(step)) || isOurKey(path[0]);
  const places = (isPart || moved.length > 0 ? moved : [path]).map((one) => toClientPath(one, removals));
  return places.filter((one) => one !== undefined);
}

/** Whether a root of the upstream document has no counterpart in the client's document. */
function isOurKey(key: string | number | undefined): boolean {
  return typeof key === 'string' && isServiceAlias(key);
}
