/** One error of the platform's answer, in what is passed on of it: message, path and code. */
import type { PlatformError } from '../../lib/platform/admin-answer.ts';
import type { ResultError } from './graphql-result.ts';
import type { Path } from './walk-answer.ts';

/** The error for the client. Of ACCESS_DENIED only the code stays: its words are about our app. */
export function mapPlatformError({ message, extensions }: PlatformError, path: Path): ResultError {
  const code = typeof extensions?.code === 'string' ? extensions.code : undefined;
  return {
    message: code === 'ACCESS_DENIED' ? 'The store has not granted access to this field.' : String(message),
    path,
    ...(code !== undefined && { extensions: { code } }),
  };
}
