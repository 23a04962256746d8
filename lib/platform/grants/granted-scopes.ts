/** Decides which access the scopes of a grant allow. */

/** Whether a scope is granted. A write scope includes the read scope. */
export function isScopeGranted(grantedScopes: ReadonlySet<string>, scope: string): boolean {
  return grantedScopes.has(scope) || grantedScopes.has(scope.replace(/^read_/, 'write_'));
}

/** Returns the required scopes that are not granted. */
export function findMissingScopes(
  requiredScopes: readonly string[],
  grantedScopes: readonly string[],
): string[] {
  const grantedScopeSet = new Set(grantedScopes);
  return requiredScopes.filter((scope) => !isScopeGranted(grantedScopeSet, scope));
}
