/**
 * Creates the error for a document that the platform rejects: decides who caused it, and which of the platform's
 * messages may be shown.
 */
import { ServiceError } from '../../errors/service-error.ts';
import type { AdminOutcome, PlatformError } from './admin-response.ts';

/** The namespaces of global ids: the client's and the platform's. */
export type GidNamespaces = { readonly client: string; readonly platform: string };

const INVALID_VALUE_TEXT =
  'An id or value of this request is not one that the platform takes. Send ids as they were answered, and check the other values.';
/** Messages that are only about a value. All others may reveal parts of the service's document. */
const INVALID_ID_MESSAGE_PATTERN = /^Invalid (?:global )?id\b/i;
const INTERNAL_NAME_PATTERN = /_svc|\$/;
const MAX_MESSAGE_LENGTH = 100;

/**
 * Returns GRAPHQL_VALIDATION_FAILED if the document contains values from a caller, with at most 100 characters of the
 * platform's message about an id; else INTERNAL_ERROR.
 */
export function rejectedDocumentError(
  { reason, errors = [] }: Extract<AdminOutcome, { kind: 'rejected' }>,
  namespaces: GidNamespaces | undefined,
): ServiceError {
  const internalMessage = `the platform refused our document: ${reason}`;
  if (namespaces === undefined) return new ServiceError('INTERNAL_ERROR', { internal: internalMessage });
  const errorText = errors
    .flatMap(listPlatformMessages)
    .find((text) => INVALID_ID_MESSAGE_PATTERN.test(text) && !INTERNAL_NAME_PATTERN.test(text));
  const { client, platform } = namespaces;
  const message = errorText
    ?.replaceAll(`gid://${platform}/`, `gid://${client}/`)
    .slice(0, MAX_MESSAGE_LENGTH);
  return new ServiceError('GRAPHQL_VALIDATION_FAILED', {
    message:
      message === undefined ? INVALID_VALUE_TEXT : `${INVALID_VALUE_TEXT} The platform says: ${message}`,
    internal: internalMessage,
  });
}

/** The error of a variable has its explanation in `problems`. */
function listPlatformMessages(error: PlatformError): string[] {
  const variableProblems = error?.extensions?.problems;
  const explanations = Array.isArray(variableProblems)
    ? variableProblems.map((problem) => problem?.explanation)
    : [];
  return [error?.message, ...explanations].filter((text) => typeof text === 'string');
}
