/** The error for a document that the platform does not take: whose fault it is, and which of its words may be told. */
import { ServiceError } from '../../errors/service-error.ts';
import type { AdminReading, PlatformError } from './admin-answer.ts';

/** The namespaces of global ids: the client's and the platform's. */
export type CallersNamespaces = { readonly client: string; readonly platform: string };

const MESSAGE =
  'An id or value of this request is not one that the platform takes. Send ids as they were answered, and check the other values.';
/** Words that are about a value alone. All others may name what stands in our document. */
const ABOUT_AN_ID = /^Invalid (?:global )?id\b/i;
const OURS = /_svc|\$/;
const MAX_WORDS = 100;

/**
 * GRAPHQL_VALIDATION_FAILED if values of a caller are in the document, with at most 100 characters of the platform's
 * words about an id; INTERNAL_ERROR if all of it is ours.
 */
export function refusedDocument(
  { reason, errors = [] }: Extract<AdminReading, { kind: 'rejected' }>,
  namespaces: CallersNamespaces | undefined,
): ServiceError {
  const internal = `the platform refused our document: ${reason}`;
  if (namespaces === undefined) return new ServiceError('INTERNAL_ERROR', { internal });
  const words = errors.flatMap(wordsOf).find((one) => ABOUT_AN_ID.test(one) && !OURS.test(one));
  const { client, platform } = namespaces;
  const told = words?.replaceAll(`gid://${platform}/`, `gid://${client}/`).slice(0, MAX_WORDS);
  return new ServiceError('GRAPHQL_VALIDATION_FAILED', {
    message: told === undefined ? MESSAGE : `${MESSAGE} The platform says: ${told}`,
    internal,
  });
}

/** An error of a variable says what is wrong in its problems. */
function wordsOf(error: PlatformError): string[] {
  const problems = error?.extensions?.problems;
  const explanations = Array.isArray(problems) ? problems.map((problem) => problem?.explanation) : [];
  return [error?.message, ...explanations].filter((one) => typeof one === 'string');
}
