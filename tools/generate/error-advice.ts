/**
 * For every code of the error catalogue: when a client receives it, and what the client does. Only documents need these
 * texts, so they are not in lib/errors/catalogue.ts, which every function loads.
 */
import type { ErrorCode } from '../../lib/errors/catalogue.ts';

/** The sections of the page, in their order. */
export const PAGE_SECTIONS = {
  everywhere: 'All requests',
  signIn: 'Sign-in',
  link: 'One-time links',
  graphql: 'GraphQL: the whole request',
  document: 'GraphQL: the document was rejected',
  field: 'GraphQL: one field of the response',
} as const;

export type ErrorAdviceTexts = {
  readonly area: keyof typeof PAGE_SECTIONS;
  /** The requests and cases in which a client receives the code. */
  readonly where: string;
  /** The reaction of the client. */
  readonly client: string;
};

const createAdviceFactory =
  (area: keyof typeof PAGE_SECTIONS) =>
  (where: string, client: string): ErrorAdviceTexts => ({ area, where, client });
const everywhereAdvice = createAdviceFactory('everywhere');
const signInAdvice = createAdviceFactory('signIn');
const linkAdvice = createAdviceFactory('link');
const graphqlAdvice = createAdviceFactory('graphql');
const documentAdvice = createAdviceFactory('document');
const fieldAdvice = createAdviceFactory('field');

const FIX_REQUEST_ADVICE = 'Correct the request. A retry of the same request does not help.';
const START_AGAIN_ADVICE = 'Discard nonce and verifier, and call `/start` again.';
const SIGN_IN_AGAIN_ADVICE = 'Delete the stored tokens and show the sign-in.';

