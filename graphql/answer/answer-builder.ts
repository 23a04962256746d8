import type { PlatformError } from '../../lib/platform/admin-api/admin-answer.ts';
import { isServiceAlias } from '../compile/selection/service-alias.ts';
import { isNonNull } from '../compile/selection/type-reference.ts';
import type { Path, ResultError } from '../plan/result-error.ts';
import type { PlacedError, Refusal, RootValue } from '../plan/root-answer.ts';
import type { AnswerBuilder, CompiledRoot, WalkedRoot } from '../plan/root-kind.ts';
import type { Walk } from '../plan/walk.ts';
import { type RefusalOptions, refusalError, refusalFrom } from './refusal.ts';
import { FOREIGN, isWithdrawn, startWalk, walkRoot } from './walk-answer.ts';

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

/** The platform's errors below this root. */
export function errorsOf({ answer }: Pick<AnswerBuilder, 'answer'>, root: CompiledRoot): PlacedError[] {
  return (answer?.errors ?? []).flatMap((error) => {
    const path = pathAt(root, error);
    return path === undefined ? [] : [{ error, path }];
  });
}

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
