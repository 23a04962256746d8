/** The client's answer from the platform's: roots in the client's order, errors where they belong, costs. */
import type { DocumentNode, FieldNode } from 'graphql';
import {
  type AdminAnswer,
  isAbsence,
  type PlatformCost,
  type PlatformError,
} from '../../lib/platform/admin-api/admin-answer.ts';
import type { CompiledRoot } from '../compile/plan.ts';
import { isOurs } from '../compile/selection/build-answer-shape.ts';
import { isPartAlias } from '../compile/selection/service-selection.ts';
import type { Variables } from '../compile/selection/upstream-writer.ts';
import { resolveServiceFields } from '../fields/service-fields.ts';
import { buildObjects } from '../roots/answer-nodes.ts';
import type { RunContext } from '../run/run-context.ts';
import {
  type AnswerBuilder,
  addWalked,
  errorsOf,
  fail,
  pathAt,
  type RootOutcome,
  tellingOf,
  waitFor,
} from './answer-builder.ts';
import { fieldError, fieldErrorFrom, type GraphqlResult, type ResultError } from './graphql-result.ts';
import { sumOf } from './platform-costs.ts';
import { projectServiceValue } from './project-service-value.ts';
import { propagateNull } from './propagate-null.ts';
import { refusalError, refusalFrom } from './refusal.ts';
import { tellPlatformError } from './tell-platform-error.ts';
import { toClientPath } from './to-client-path.ts';
import { type Path, startWalk, type Walk } from './walk-answer.ts';

export type AnswerParts = {
  readonly roots: readonly { readonly root: CompiledRoot; readonly outcome: RootOutcome }[];
  /** Undefined: the platform was not asked. */
  readonly answer: AdminAnswer | undefined;
  readonly variables: Variables;
  readonly document: DocumentNode;
  /** Of the requests so far; those of fields that are answered here are added. Undefined: nobody counts. */
  readonly costs?: readonly PlatformCost[];
};

/** The whole answer of a query. */
export async function buildAnswer(context: RunContext, parts: AnswerParts): Promise<GraphqlResult> {
  const { roots, answer, variables, document } = parts;
  const builder: AnswerBuilder = {
    context,
    data: {},
    errors: [],
    walked: [],
    answer,
    variables,
    document,
    isNull: answer?.data === null,
    hidesCost: false,
  };
  for (const { root, outcome } of roots) {
    const pending = buildRoot(builder, root, outcome);
    if (pending !== undefined) await pending;
  }
  const isDone = builder.walked.every(
    ({ walk, platformErrors }) => walk.tasks.length + platformErrors.length === 0,
  );
  if (!isDone) await fillIn(builder);
  const { data, isNull, hidesCost } = builder;
  const errors = builder.errors.flat();
  const cost = context.isMerchant && !hidesCost ? sumOf(parts.costs ?? []) : undefined;
  return {
    data: isNull ? null : data,
    ...(errors.length > 0 && { errors }),
    ...(cost && { extensions: { cost } }),
  };
}

function buildRoot(
  builder: AnswerBuilder,
  root: CompiledRoot,
  outcome: RootOutcome,
): Promise<void> | undefined {
  const { key } = root;
  switch (outcome.kind) {
    case 'forwarded':
      buildForwarded(builder, root);
      break;
    case 'followed':
      buildFollowed(builder, root, outcome);
      break;
    case 'objects':
      if (root.special?.kind === 'objects') buildObjects(builder, { root, special: root.special, outcome });
      break;
    case 'value':
      builder.data[key] = outcome.value;
      break;
    case 'introspection':
      return introspect(builder, root, outcome.fields);
    case 'refused':
      builder.hidesCost = true;
      fail(builder, root, refusalError(outcome.why, [key], tellingOf(builder)));
      break;
    case 'absent':
      fail(builder, root, ...absentErrors(builder, root, outcome.errors));
      break;
    case 'invalid':
      fail(builder, root, fieldError('GRAPHQL_VALIDATION_FAILED', [key], outcome.message));
      break;
  }
  return undefined;
}

