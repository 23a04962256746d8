/** Answers one root: with the platform's value, walked for the client, or with the reason why nothing of it is shown. */
import type { PlatformError } from '../../lib/platform/admin-api/admin-answer.ts';
import { isServiceAlias } from '../compile/selection/service-alias.ts';
import { isNonNull } from '../compile/selection/type-reference.ts';
import type { Path, ResultError } from '../plan/result-error.ts';
import type { PlacedError, Refusal, RootValue } from '../plan/root-answer.ts';
import type { AnswerRequest, CompiledRoot, RootAnswer } from '../plan/root-kind.ts';
import { type RefusalOptions, refusalError, refusalFrom } from './refusal.ts';
import { FOREIGN, isWithdrawn, startWalk, walkRoot } from './walk-answer.ts';

/** The facts that the error of a refusal depends on. */
export function refusalOptionsOf({ context, answer }: AnswerRequest): RefusalOptions {
  return { isMerchant: context.isMerchant, errors: answer?.errors ?? [] };
}

/** The place of a platform's error below this root; undefined if it is another root's. */
export function pathAt({ upstream }: CompiledRoot, { path = [] }: PlatformError): Path | undefined {
  const [first, ...rest] = path;
  const prefix = upstream.get(String(first));
  return prefix === undefined ? undefined : [...prefix, ...rest];
}

/** The platform's errors below this root. */
export function errorsOf({ answer }: Pick<AnswerRequest, 'answer'>, root: CompiledRoot): PlacedError[] {
  return (answer?.errors ?? []).flatMap((error) => {
    const path = pathAt(root, error);
    return path === undefined ? [] : [{ error, path }];
  });
}

/** Answers a root with null and the reasons. */
export function fail(root: CompiledRoot, ...errors: readonly ResultError[]): RootAnswer {
  return { value: null, errors, isNull: isNonNull(root.type) };
}

/** Refuses a root and hides the cost, which would reveal whether the object exists. */
export function refuse(request: AnswerRequest, root: CompiledRoot, why: Refusal): RootAnswer {
  return { ...fail(root, refusalError(why, [root.key], refusalOptionsOf(request))), hidesCost: true };
}

/** Answers a root with the platform's value, unless it belongs to another customer, or is refused. */
export function answerWalked(
  request: AnswerRequest,
  root: CompiledRoot,
  { value, errors }: RootValue,
): RootAnswer {
  const { context, variables } = request;
  const walk = startWalk(context, variables);
  const walked = walkRoot(walk, value ?? null, root.shape);
  if (walked !== FOREIGN) return { value: walked, walked: { walk, platformErrors: errors }, errors: [] };
  // A product that is no longer for sale is answered as one that is not there.
  if (isWithdrawn(value)) return { value: null, errors: [] };
  const unread = errors.filter(({ path }) => path.some((step) => isServiceAlias(String(step))));
  const why = refusalFrom(unread.map(({ error }) => error));
  return fail(root, refusalError(why, [root.key], refusalOptionsOf(request)));
}
