/** The client's answer from the platform's: roots in the client's order, errors where they belong, costs. */
import type { DocumentNode, FieldNode } from 'graphql';
import type { AdminAnswer, PlatformError } from '../../lib/platform/admin-answer.ts';
import { resolveLocalFields } from '../resolve/local-fields.ts';
import { toClientPath } from './client-path.ts';
import type { NodesEvaluation } from './evaluate-root.ts';
import { fieldError, fieldErrorFrom, type GraphqlResult, type ResultError } from './graphql-result.ts';
import { isPartAlias } from './local-selection.ts';
import { mapPlatformError } from './map-platform-error.ts';
import { nullAt } from './null-at.ts';
import type { PlannedRoot } from './plan.ts';
import type { RunContext } from './run-context.ts';
import { isNonNull } from './type-reference.ts';
import type { Variables } from './upstream-writer.ts';
import { FOREIGN, type Path, startWalk, type Walk, walkRoot } from './walk-answer.ts';

/** What became of a root. */
export type RootOutcome =
  | { readonly kind: 'forwarded' }
  | { readonly kind: 'refused' }
  /** The platform has no such object; its words are for those for whom nobody acts. */
  | { readonly kind: 'absent'; readonly errors: readonly PlatformError[] }
  | { readonly kind: 'invalid'; readonly message: string }
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'introspection'; readonly fields: readonly FieldNode[] }
  | {
      readonly kind: 'nodes';
      readonly nodes: NodesEvaluation;
      /** Positions at the client's whose proof failed. */
      readonly refused: ReadonlySet<number>;
    };

export type AnswerParts = {
  readonly roots: readonly { readonly root: PlannedRoot; readonly outcome: RootOutcome }[];
  /** Undefined: the platform was not asked. */
  readonly answer: AdminAnswer | undefined;
  readonly variables: Variables;
  readonly document: DocumentNode;
};

/** A root that is walked and waits for its local fields. */
type Walked = {
  readonly root: PlannedRoot;
  readonly walk: Walk;
  readonly platformErrors: readonly OwnError[];
  /** Gets the root's errors once they are known: so they stand in the order of the roots. */
  readonly errors: ResultError[];
};

type Building = {
  readonly context: RunContext;
  readonly data: Record<string, unknown>;
  readonly errors: ResultError[][];
  readonly walked: Walked[];
  readonly answer: AdminAnswer | undefined;
  readonly variables: Variables;
  readonly document: DocumentNode;
  isNull: boolean;
  hidesCost: boolean;
};

