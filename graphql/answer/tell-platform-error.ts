/** One error of the platform's answer is passed on with its message, path and code alone. */
import {
  isDenied,
  isPlatformFailure,
  type PlatformError,
} from '../../lib/platform/admin-api/admin-answer.ts';
import type { GidNamespaces } from '../compile/proofs/rewrite-gid.ts';
import type { Path, ResultError } from '../compile/result-error.ts';
import { shortened } from '../policy/errors/shortened.ts';
import { fieldError } from './graphql-result.ts';
import type { Identity } from './identity.ts';
import { accessError } from './refusal.ts';

type Telling = {
  readonly identity: Pick<Identity, 'namespaces'>;
  readonly isMerchant: boolean;
  readonly isAfterChange?: boolean;
};

/**
 * The error for the client: ours for what the store has not granted, and for a root of a query at which the platform
 * itself failed; else the platform's, in its words.
 */
export function tellPlatformError(context: Telling, error: PlatformError, path: Path): ResultError {
  const isRepeatable = isPlatformFailure(error) && path.length === 1 && !context.isAfterChange;
  if (isDenied(error)) return accessError({ errors: [error], isMerchant: context.isMerchant }, path);
  if (isRepeatable) return fieldError('PLATFORM_UNAVAILABLE', path);
  return mapPlatformError(error, path, context.identity.namespaces);
}

/** The platform's error in its own words; an id that they repeat is the client's own again. */
function mapPlatformError(error: PlatformError, path: Path, namespaces: GidNamespaces): ResultError {
  const { message, extensions } = error;
  const code = typeof extensions?.code === 'string' ? extensions.code : undefined;
  const words = String(message).replaceAll(`gid://${namespaces.platform}/`, `gid://${namespaces.client}/`);
  return {
    message: shortened(words),
    path,
    ...(code !== undefined && { extensions: { code } }),
  };
}
