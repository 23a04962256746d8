/** An answer while it is put together: what every kind of root adds to it. */
import type { DocumentNode, FieldNode } from 'graphql';
import type { AdminAnswer, PlatformError } from '../../lib/platform/admin-api/admin-answer.ts';
import type { EventRecord } from '../../lib/timeline/event-record.ts';
import type { CompiledRoot } from '../compile/plan.ts';
import { isOurs } from '../compile/selection/build-answer-shape.ts';
import { isNonNull } from '../compile/selection/type-reference.ts';
import type { Variables } from '../compile/selection/upstream-writer.ts';
import type { ObjectsEvaluation } from '../roots/evaluate-ids.ts';
import type { RunContext } from '../run/run-context.ts';
import type { ResultError } from './graphql-result.ts';
import { type Refusal, refusalError, refusalFrom, type Telling } from './refusal.ts';
import { FOREIGN, isWithdrawn, type Path, startWalk, type Walk, walkRoot } from './walk-answer.ts';

/** What became of a root. */
export type RootOutcome =
  | { readonly kind: 'forwarded' }
  | { readonly kind: 'refused'; readonly why: Refusal }
  /** The platform has no such object; its words are for those for whom nobody acts. */
  | { readonly kind: 'absent'; readonly errors: readonly PlatformError[] }
  | { readonly kind: 'invalid'; readonly message: string }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'introspection'; readonly fields: readonly FieldNode[] }
  | {
      readonly kind: 'objects';
      readonly ids: ObjectsEvaluation;
      /** Positions at the client's that are not shown. */
      readonly refused: ReadonlyMap<number, Refusal>;
      /** Entries of timelines, by position. */
      readonly events: ReadonlyMap<number, EventRecord>;
    }
  /** Put together here, perhaps from several requests; `isLocal`: by the names of its fields. */
  | {
      readonly kind: 'followed';
      readonly value: unknown;
      readonly isLocal: boolean;
      readonly errors: readonly OwnError[];
    };

/** A root that is walked and waits for its local fields. */
export type Walked = {
  readonly root: CompiledRoot;
  readonly walk: Walk;
  readonly platformErrors: readonly OwnError[];
  /** Gets the root's errors once they are known: so they stand in the order of the roots. */
  readonly errors: ResultError[];
};

export type AnswerBuilder = {
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

/** What of its refusals this answer tells. */
export function tellingOf({ context, answer }: AnswerBuilder): Telling {
  return { isMerchant: context.isMerchant, errors: answer?.errors ?? [] };
}

/** Where an error of the platform stands below this root; undefined if it is another's. */
export function pathAt({ upstream }: CompiledRoot, { path = [] }: PlatformError): Path | undefined {
  const [first, ...rest] = path;
  const prefix = upstream.get(String(first));
  return prefix === undefined ? undefined : [...prefix, ...rest];
}

/** Nothing of a root is answered, and this is why. */
export function fail(builder: AnswerBuilder, root: CompiledRoot, ...errors: readonly ResultError[]): void {
  builder.errors.push([...errors]);
  builder.data[root.key] = null;
  if (isNonNull(root.type)) builder.isNull = true;
}

/** An error of the platform, and its path at the client's. */
export type OwnError = { readonly error: PlatformError; readonly path: Path };

/** The platform's errors below this root. */
export function errorsOf({ answer }: Pick<AnswerBuilder, 'answer'>, root: CompiledRoot): OwnError[] {
  return (answer?.errors ?? []).flatMap((error) => {
    const path = pathAt(root, error);
    return path === undefined ? [] : [{ error, path }];
  });
}

export type RootValue = { readonly value: unknown; readonly errors: readonly OwnError[] };

/** Adds what the platform answered for a root; undefined if it belongs to another customer, or is refused. */
export function addWalked(
  builder: AnswerBuilder,
  root: CompiledRoot,
  { value, errors }: RootValue,
): Walk | undefined {
  const { context, variables } = builder;
  const walk = startWalk(context, variables);
  const walked = walkRoot(walk, value ?? null, root.shape);
  if (walked === FOREIGN && isWithdrawn(value)) {
    // As one that is not there.
    builder.data[root.key] = null;
    return undefined;
  }
  if (walked === FOREIGN) {
    const unread = errors.filter(({ path }) => path.some((step) => isOurs(String(step))));
    const why = refusalFrom(unread.map(({ error }) => error));
    fail(builder, root, refusalError(why, [root.key], tellingOf(builder)));
    return undefined;
  }
  builder.data[root.key] = walked;
  waitFor(builder, { root, walk, platformErrors: errors });
  return walk;
}

/** Notes a root whose value stands in the answer and whose local fields do not yet. */
export function waitFor(builder: AnswerBuilder, walked: Omit<Walked, 'errors'>): void {
  const errors: ResultError[] = [];
  builder.errors.push(errors);
  builder.walked.push({ ...walked, errors });
}
