/** One error of the platform's answer, in what is passed on of it: message, path and code. */
import type { PlatformError } from '../../lib/platform/admin-answer.ts';
import { shortened } from '../policy/shortened.ts';
import type { ResultError } from './graphql-result.ts';
import type { GidNamespaces } from './rewrite-gid.ts';
import type { Path } from './walk-answer.ts';

/**
 * The error for the client. Of ACCESS_DENIED only the code stays: its words are about our app. An id that the
 * words repeat is the client's own again.
 */
export function mapPlatformError(error: PlatformError, path: Path, namespaces: GidNamespaces): ResultError {
  const { message, extensions } = error;
  const code = typeof extensions?.code === 'string' ? extensions.code : undefined;
  const words = String(message).replaceAll(`gid://${namespaces.platform}/`, `gid://${namespaces.client}/`);
  return {
    message: code === 'ACCESS_DENIED' ? 'The store has not granted access to this field.' : shortened(words),
    path,
    ...(code !== undefined && { extensions: { code } }),
  };
}
