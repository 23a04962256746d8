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
import type { AnswerBuilder, CompiledRoot } from '../plan/root-kind.ts';
import type { ServiceTask, Walk } from '../plan/walk.ts';
import { addWalked, errorsOf, fail, pathAt, refuse } from './answer-builder.ts';
import { fieldError, fieldErrorFrom, type GraphqlResult } from './graphql-result.ts';
import { sumOf } from './platform-costs.ts';
import { propagateNull } from './propagate-null.ts';
import { toClientPath } from './to-client-path.ts';
import { translatePlatformError } from './translate-platform-error.ts';

/** A field of the service's that has no value. */
export type ServiceFailure = { readonly task: ServiceTask; readonly error: ServiceError };

export type AnswerParts = {
  /** The roots with their outcomes; undefined: the platform's answer is the root's. */
  readonly roots: readonly { readonly root: CompiledRoot; readonly outcome: RootOutcome | undefined }[];
  /** The platform's answer; undefined: it was not asked. */
  readonly answer: AdminAnswer | undefined;
  readonly variables: Variables;
  /** Fills in the fields that the service answers, and tells which of them failed. */
  readonly fillIn: (walks: readonly Walk[]) => Promise<readonly ServiceFailure[]>;
  /** The costs so far, to which those of filled-in fields are added. Undefined: nobody counts. */
  readonly costs?: readonly PlatformCost[];
};

/** The whole answer of an operation, or of one root of a mutation. */
export async function buildAnswer(context: AnswerContext, parts: AnswerParts): Promise<GraphqlResult> {
  const { roots, answer, variables } = parts;
  const builder: AnswerBuilder = {
    context,
    data: {},
    errors: [],
    walked: [],
    answer,
    variables,
    isNull: answer?.data === null,
    hidesCost: false,
  };
  for (const { root, outcome } of roots) addRoot(builder, root, outcome);
  const isDone = builder.walked.every(
    ({ walk, platformErrors }) => walk.tasks.length + platformErrors.length === 0,
  );
  if (!isDone) await finish(builder, parts);
  const { data, isNull, hidesCost } = builder;
  const errors = builder.errors.flat();
  const cost = context.isMerchant && !hidesCost ? sumOf(parts.costs ?? []) : undefined;
  return {
    data: isNull ? null : data,
    ...(errors.length > 0 && { errors }),
    ...(cost && { extensions: { cost } }),
  };
}

function addRoot(builder: AnswerBuilder, root: CompiledRoot, outcome: RootOutcome | undefined): void {
  const { key } = root;
  switch (outcome?.kind) {
    case 'refused':
      refuse(builder, root, outcome.why);
      break;
    case 'absent':
      fail(builder, root, ...absentErrors(builder, root, outcome.errors));
      break;
    case 'invalid':
      fail(builder, root, fieldError('GRAPHQL_VALIDATION_FAILED', [key], outcome.message));
      break;
    default: {
      const { kind } = root;
      if (kind.answer === undefined) addForwarded(builder, root);
      else kind.answer(builder, root, outcome?.found);
    }
  }
}

/**
 * The errors of an absent root. While a customer is acting, absent looks like foreign. A root that is put together from
 * the platform's is just null where they say that there is no such object; one of the platform's own keeps its error.
 */
function absentErrors(
  { context }: AnswerBuilder,
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

/** Adds the platform's answer, walked. */
function addForwarded(builder: AnswerBuilder, root: CompiledRoot): void {
  // An owned root that is proved and yet null is null at the platform: that is the answer.
  const value = root.read(builder.answer?.data ?? {});
  addWalked(builder, root, { value, errors: errorsOf(builder, root) });
}

/** Fills in the service's fields of all roots together, then adds the errors, whose places are known only now. */
async function finish(builder: AnswerBuilder, { fillIn }: AnswerParts): Promise<void> {
  const { context, walked } = builder;
  const failures = await fillIn(walked.map(({ walk }) => walk));
  for (const { root, walk, platformErrors, errors } of walked) {
    for (const { error, path } of platformErrors) {
      for (const place of placesOf(path, walk)) {
        const translated = translatePlatformError({ ...context, root }, error, place);
        context.budget.take(JSON.stringify(translated).length);
        errors.push(translated);
      }
    }
    for (const { task, error } of failures.filter((one) => one.task.walk === walk)) {
      const path = toClientPath(task.path, walk.removals) ?? task.path;
      errors.push(fieldErrorFrom(error, path, context.isMerchant));
      if (!propagateNull(builder.data, root.shape, path)) builder.isNull = true;
    }
  }
}

/** The places in the client's answer of a path of the platform's: none, one, or several. */
function placesOf(path: Path, { grafts, removals }: Walk): Path[] {
  const at = grafts.filter(({ from }) => from.every((step, depth) => path[depth] === step));
  const moved = at.map(({ from, to }) => [...to, ...path.slice(from.length)]);
  const isPart = path.some((step) => typeof step === 'string' && isPartAlias(step)) || isOurKey(path[0]);
  const places = (isPart || moved.length > 0 ? moved : [path]).map((one) => toClientPath(one, removals));
  return places.filter((one) => one !== undefined);
}

/** Whether a root of the upstream document stands for no root of the client's. */
function isOurKey(key: string | number | undefined): boolean {
  return typeof key === 'string' && isServiceAlias(key);
}
