/**
 * Checks the scopes of a merchant's key. A plan is shared by all keys, so the check runs for each request, before
 * anything is sent or read.
 */
import type { StoreActor } from '../../lib/credentials/actor.ts';
import { type KeyScope, keyScopes } from '../../lib/domain/key-scope.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import type { Plan } from '../plan/plan.ts';
import { findRequiredKeyScopes } from '../schema/field-policy.ts';

/**
 * Returns KEY_SCOPE_MISSING for the first root whose scopes the key lacks, even if `@skip` or `@include` excludes the
 * root.
 * @returns undefined when the key has all scopes
 */
export function findMissingScope(plan: Plan, actor: StoreActor): ServiceError | undefined {
  const rootType = plan.kind === 'query' ? 'QueryRoot' : 'Mutation';
  for (const rootName of plan.rootNames) {
    // The schema itself is not secret: any key may read it.
    if (rootName.startsWith('__')) continue;
    // An unknown root needs all scopes.
    const requiredScopes = findRequiredKeyScopes(rootType, rootName) ?? keyScopes;
    const missingScopes = requiredScopes.filter((scope) => !actor.scopes.includes(scope));
    if (missingScopes.length > 0) return createMissingScopeError(rootName, missingScopes);
  }
  return undefined;
}

function createMissingScopeError(name: string, missing: readonly KeyScope[]): ServiceError {
  const message =
    `"${name}" needs the scope ${missing.join(', ')}, which this key does not have. ` +
    'Use a key that has the scope, or ask for a new key.';
  return new ServiceError('KEY_SCOPE_MISSING', { message, extensions: { missing } });
}
