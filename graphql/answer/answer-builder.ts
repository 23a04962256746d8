/** An answer while it is put together: what became of each root, and what every kind of root adds. */
import type { ServiceError } from '../../lib/errors/service-error.ts';
import type { AdminAnswer, PlatformError } from '../../lib/platform/admin-api/admin-answer.ts';
import type { Path, ResultError } from '../compile/result-error.ts';
import type { CompiledRoot, RootKind } from '../compile/root-kind.ts';
import type { Variables } from '../compile/selection/client-document.ts';
import { isServiceAlias } from '../compile/selection/service-alias.ts';
import { isNonNull } from '../compile/selection/type-reference.ts';
import type { AnswerBudget } from './answer-size.ts';
import type { Identity } from './identity.ts';
import { type Refusal, type RefusalOptions, refusalError, refusalFrom } from './refusal.ts';
import type { Walk } from './walk.ts';
import { FOREIGN, isWithdrawn, startWalk, walkRoot } from './walk-answer.ts';

/** The outcome of a root that the platform has not simply answered. */
export type RootOutcome =
  | { readonly kind: 'refused'; readonly why: Refusal }
  /** The platform has no such object; its own words are for requests in which no customer acts. */
  | { readonly kind: 'absent'; readonly errors: readonly PlatformError[] }
  | { readonly kind: 'invalid'; readonly message: string }
  /** Its kind knows how it is answered. `isDenied`: nothing of it can be shown, for lack of access at the platform. */
  | { readonly kind: 'found'; readonly found: unknown; readonly isDenied?: boolean };

/** A kind of root, as the building of an answer asks it. `Found`: what running the root has found. */
export type AnswerableKind<Special = unknown, Found = unknown> = RootKind<Special> & {
  /** Puts the root into the answer. Without this, the platform's answer is walked and put there. */
  answer?(builder: AnswerBuilder, root: CompiledRoot<Special>, found: Found): void;
};

/** The request, as far as building its answer has to know it. */
export type AnswerContext = {
  readonly identity: Identity;
  /** Whether costs are shown, and what is missing in the store's grant. */
  readonly isMerchant: boolean;
  /** How much may still be put together here. */
  readonly budget: AnswerBudget;
  /** Whether something has been changed, so that the client has to get its answer. */
  readonly isAfterChange?: boolean;
};

/** A root that is walked and waits for the fields that the service answers. */
export type WalkedRoot = {
  readonly root: CompiledRoot;
  readonly walk: Walk;
  readonly platformErrors: readonly PlacedError[];
  /** Gets the root's errors once they are known: so they stand in the order of the roots. */
  readonly errors: ResultError[];
};

export type AnswerBuilder = {
  readonly context: AnswerContext;
  readonly data: Record<string, unknown>;
  readonly errors: ResultError[][];
  readonly walked: WalkedRoot[];
  readonly answer: AdminAnswer | undefined;
  readonly variables: Variables;
  isNull: boolean;
  hidesCost: boolean;
};

/** The facts that the answer tells of its refusals. */
export function refusalOptionsOf({ context, answer }: AnswerBuilder): RefusalOptions {
  return { isMerchant: context.isMerchant, errors: answer?.errors ?? [] };
}

/** The place of a platform's error below this root; undefined if it is another root's. */
export function pathAt({ upstream }: CompiledRoot, { path = [] }: PlatformError): Path | undefined {
  const [first, ...rest] = path;
  const prefix = upstream.get(String(first));
  return prefix === undefined ? undefined : [...prefix, ...rest];
}

/** Answers nothing of a root, and tells why. */
export function fail(builder: AnswerBuilder, root: CompiledRoot, ...errors: readonly ResultError[]): void {
  builder.errors.push([...errors]);
  builder.data[root.key] = null;
  if (isNonNull(root.type)) builder.isNull = true;
}

/** Refuses a root, and hides the cost, which would tell whether the object is there. */
export function refuse(builder: AnswerBuilder, root: CompiledRoot, why: Refusal): void {
  builder.hidesCost = true;
  fail(builder, root, refusalError(why, [root.key], refusalOptionsOf(builder)));
}

/** An error of the platform, or one of ours about a list that is made here, and its path at the client's. */
export type PlacedError = { readonly error: PlatformError | ServiceError; readonly path: Path };

/** The platform's errors below this root. */
export function errorsOf({ answer }: Pick<AnswerBuilder, 'answer'>, root: CompiledRoot): PlacedError[] {
  return (answer?.errors ?? []).flatMap((error) => {
    const path = pathAt(root, error);
    return path === undefined ? [] : [{ error, path }];
  });
}

export type RootValue = { readonly value: unknown; readonly errors: readonly PlacedError[] };

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
    // A product that is no longer for sale is answered as one that is not there.
    builder.data[root.key] = null;
    return undefined;
  }
  if (walked === FOREIGN) {
    const unread = errors.filter(({ path }) => path.some((step) => isServiceAlias(String(step))));
    const why = refusalFrom(unread.map(({ error }) => error));
    fail(builder, root, refusalError(why, [root.key], refusalOptionsOf(builder)));
    return undefined;
  }
  builder.data[root.key] = walked;
  waitFor(builder, { root, walk, platformErrors: errors });
  return walk;
}

/** Notes a root whose value stands in the answer, and whose fields of the service's do not yet. */
export function waitFor(builder: AnswerBuilder, walked: Omit<WalkedRoot, 'errors'>): void {
  const errors: ResultError[] = [];
  builder.errors.push(errors);
  builder.walked.push({ ...walked, errors });
}
