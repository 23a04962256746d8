/**
 * The scopes that a store's key lacks for the roots of an operation. A plan is the same for all keys, so each request
 * is checked before anything is sent or read.
 */
import type { StoreActor } from '../../lib/credentials/actor.ts';
import { type KeyScope, keyScopes } from '../../lib/domain/key-scope.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import type { Plan } from '../plan/plan.ts';
import { requiredKeyScopes } from '../schema/field-policy.ts';

/**
 * Returns KEY_SCOPE_MISSING for the first root whose scopes the key lacks, regardless of the root's conditions.
 * Customers have other rules.
 * @returns undefined when the key has all scopes
 */
export function findMissingScope(plan: Plan, actor: StoreActor): ServiceError | undefined {
  for (const { type, name } of rootNamesOf(plan)) {
    // The schema itself is not secret: any key may read it.
    if (name.startsWith('__')) continue;
    const missing = missingScopes(requiredKeyScopes(type, name), actor.scopes);
    if (missing.length > 0) return missingScopeError(name, missing);
  }
  return undefined;
}

function rootNamesOf({ kind, named }: Plan) {
  const type = kind === 'query' ? 'QueryRoot' : 'Mutation';
  return named.map((name) => ({ type, name }));
}

/** An unknown root needs all scopes. */
function missingScopes(needed: readonly KeyScope[] | undefined, has: readonly KeyScope[]): KeyScope[] {
  return (needed ?? keyScopes).filter((scope) => !has.includes(scope));
}

function missingScopeError(name: string, missing: readonly KeyScope[]): ServiceError {
  const message =
    `"${name}" needs the scope ${missing.join(', ')}, which this key does not have. ` +
    'Use a key that has the scope, or ask for a new key.';
  return new ServiceError('KEY_SCOPE_MISSING', { message, extensions: { missing } });
}
