/** Each kind of response of the GraphQL endpoints, once, as docs/openapi.json documents it. */
import { expect, test } from '@jest/globals';
import { unauthenticatedError } from '../../../lib/credentials/unauthenticated-error.ts';
import type { KeyScope } from '../../../lib/domain/key-scope.ts';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import { TransportError } from '../../../lib/platform/send-request.ts';
import { createAccessWithout } from '../../../sandbox/platform/state/store-access.ts';
import type { WorldFault } from '../../contract/world/operation-world.ts';
import { createAnswerCheck } from '../../functions/documented-answers.ts';
import { createEndpoints, type Endpoint, type Endpoints, PATHS } from '../../functions/hostile/endpoints.ts';

const answers = createAnswerCheck();
const CONTRACT = 'gid://platform/SubscriptionContract/9101001';
const OTHERS = 'gid://platform/SubscriptionContract/9102001';
const READ = `{ subscriptionContract(id: "${CONTRACT}") { id status nextBillingDate } }`;
const MOVE = `mutation { subscriptionBillingCycleReschedule(contractId: "${CONTRACT}", billingCycleIndex: 8, billingDate: "2026-12-01T12:00:00Z") { contract { status nextOrder { date } } userErrors { message } } }`;
const pause = (argument = '', directive = '') =>
  `mutation { subscriptionContractPause(subscriptionContractId: "${CONTRACT}"${argument}) ${directive} { contract { status } userErrors { field message code } } }`;
const KEY = '@idempotent(key: "0b8f7c1e-5d0b-4a39-9a8e-2f0d4f1c2b3a")';
const SIX = `{ ${[1, 2, 3, 4, 5, 6].map((n) => `a${n}: subscriptionLineOptions(contractId: "${CONTRACT}", first: 1) { nodes { availableForSale } }`).join(' ')} }`;
const ACTING = { 'x-platform-customer-gid': 'gid://platform/Customer/7001001' };
const BOTH = ['customer', 'admin'] as const;

type Case = {
  readonly at?: readonly Endpoint[];
  readonly query?: string;
  readonly body?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly scopes?: readonly KeyScope[];
  /** The error of the credential's verification. */
  readonly failing?: Error;
  readonly fault?: WorldFault;
  readonly prepare?: (endpoints: Endpoints) => void;
  /** Asked before. */
  readonly after?: string;
};