/** While a customer is acting, absent looks like foreign. */
function absentErrors(
  { context }: AnswerBuilder,
  root: CompiledRoot,
  errors: readonly PlatformError[],
): ResultError[] {
  if (context.identity.actingCustomerId !== undefined && errors.some(isAbsence))
    return [fieldError('FORBIDDEN', [root.key])];
  return errors.map((error) => tellPlatformError(context, error, pathAt(root, error) ?? [root.key]));
}

function buildForwarded(builder: AnswerBuilder, root: CompiledRoot): void {
  const { context, answer } = builder;
  const value = root.read(answer?.data ?? {});
  const errors = errorsOf(builder, root);
  const isActing = context.identity.actingCustomerId !== undefined;
  const isAbsent = (value ?? null) === null && answer?.data !== null;
  // Of the customer as a whole; those of the list are told as they are.
  const isUnread = errors.length === 0 || errors.some(({ path }) => path.length === 0);
  // An owned root that is proved and yet null is null at the platform: that is the answer.
  if (isAbsent && isUnread && isActing && root.special?.kind === 'narrowed') {
    const why = refusalFrom(errors.map(({ error }) => error));
    fail(builder, root, refusalError(why, [root.key], tellingOf(builder)));
    return;
  }
  addWalked(builder, root, { value, errors });
}

function buildFollowed(
  builder: AnswerBuilder,
  root: CompiledRoot,
  { value, isLocal, errors }: Extract<RootOutcome, { kind: 'followed' }>,
): void {
  const { selection } = root;
  if (!isLocal || selection === undefined || (value ?? null) === null) {
    addWalked(builder, root, { value, errors });
    return;
  }
  const walk = startWalk(builder.context, builder.variables);
  const path = [root.key];
  builder.data[root.key] = projectServiceValue(walk, value as Readonly<Record<string, unknown>>, {
    selection,
    path,
  });
  waitFor(builder, { root, walk, platformErrors: errors });
}

/** Local fields of all roots together, then the errors: what the platform's lead to is known only now. */
async function fillIn(builder: AnswerBuilder): Promise<void> {
  const { context, walked } = builder;
  const failures = await resolveServiceFields(
    context,
    walked.map(({ walk }) => walk),
  );
  for (const { root, walk, platformErrors, errors } of walked) {
    for (const { error, path } of platformErrors) {
      const places = placesOf(path, walk);
      for (const place of places) {
        const told = tellPlatformError(context, error, place);
        context.room.take(JSON.stringify(told).length);
        errors.push(told);
      }
    }
    for (const { task, error } of failures.filter((one) => one.task.walk === walk)) {
      const path = toClientPath(task.path, walk.removals) ?? task.path;
      errors.push(fieldErrorFrom(error, path, context.isMerchant));
      if (!propagateNull(builder.data, root.shape, path)) builder.isNull = true;
    }
  }
}

/** Where a path of the platform's stands in the client's answer: nowhere, in one place, or in several. */
function placesOf(path: Path, { grafts, removals }: Walk): Path[] {
  const at = grafts.filter(({ from }) => from.every((step, depth) => path[depth] === step));
  const moved = at.map(({ from, to }) => [...to, ...path.slice(from.length)]);
  const isPart = path.some((step) => typeof step === 'string' && isPartAlias(step)) || isOurKey(path[0]);
  const places = (isPart || moved.length > 0 ? moved : [path]).map((one) => toClientPath(one, removals));
  return places.filter((one) => one !== undefined);
}

/** Whether a root of the upstream document stands for no root of the client's. */
function isOurKey(key: string | number | undefined): boolean {
  return typeof key === 'string' && isOurs(key);
}

async function introspect(
  builder: AnswerBuilder,
  root: CompiledRoot,
  fields: readonly FieldNode[],
): Promise<void> {
  const { context, document, variables } = builder;
  const { value, errors } = await context.introspect(fields, { document, variables }, context.room);
  builder.data[root.key] = value;
  builder.errors.push([...errors]);
}
