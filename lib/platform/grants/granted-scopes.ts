/** Decides which access the scopes of a grant allow. */

/** Whether a scope is granted. A write scope includes the read scope. */
export function isScopeGranted(granted: ReadonlySet<string>, scope: string): boolean {
  return granted.has(scope) || granted.has(scope.replace(/^read_/, 'write_'));
}

/** Returns the required scopes that are not granted. */
export function findMissingScopes(required: readonly string[], granted: readonly string[]): string[] {
  const scopes = new Set(granted);
  return required.filter((scope) => !isScopeGranted(scopes, scope));
}