export const errorAdvice: Readonly<Record<ErrorCode, ErrorAdviceTexts>> = {
  NOT_FROM_EDGE: everywhereAdvice(
    'all endpoints, when the service has an edge and a request did not come through it',
    'Use the public address that you were given. This one is internal, behind the edge.',
  ),
  ORIGIN_NOT_ALLOWED: everywhereAdvice(
    'sign-in and the customers’ GraphQL, for a web page that names its store in the query (`?shop=…`): the body or the token belongs to another store, or the page is not entered for the store any more. In the second case the page cannot read the response',
    'Send the store of the body and of the token in the query. If the page was removed, ask for its entry (`store update --add-redirect-uri`).',
  ),
  NOT_FOUND: everywhereAdvice(
    'an address that does not exist; a link that was never created',
    FIX_REQUEST_ADVICE,
  ),
  METHOD_NOT_ALLOWED: everywhereAdvice(
    'all endpoints, for an HTTP method that they do not accept',
    FIX_REQUEST_ADVICE,
  ),
  PAYLOAD_TOO_LARGE: everywhereAdvice(
    'bodies over 64 KB; over 256 KB on the GraphQL endpoints, over 4 KB when opening a link. Behind an edge, also bodies without `Content-Length`',
    'Split the work into several smaller requests.',
  ),
  UNSUPPORTED_MEDIA_TYPE: everywhereAdvice(
    'all endpoints, when the body is not sent as JSON',
    FIX_REQUEST_ADVICE,
  ),
  INVALID_JSON: everywhereAdvice(
    'all endpoints, when the body is not a JSON object, or contains half of a surrogate pair (`\\ud83d` alone). GraphQL: also when `query` is missing or not a string, `operationName` is not a name, or `variables` or `extensions` is not an object; the message says which',
    FIX_REQUEST_ADVICE,
  ),
  TEMPORARILY_UNAVAILABLE: everywhereAdvice(
    'all endpoints, when the table, the secrets or the platform’s sign-in do not respond',
    'Keep all tokens. Wait as long as `Retry-After` says, then send the same request again.',
  ),
  INTERNAL_ERROR: everywhereAdvice(
    'all endpoints, because of a fault in the service',
    'Keep all tokens. Retry a few times with increasing delays, but check the data before you retry a mutation. Report the request id.',
  ),
  THROTTLED: everywhereAdvice(
    'GraphQL, when the store has no points left at the platform, or the customer has used up their share of points; a link, after five wrong domains; all endpoints behind an edge, when one IP address sends too many requests: the body then has both `error` and `errors`, and no request id',
    'Nothing was run. Wait as long as `Retry-After` says, then send the request again.',
  ),
  STORE_DISCONNECTED: everywhereAdvice(
    'GraphQL, when the store has withdrawn the service’s access',
    'Keep all tokens, and do not retry: the merchant must connect the store again.',
  ),

  MISSING_SHOP: signInAdvice('all five endpoints', FIX_REQUEST_ADVICE),
  MISSING_PARAMETERS: signInAdvice(
    '`/exchange`, `/refresh` and `/revoke`; `/start`, when `locale` or `redirectUri` is not a string; opening a link',
    FIX_REQUEST_ADVICE,
  ),
  INVALID_SHOP: signInAdvice('all five endpoints; opening a link', FIX_REQUEST_ADVICE),
  INVALID_REDIRECT_URI: signInAdvice(
    '`/start`: the page is not entered for this store, character by character',
    'Send the address that the operator has entered, or ask for its entry. A retry does not help.',
  ),
  INVALID_NONCE: signInAdvice(
    '`/exchange`: the nonce is unknown, used or altered, belongs to another shop or verifier, or is older than 15 minutes',
    `${START_AGAIN_ADVICE} Do this once automatically. If it happens again, show the reason to the customer.`,
  ),
  SIGN_IN_REJECTED: signInAdvice(
    '`/exchange`: the platform rejected the code, its response failed verification, or the page of the sign-in was removed from the store',
    `${START_AGAIN_ADVICE} Do this once automatically: the customer is usually still signed in at the platform.`,
  ),
  SHOP_NOT_INSTALLED: signInAdvice(
    'all five endpoints',
    'Keep the tokens, and tell the customer that the shop does not offer this at the moment.',
  ),
  CLIENT_ID_NOT_CONFIGURED: signInAdvice(
    '`/start` and `/exchange`; existing sign-ins stay valid',
    'Tell the customer that the shop has not finished setting up the sign-in.',
  ),
  STOREFRONT_TOKEN_UNAVAILABLE: signInAdvice(
    '`/storefront-token`, when the platform does not issue a storefront token to the service, or has not issued one yet',
    'Work without the public catalog, and do not retry before the app restarts. Everything else works. Tell the store.',
  ),
  INVALID_REFRESH_TOKEN: signInAdvice(
    '`/refresh` and `/revoke`: the token is wrong, replaced, revoked or expired',
    `${SIGN_IN_AGAIN_ADVICE} After \`/revoke\`: delete the tokens; the sign-out is complete.`,
  ),
  TOKEN_NOT_FOUND: signInAdvice(
    '`/refresh` and `/revoke`: no sign-in is stored for this customer of this shop',
    `${SIGN_IN_AGAIN_ADVICE} After \`/revoke\`: delete the tokens; the sign-out is complete.`,
  ),

  WRONG_STORE_DOMAIN: linkAdvice(
    'opening a link',
    'Enter the domain of the store that the link was created for.',
  ),
  LINK_GONE: linkAdvice(
    'opening a link that was already opened, is no longer valid or has expired',
    'Request a new link.',
  ),

  UNAUTHENTICATED: graphqlAdvice(
    'both endpoints: the credential is missing, malformed, unknown or expired; `details` says which',
    'App: refresh the tokens once, then retry once with the new access token. Server: check the key, or request a new one.',
  ),
  INVALID_CUSTOMER_GID: graphqlAdvice('the admin endpoint', FIX_REQUEST_ADVICE),
  PLATFORM_UNAVAILABLE: graphqlAdvice(
    'both endpoints, when the platform is down or slow, fails at a field, or does not return JSON',
    'With 503, nothing was changed: wait as long as `Retry-After` says, then send the request again. With 200 beside `data`, only the field at `path` is missing: [read it again](#errors-beside-data), and do not repeat a change that was made.',
  ),
  STORE_ACCESS_MISSING: graphqlAdvice(
    'GraphQL, when the store has not granted an access scope, or the approval for protected customer data, that the request needs. The admin endpoint names it in the message and in `extensions.missing`',
    'Nothing was changed; with 200, only the field at `path` is missing. Do not retry. App: leave out the feature, and show the rest. Server: ask the merchant to grant the missing access; the operator’s check of the store lists it.',
  ),

  GRAPHQL_PARSE_FAILED: documentAdvice('both endpoints', FIX_REQUEST_ADVICE),
  GRAPHQL_VALIDATION_FAILED: documentAdvice(
    'both endpoints, also when the platform does not accept an id or a value; the customer endpoint: more than one mutation in a document',
    FIX_REQUEST_ADVICE,
  ),
  FIELD_NOT_AVAILABLE: documentAdvice(
    'the customer endpoint: a field, argument or operation that is unknown or not available to customers; introspection',
    'Remove the field. `graphql/schema/generated/customer.graphql` lists everything that is available.',
  ),
  QUERY_TOO_COMPLEX: documentAdvice(
    'both endpoints; the message names the limit, its value and the query’s value',
    'Request less data: smaller pages, fewer fields, or several requests.',
  ),
  KEY_SCOPE_MISSING: documentAdvice(
    'the admin endpoint: the message names the field and the scope; `extensions.missing` has only the scope. Nothing was run',
    'Use a key that has the scope, or request a new key: the scopes of an existing key never change.',
  ),

  FORBIDDEN: fieldAdvice(
    'an object that belongs to another customer or does not exist',
    'Show that the object was not found. Do not retry.',
  ),
  CUSTOMER_REQUIRED: fieldAdvice(
    'the admin endpoint: operations that must act for a customer',
    'Send the header `X-Platform-Customer-GID`.',
  ),
  OUTCOME_UNKNOWN: fieldAdvice(
    'a mutation, when the platform’s response was lost',
    'Read the object. Send the mutation again only if the change was not made. A charge, or a mutation with `@idempotent`, can be sent again with the same key.',
  ),
  IDEMPOTENCY_CONCURRENT_REQUEST: fieldAdvice(
    'a mutation with `@idempotent`, while the first request with this key runs, or until its outcome is known, at most two minutes',
    'Wait as long as `extensions.retryAfterSeconds` says, then send the same request again, with the same key.',
  ),
  IDEMPOTENCY_KEY_PARAMETER_MISMATCH: fieldAdvice(
    'a mutation with `@idempotent`, when its key was used with other arguments of this field within 24 hours',
    'Nothing was run. Create a new key for each change, and reuse it only for retries of that change.',
  ),
  NOT_RUN: fieldAdvice(
    'the admin endpoint, a document with several mutations: all others when one is rejected before anything runs, and those after one that failed or whose outcome is unknown',
    'Handle the error of the other mutation, then send this one again.',
  ),
};
