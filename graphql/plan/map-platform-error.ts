/** One error of the platform's answer, in what is passed on of it: message, path and code. */
import { isTransient, type PlatformError } from '../../lib/platform/admin-answer.ts';
import { shortened } from '../policy/shortened.ts';
import type { Identity } from './evaluate-root.ts';
import { fieldError, type ResultError } from './graphql-result.ts';
import { NOT_GRANTED } from './refusal.ts';
import type { GidNamespaces } from './rewrite-gid.ts';
import type { Path } from './walk-answer.ts';

type Telling = { readonly identity: Pick<Identity, 'namespaces'>; readonly isAfterChange?: boolean };

/** As `mapPlatformError`; a root of a query at which the platform itself failed may be asked for again. */
export function tellPlatformError(context: Telling, error: PlatformError, path: Path): ResultError {
  const isRepeatable = isTransient(error) && path.length === 1 && !context.isAfterChange;
  if (isRepeatable) return fieldError('PLATFORM_UNAVAILABLE', path);
  return mapPlatformError(error, path, context.identity.namespaces);
}

/**
 * The error for the client. Of ACCESS_DENIED only the code stays: its words are about our app. An id that the
 * words repeat is the client's own again.
 */
export function mapPlatformError(error: PlatformError, path: Path, namespaces: GidNamespaces): ResultError {
  const { message, extensions } = error;
  const code = typeof extensions?.code === 'string' ? extensions.code : undefined;
  const words = String(message).replaceAll(`gid://${namespaces.platform}/`, `gid://${namespaces.client}/`);
  return {
    message: code === 'ACCESS_DENIED' ? NOT_GRANTED : shortened(words),
    path,
    ...(code !== undefined && { extensions: { code } }),
  };
}
