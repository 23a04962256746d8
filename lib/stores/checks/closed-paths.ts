/** Reads from the platform's refusals, field by field, which access an answer lacks. */
import { isDenied, type PlatformError } from '../../platform/admin-api/admin-answer.ts';
import { missingAccess } from '../../platform/admin-api/missing-access.ts';
import { accessOf, isScope, type NeededAccess } from '../../platform/admin-api/needed-access.ts';
import { LEVEL_1 } from '../../platform/admin-api/protected-data.ts';
import { isGranted } from '../../platform/grants/granted-scopes.ts';
import type { AccessQuestion } from './access-questions.ts';

/** The handles that the platform names; undefined: it does not say. */
export type Granted = ReadonlySet<string> | undefined;

/** The fields that one lack closes. */
export type Closed = {
  /** The access that is lacking; undefined: none that is known here. */
  readonly row: NeededAccess | undefined;
  /** The paths from the root of the question, without positions in lists; each once. */
  readonly paths: readonly string[];
  /** The platform's words. */
  readonly message: string;
};

/** The fields that the refusals of an answer name, by what is missing. */
export function closedPaths(
  { shows }: AccessQuestion,
  errors: readonly PlatformError[],
  granted: Granted,
): Closed[] {
  const byRow = Map.groupBy(errors.filter(isDenied), (error) => closedBy(shows, error, granted));
  return [...byRow].map(([row, closing]) => ({
    row,
    paths: [...new Set(closing.map(pathOf))],
    message: closing[0]?.message ?? '',
  }));
}

export const pathOf = ({ path = [] }: PlatformError) =>
  path.filter((part) => typeof part === 'string').join('.') || 'all of it';

/**
 * The access whose lack closed what an error names: what the platform's words name, else what the field is known to need.
 * Addresses are closed as objects, and are of level 2 all the same.
 */
function closedBy(
  shows: AccessQuestion['shows'],
  error: PlatformError,
  granted: Granted,
): NeededAccess | undefined {
  const field = error.path?.findLast((part) => typeof part === 'string' && shows[part] !== undefined);
  const known = accessOf(shows[field ?? ''] ?? '');
  const named = missingAccess([error]).flatMap((handle) => accessOf(handle) ?? []);
  if (known !== undefined && !isScope(known) && !named.some(isScope)) return known;
  const isThere = ({ handle }: NeededAccess) => granted !== undefined && isGranted(granted, handle);
  const lacked = named.find((row) => !isThere(row)) ?? named[0];
  if (lacked !== undefined || known === undefined) return lacked;
  // The scope is there: the object itself may be protected.
  const level1 = accessOf(LEVEL_1);
  const isProtected = known.opens.some((name) => level1?.opens.includes(name));
  return isThere(known) && isProtected ? level1 : known;
}