/** The whole answer of a query. */
export async function buildAnswer(context: RunContext, parts: AnswerParts): Promise<GraphqlResult> {
  const { roots, answer, variables, document } = parts;
  const building: Building = {
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
  for (const { root, outcome } of roots) await buildRoot(building, root, outcome);
  await fillIn(building);
  const { data, isNull, hidesCost } = building;
  const errors = building.errors.flat();
  const cost = context.isMerchant && !hidesCost ? answer?.cost : undefined;
  return {
    data: isNull ? null : data,
    ...(errors.length > 0 && { errors }),
    ...(cost && { extensions: { cost } }),
  };
}

async function buildRoot(building: Building, root: PlannedRoot, outcome: RootOutcome): Promise<void> {
  const { key } = root;
  switch (outcome.kind) {
    case 'forwarded':
      return buildForwarded(building, root, root.read(building.answer?.data ?? {}));
    case 'nodes':
      return buildNodes(building, root, outcome);
    case 'value':
      building.data[key] = outcome.value;
      return;
    case 'introspection':
      return introspect(building, root, outcome.fields);
    case 'refused':
      building.hidesCost = true;
      return fail(building, root, fieldError('FORBIDDEN', [key]));
    case 'absent':
      return fail(building, root, ...absentErrors(building, root, outcome.errors));
    case 'invalid':
      return fail(building, root, fieldError('GRAPHQL_VALIDATION_FAILED', [key], outcome.message));
    case 'unavailable':
      return fail(building, root, notYet(key));
  }
}

/** While a customer is acting, absent looks like foreign. */
function absentErrors(
  { context }: Building,
  root: PlannedRoot,
  errors: readonly PlatformError[],
): ResultError[] {
  const { actingCustomerId, namespaces } = context.identity;
  const isAbsence = errors.some(({ extensions }) => extensions?.code === 'RESOURCE_NOT_FOUND');
  if (actingCustomerId !== undefined && isAbsence) return [fieldError('FORBIDDEN', [root.key])];
  return errors.map((error) => mapPlatformError(error, pathAt(root, error) ?? [root.key], namespaces));
}

/** Where an error of the platform stands below this root; undefined if it is another's. */
function pathAt({ upstream }: PlannedRoot, { path = [] }: PlatformError): Path | undefined {
  const [first, ...rest] = path;
  const prefix = upstream.get(String(first));
  return prefix === undefined ? undefined : [...prefix, ...rest];
}

/** An operation whose behaviour is not there yet says so, and invents nothing. */
export function notYet(key: string): ResultError {
  return fieldError('NOT_AVAILABLE_YET', [key]);
}

function fail(building: Building, root: PlannedRoot, ...errors: readonly ResultError[]): void {
  building.errors.push([...errors]);
  building.data[root.key] = null;
  if (isNonNull(root.type)) building.isNull = true;
}

function buildForwarded(building: Building, root: PlannedRoot, value: unknown): void {
  const { context, variables, answer } = building;
  const walk = startWalk(context.identity, variables);
  const isActing = context.identity.actingCustomerId !== undefined;
  const isLost = answer?.data === null;
  const isAbsent = value === null || value === undefined;
  const ownErrors = errorsOf(building, root);
  if (isAbsent && isActing && !isLost && ownErrors.length === 0) {
    // An owned root that is proved and yet null is null at the platform: that is the answer.
    if (root.special?.kind === 'narrowed') {
      fail(building, root, fieldError('FORBIDDEN', [root.key]));
      return;
    }
  }
  const walked = walkRoot(walk, value ?? null, root.shape);
  if (walked === FOREIGN) {
    fail(building, root, fieldError('FORBIDDEN', [root.key]));
    return;
  }
  building.data[root.key] = walked;
  const errors: ResultError[] = [];
  building.errors.push(errors);
  building.walked.push({ root, walk, platformErrors: ownErrors, errors });
}

type OwnError = { readonly error: PlatformError; readonly path: Path };

/** The platform's errors below this root, with their paths at the client's. */
function errorsOf({ answer }: Building, root: PlannedRoot): OwnError[] {
  return (answer?.errors ?? []).flatMap((error) => {
    const path = pathAt(root, error);
    return path === undefined ? [] : [{ error, path }];
  });
}

/** Local fields of all roots together, then the errors: what the platform's lead to is known only now. */
async function fillIn(building: Building): Promise<void> {
  const { context, walked } = building;
  const failures = await resolveLocalFields(
    context,
    walked.map(({ walk }) => walk),
  );
  for (const { root, walk, platformErrors, errors } of walked) {
    for (const { error, path } of platformErrors) {
      const places = placesOf(path, walk);
      errors.push(...places.map((place) => mapPlatformError(error, place, context.identity.namespaces)));
    }
    for (const { task, error } of failures.filter((one) => one.task.walk === walk)) {
      const path = toClientPath(task.path, walk.removals) ?? task.path;
      errors.push(fieldErrorFrom(error, path));
      if (!nullAt(building.data, root.shape, path)) building.isNull = true;
    }
  }
}

/** Where a path of the platform's stands in the client's answer: nowhere, in one place, or in several. */
function placesOf(path: Path, { grafts, removals }: Walk): Path[] {
  const at = grafts.filter(({ from }) => from.every((step, depth) => path[depth] === step));
  const isInPart = path.some((step) => typeof step === 'string' && isPartAlias(step));
  const moved = at.map(({ from, to }) => [...to, ...path.slice(from.length)]);
  const places = (isInPart ? moved : [path]).map((one) => toClientPath(one, removals));
  return places.filter((one) => one !== undefined);
}

async function buildNodes(
  building: Building,
  root: PlannedRoot,
  { nodes, refused }: Extract<RootOutcome, { kind: 'nodes' }>,
): Promise<void> {
  const positions = [...nodes.sent.keys()];
  const answered = root.read(building.answer?.data ?? {});
  const list = Array.isArray(answered) ? answered : [];
  const own = positions.map((position, index) => (refused.has(position) ? null : list[index]));
  buildForwarded(building, root, own);
  const built = building.data[root.key];
  const byPosition = Array.from<unknown>({ length: nodes.length }).fill(null);
  if (Array.isArray(built)) {
    for (const [index, position] of positions.entries()) byPosition[position] = built[index] ?? null;
  }
  building.data[root.key] = byPosition;
  for (let position = 0; position < nodes.length; position++) {
    if (nodes.sent.has(position) && !refused.has(position)) continue;
    building.errors.push([fieldError('FORBIDDEN', [root.key, position])]);
    building.hidesCost = true;
  }
}

async function introspect(
  building: Building,
  root: PlannedRoot,
  fields: readonly FieldNode[],
): Promise<void> {
  const { context, document, variables } = building;
  const { value, errors } = await context.introspect(fields, { document, variables });
  building.data[root.key] = value;
  building.errors.push([...errors]);
}
