/**
 * For every code of the error catalogue: where a client meets it, and what the client does. Only docs/errors.md
 * needs these words, so they stand apart from lib/errors/catalogue.ts, which every function loads.
 */
import type { ErrorCode } from '../../lib/errors/catalogue.ts';

/** The parts of the page, in its order. */
export const areas = {
  everywhere: 'Requests of every kind',
  signIn: 'Sign-in',
  link: 'One-time links',
  graphql: 'GraphQL: the request as a whole',
  document: 'GraphQL: the document was refused',
  field: 'GraphQL: one field of the answer',
} as const;

export type Advice = {
  readonly area: keyof typeof areas;
  readonly where: string;
  readonly client: string;
};

const adviser =
  (area: keyof typeof areas) =>
  (where: string, client: string): Advice => ({ area, where, client });
const everywhere = adviser('everywhere');
const signIn = adviser('signIn');
const link = adviser('link');
const graphql = adviser('graphql');
const document = adviser('document');
const field = adviser('field');

const FIX_REQUEST = 'Mend the request; repeating it as it is does not help.';
const START_AGAIN = 'Drop nonce and verifier and call `/start` again.';
const SIGN_IN_AGAIN = 'Delete the stored tokens and show the sign-in.';

export const errorAdvice: Readonly<Record<ErrorCode, Advice>> = {
  NOT_FROM_EDGE: everywhere(
    'every address, where a request did not come through the edge that the service has',
    'Use the address that you were given; this one is between the edge and the API.',
  ),
  NOT_FOUND: everywhere('every address that does not exist; a link that was never made', FIX_REQUEST),
  METHOD_NOT_ALLOWED: everywhere('every address, with a method it does not take', FIX_REQUEST),
  PAYLOAD_TOO_LARGE: everywhere(
    'bodies above 64 KB, on the GraphQL endpoints above 256 KB, opening a link above 4 KB; behind an edge also without `Content-Length`',
    'Send less: split the work into several requests.',
  ),
  UNSUPPORTED_MEDIA_TYPE: everywhere('every body that is not sent as JSON', FIX_REQUEST),
  INVALID_JSON: everywhere(
    'every body that is no JSON object, or has half a character (`\\ud83d` alone); GraphQL also where `query` is missing or no text, `operationName` no name, `variables` or `extensions` no object: the message says which',
    FIX_REQUEST,
  ),
  TEMPORARILY_UNAVAILABLE: everywhere(
    'every endpoint, when table, secrets or the sign-in of the platform do not answer',
    'Keep every token. Wait as long as `Retry-After` says, then send the same request again.',
  ),
  INTERNAL_ERROR: everywhere(
    'every endpoint, by a fault of ours',
    'Keep every token. Try again a few times, ever later; read before you repeat a mutation. Report the request id.',
  ),
  THROTTLED: everywhere(
    'GraphQL, when the store has no points left at the platform, or the customer has spent its share of them; a link, after five wrong domains; every endpoint behind an edge, when one address asks too often: the body then has `error` and `errors`, and no request id',
    'Nothing was run. Wait as long as `Retry-After` says, then send it again.',
  ),
  STORE_DISCONNECTED: everywhere(
    'GraphQL, when the store has withdrawn the access of the service',
    'Keep every token, and stop trying: the merchant has to connect the store again.',
  ),

  MISSING_SHOP: signIn('all five endpoints', FIX_REQUEST),
  MISSING_PARAMETERS: signIn(
    '`/exchange`, `/refresh` and `/revoke`; `/start`, where `locale` is no text; opening a link',
    FIX_REQUEST,
  ),
  INVALID_SHOP: signIn('all five endpoints; opening a link', FIX_REQUEST),
  INVALID_NONCE: signIn(
    '`/exchange`: unknown, used, altered, of another shop or verifier, or older than 15 minutes',
    `${START_AGAIN} Do it once without asking; show the customer why if it happens twice.`,
  ),
  SIGN_IN_REJECTED: signIn(
    '`/exchange`: the platform refused the code or its answer did not pass',
    `${START_AGAIN} Do it once without asking: the customer is usually still signed in at the platform.`,
  ),
  SHOP_NOT_INSTALLED: signIn(
    'all five endpoints',
    'Keep the tokens, and tell the customer that the shop does not offer this just now.',
  ),
  CLIENT_ID_NOT_CONFIGURED: signIn(
    '`/start` and `/exchange`; who is signed in stays so',
    'Tell the customer that the shop has not finished setting up sign-in.',
  ),
  STOREFRONT_TOKEN_UNAVAILABLE: signIn(
    '`/storefront-token`, where the platform makes no such token for the service, or has made none yet',
    'Do without the public catalogue, and do not ask again before the app is started anew: everything else goes on. Tell the store.',
  ),
  INVALID_REFRESH_TOKEN: signIn(
    '`/refresh` and `/revoke`: wrong, replaced, revoked or expired',
    `${SIGN_IN_AGAIN} After \`/revoke\`: delete them, the sign-out is done.`,
  ),
  TOKEN_NOT_FOUND: signIn(
    '`/refresh` and `/revoke`: nothing is stored for this customer of this shop',
    `${SIGN_IN_AGAIN} After \`/revoke\`: delete them, the sign-out is done.`,
  ),

  WRONG_STORE_DOMAIN: link('opening a link', 'Enter the domain of the store that the link was created for.'),
  LINK_GONE: link('opening a link that was opened, is void or too old', 'Ask for a new link.'),

  UNAUTHENTICATED: graphql(
    'both endpoints: no credential, or one that is malformed, unknown or expired; `details` says which',
    'App: refresh once, and repeat once with the new token. Server: check the key; ask for a new one.',
  ),
  INVALID_CUSTOMER_GID: graphql('the admin endpoint', FIX_REQUEST),
  PLATFORM_UNAVAILABLE: graphql(
    'both endpoints, when the platform is down, slow, fails at a field or answers with something else than JSON',
    'With 503 nothing was changed: wait as long as `Retry-After` says, then send it again. Beside `data`, with 200, only what `path` names is missing: [read it again](#errors-beside-data), and do not repeat a change that was made.',
  ),
  STORE_ACCESS_MISSING: graphql(
    'GraphQL, when the store has not granted the service what the request needs: a scope, or approval for protected customer data. The admin endpoint names it in the message and in `extensions.missing`',
    'Nothing was changed; with 200, only what `path` names is missing. Do not repeat it. App: leave out what needs it, and show the rest. Server: have the merchant grant what is named; the check of the store lists it.',
  ),

  GRAPHQL_PARSE_FAILED: document('both endpoints', FIX_REQUEST),
  GRAPHQL_VALIDATION_FAILED: document(
    'both endpoints, also when the platform does not take an id or value; the customer endpoint: more than one mutation in a document',
    FIX_REQUEST,
  ),
  FIELD_NOT_AVAILABLE: document(
    'the customer endpoint: a field, argument or operation that is closed to customers or unknown; introspection',
    'Take the name out. `graphql/schema/generated/customer.graphql` has all that is open.',
  ),
  QUERY_TOO_COMPLEX: document(
    'both endpoints; the message says which limit, its number and the query’s',
    'Ask for less: smaller pages, fewer fields, several requests.',
  ),
  KEY_SCOPE_MISSING: document(
    'the admin endpoint: the message names the field and the scope, `extensions.missing` the scope alone. Nothing was run',
    'Use a key that has the scope. Whoever issues keys gives it to a new one; an old one keeps what it has.',
  ),

  FORBIDDEN: field(
    'what is not the acting customer’s; what is not there gets the same answer',
    'Show that it is not there. Do not repeat it.',
  ),
  CUSTOMER_REQUIRED: field(
    'the admin endpoint: operations that act for one customer',
    'Send the header `X-Platform-Customer-GID`.',
  ),
  OUTCOME_UNKNOWN: field(
    'a mutation whose answer was lost on the way from the platform',
    'Read the object. Send the mutation again only if the change is not there. A charge, and a mutation with `@idempotent`, can be sent again under the same key.',
  ),
  IDEMPOTENCY_CONCURRENT_REQUEST: field(
    'a mutation with `@idempotent`, while the first with this key runs, or until it is settled how that ended, at most two minutes',
    'Wait as long as `extensions.retryAfterSeconds` says, then send the same request again, with the same key.',
  ),
  IDEMPOTENCY_KEY_PARAMETER_MISMATCH: field(
    'a mutation with `@idempotent`, whose key was used for other arguments of this field within 24 hours',
    'Nothing was run. Make a new key for each change that somebody asks for, and keep it over the tries of that one alone.',
  ),
  NOT_RUN: field(
    'the admin endpoint, a document with several mutations: those beside one that was refused, and those after one that failed or whose outcome is unknown',
    'Settle the one that is told otherwise, then send this one again.',
  ),
};
