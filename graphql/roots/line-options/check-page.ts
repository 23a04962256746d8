/**
 * Whether the platform's page may be shown. A cursor can be made up, so none may tell which products and variants there
 * are: whatever it names that the list does not show, the answer is the same.
 */
import {
  type AdminAnswer,
  isDenied,
  isPlatformFailure,
  type PlatformError,
} from '../../../lib/platform/admin-api/admin-answer.ts';
import { isOffered, type OptionsAnswer, type Scope } from './option-rows.ts';
import { type Position, unknownCursor } from './position.ts';

type Errors = readonly PlatformError[];

/**
 * The errors that have taken the page along; undefined: it is there. GRAPHQL_VALIDATION_FAILED: the cursor names nothing
 * that is listed.
 */
export function checkPage(
  { data, errors }: AdminAnswer,
  position: Position,
  earlier: Scope['earlier'],
): Errors | undefined {
  const answer = data as OptionsAnswer | null;
  if (position.kind === 'product') return checkProduct(answer, errors, earlier);
  const group = answer?._svcGroup;
  if (position.kind === 'products' ? group?._svcProducts : group?._svcVariants) return undefined;
  const isOfCursor = position.from !== null && errors.some(isOfList);
  if (isOfCursor || errors.length === 0) throw unknownCursor();
  return errors;
}

/** The product has to be listed in the group. Only the platform's own failures are told, which say nothing of it. */
function checkProduct(
  answer: OptionsAnswer | null,
  errors: Errors,
  earlier: Scope['earlier'],
): Errors | undefined {
  const isMember = answer?._svcGroup?._svcApplies === true;
  const product = answer?._svcProduct ?? undefined;
  if (isMember && product !== undefined && isOffered(product, earlier)) return undefined;
  const failures = errors.filter(isPlatformFailure);
  const reported = isMember ? failures : failures.filter(({ path }) => path?.[0] === '_svcGroup');
  if (product !== undefined || reported.length === 0) throw unknownCursor();
  return reported;
}

/** Whether an error stands at the list that a cursor is for, and not below it. */
function isOfList(error: PlatformError): boolean {
  const depth = error.path?.length ?? 0;
  return depth <= 2 && !isDenied(error) && !isPlatformFailure(error);
}
