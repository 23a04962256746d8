/**
 * Fields that answer only to an app with a scope. As on the platform a denial is one field's error, and what may not be
 * null takes its parent with it.
 */
import { type GraphQLField, getNamedType } from 'graphql';
import type { StoreState } from '../state/state.ts';
import { apiError } from './api-error.ts';

/** By the type that a field brings. */
const scopeOfType: Readonly<Record<string, string>> = {
  Location: 'read_locations',
  LocationConnection: 'read_locations',
};

/** The scope that the field needs; undefined: every app may read it. */
export function scopeOf(field: GraphQLField<unknown, unknown>): string | undefined {
  return scopeOfType[getNamedType(field.type).name];
}

/** Throws ACCESS_DENIED where the store withholds the scope. */
export function checkAccess({ withheldScopes }: StoreState, field: { name: string; scope: string }): void {
  // Kept data of an earlier start does not have the list.
  if (!withheldScopes?.includes(field.scope)) return;
  const words = `Access denied for ${field.name} field. Required access: \`${field.scope}\` access scope.`;
  throw apiError(words, 'ACCESS_DENIED');
}