const cases: readonly (readonly [status: number, code: string | undefined, sent: Case])[] = [
  [200, undefined, { query: READ }],
  [405, 'METHOD_NOT_ALLOWED', { method: 'PUT' }],
  [413, 'PAYLOAD_TOO_LARGE', { body: ' '.repeat(256 * 1024 + 1) }],
  [403, 'ORIGIN_NOT_ALLOWED', { at: ['customer'], headers: { origin: 'https://evil.example' } }],
  [415, 'UNSUPPORTED_MEDIA_TYPE', { headers: { 'content-type': 'text/plain' } }],
  [400, 'INVALID_JSON', { body: '{}' }],
  [401, 'UNAUTHENTICATED', { failing: unauthenticatedError('The credential is unknown.') }],
  [503, 'TEMPORARILY_UNAVAILABLE', { failing: new ServiceError('TEMPORARILY_UNAVAILABLE') }],
  [503, 'STORE_DISCONNECTED', { failing: new ServiceError('STORE_DISCONNECTED') }],
  [500, 'INTERNAL_ERROR', { failing: new TypeError('what nobody thought of') }],
  [429, 'THROTTLED', { prepare: ({ world }) => world.throttle(100), query: READ }],
  [400, 'INVALID_CUSTOMER_GID', { at: ['admin'], headers: { 'x-platform-customer-gid': 'Ada' } }],
  [200, 'GRAPHQL_PARSE_FAILED', { query: '{' }],
  [400, 'GRAPHQL_PARSE_FAILED', { query: '{', headers: { accept: 'application/graphql-response+json' } }],
  [200, 'GRAPHQL_VALIDATION_FAILED', { query: 'query ($id: ID) { subscriptionContract(id: $id) { id } }' }],
  [200, 'FIELD_NOT_AVAILABLE', { at: ['customer'], query: '{ shop { email } }' }],
  [200, 'QUERY_TOO_COMPLEX', { query: SIX }],
  [200, 'KEY_SCOPE_MISSING', { at: ['admin'], query: pause(), scopes: ['READ'] }],
  [200, 'FORBIDDEN', { query: `{ subscriptionContract(id: "${OTHERS}") { id } }`, headers: ACTING }],
  [
    200,
    'CUSTOMER_REQUIRED',
    {
      at: ['admin'],
      query:
        'mutation { customerPaymentMethodSendUpdateEmail(customerPaymentMethodId: "gid://platform/CustomerPaymentMethod/1") { userErrors { message } } }',
    },
  ],
  [
    200,
    'NOT_RUN',
    {
      at: ['admin'],
      headers: ACTING,
      query: `mutation { ${pause().slice(10, -1)} other: subscriptionContractCancel(subscriptionContractId: "${OTHERS}") { userErrors { message } } }`,
    },
  ],
  [
    200,
    'OUTCOME_UNKNOWN',
    { query: pause(), fault: { kind: 'lost before', at: 'subscriptionContractPause' } },
  ],
  [
    200,
    'IDEMPOTENCY_CONCURRENT_REQUEST',
    {
      query: pause('', KEY),
      after: pause('', KEY),
      fault: { kind: 'lost before', at: 'subscriptionContractPause' },
    },
  ],
  [
    200,
    'IDEMPOTENCY_KEY_PARAMETER_MISMATCH',
    { query: pause(', reason: "Away"', KEY), after: pause('', KEY) },
  ],
  [200, 'PLATFORM_UNAVAILABLE', { query: MOVE, prepare: loseNextOrders }],
  [503, 'STORE_ACCESS_MISSING', { at: ['customer'], query: READ, prepare: withholdContracts }],
  [200, 'STORE_ACCESS_MISSING', { at: ['admin'], query: READ, prepare: withholdContracts }],
  [
    503,
    'PLATFORM_UNAVAILABLE',
    { query: READ, fault: { kind: 'lost before', at: 'subscriptionContract', times: 9 } },
  ],
];

function withholdContracts({ world }: Endpoints): void {
  const scopes = ['read_own_subscription_contracts', 'write_own_subscription_contracts'] as const;
  world.platform.store().access = createAccessWithout({ scopes });
}

/** Fails the read after a change. */
function loseNextOrders({ world: { platform } }: Endpoints): void {
  const { send } = platform;
  platform.send = (body) =>
    body.includes('NextOrders') ? Promise.reject(new TransportError('Admin API', 'cut', true)) : send(body);
}

async function ask(endpoint: Endpoint, sent: Case) {
  const { query = READ, body = JSON.stringify({ query }), headers, failing, fault, scopes, method } = sent;
  const endpoints = createEndpoints(undefined, {
    ...(failing && { verify: () => Promise.reject(failing) }),
    ...(scopes && { scopes }),
  });
  sent.prepare?.(endpoints);
  if (fault) endpoints.world.fail(fault);
  const json = { 'content-type': 'application/json' };
  if (sent.after) await endpoints.ask(endpoint, json, JSON.stringify({ query: sent.after }));
  return endpoints.ask(endpoint, { ...json, ...headers }, body, method);
}

const all = cases.flatMap(([status, code, sent]) =>
  (sent.at ?? BOTH).map((endpoint) => [code ?? 'an answer', status, endpoint, sent] as const),
);

test.each(all)('returns %s with status %d at the %s endpoint', async (code, status, endpoint, sent) => {
  const answer = await ask(endpoint, sent);
  const body = JSON.parse(answer.body ?? '');
  const { statusCode, headers } = answer;
  answers.check({ operation: `POST ${PATHS[endpoint]}`, status: statusCode, headers, body });
  const codes = (body.errors ?? []).map((each: { extensions: { code: string } }) => each.extensions.code);
  // A request that was not executed has an error code.
  expect([statusCode, codes[0] ?? 'an answer']).toEqual([status, code]);
});

test('every error of the API document has been answered', () => answers.expectComplete());
