/** Finds out which access is missing, from the platform's error for each denied field. */
import { isAccessDenied, type PlatformError } from '../../platform/admin-api/admin-response.ts';
import { listMissingAccess } from '../../platform/admin-api/missing-access.ts';
import {
  findAccessByHandle,
  isScopeHandle,
  type NeededAccess,
} from '../../platform/admin-api/needed-access.ts';
import { PROTECTED_DATA_LEVEL_1 } from '../../platform/admin-api/protected-data.ts';
import { isScopeGranted } from '../../platform/grants/granted-scopes.ts';
import type { AccessProbeQuery } from './access-probe-queries.ts';

/** The granted scopes. Undefined when the platform does not list them. */
export type GrantedScopes = ReadonlySet<string> | undefined;

/** The denied fields that one missing access explains. */
export type DeniedFields = {
  /** The missing access. Undefined when the service does not know it. */
  readonly missingAccess: NeededAccess | undefined;
  /** The denied paths from the root of the query, without list indexes and duplicates. */
  readonly paths: readonly string[];
  /** The platform's message about the first of these fields. */
  readonly message: string;
};

/** Groups the denied fields of a response by the access that is missing. */
export function groupDeniedFields(
  { requiredAccessByField }: AccessProbeQuery,
  errors: readonly PlatformError[],
  grantedScopes: GrantedScopes,
): DeniedFields[] {
  const errorsByAccess = Map.groupBy(errors.filter(isAccessDenied), (error) =>
    findAccessMissingFor(requiredAccessByField, error, grantedScopes),
  );
  return [...errorsByAccess].map(([row, denials]) => ({
    missingAccess: row,
    paths: [...new Set(denials.map(errorPathText))],
    message: denials[0]?.message ?? '',
  }));
}

/** Returns the path of a platform error without list indexes, for example `customers.nodes.email`. */
export const errorPathText = ({ path = [] }: PlatformError) =>
  path.filter((part) => typeof part === 'string').join('.') || 'all of it';

/**
 * Returns the access that is missing for a denied field: the access that the platform's message names, else the one
 * that the field requires. The platform denies an address as a whole object, which needs level 2 of protected customer
 * data.
 */
function findAccessMissingFor(
  requiredAccessByField: AccessProbeQuery['requiredAccessByField'],
  error: PlatformError,
  grantedScopes: GrantedScopes,
): NeededAccess | undefined {
  const deniedField = error.path?.findLast(
    (part) => typeof part === 'string' && requiredAccessByField[part] !== undefined,
  );
  const accessOfField = findAccessByHandle(requiredAccessByField[deniedField ?? ''] ?? '');
  const namedAccess = listMissingAccess([error]).flatMap((handle) => findAccessByHandle(handle) ?? []);
  if (accessOfField !== undefined && !isScopeHandle(accessOfField) && !namedAccess.some(isScopeHandle))
    return accessOfField;
  const isGranted = ({ handle }: NeededAccess) =>
    grantedScopes !== undefined && isScopeGranted(grantedScopes, handle);
  const missingAccess = namedAccess.find((row) => !isGranted(row)) ?? namedAccess[0];
  if (missingAccess !== undefined || accessOfField === undefined) return missingAccess;
  // The scope is granted, so level 1 of protected customer data is missing.
  const level1 = findAccessByHandle(PROTECTED_DATA_LEVEL_1);
  const isProtectedData = accessOfField.openedNames.some((name) => level1?.openedNames.includes(name));
  return isGranted(accessOfField) && isProtectedData ? level1 : accessOfField;
}
