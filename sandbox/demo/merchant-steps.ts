/** The steps of a merchant's server with its key: for the whole store, or on behalf of one customer. */
import { isServiceError } from '../../clients/typescript/src/client.ts';
import {
  expectEqual,
  type Journey,
  type Step,
  savedValue,
  sendAndExpectStatus,
  textAt,
  UnexpectedResponse,
  valueAtPath,
} from './journey.ts';
import { ADMIN_PATH, CONTRACT_QUERY, CUSTOMER_PATH, customerGid, LIST_QUERY } from './operations.ts';
import { merchantOf, refusalOf } from './run-client.ts';

/** Runs before the customer's journey, which needs another customer's subscription that must be rejected. */
export const preparation: readonly Step[] = [
  { title: 'A merchant’s server reads another customer’s subscriptions with its admin key', run: wholeStore },
];

export const merchantSteps: readonly Step[] = [
  { title: 'Without the customer header, the key can read the whole store', run: anyContract },
  { title: 'With the customer header, the key acts for one customer', run: forCustomer },
  { title: 'With the customer header, another customer’s subscription is rejected', run: foreignContract },
  { title: 'A request without a key is rejected', run: expectMissingKeyRefused },
  { title: 'The key is rejected by the customer endpoint', run: wrongEndpoint },
];

async function wholeStore(journey: Journey): Promise<void> {
  const pending = sendMerchantRequest(journey, {
    query: LIST_QUERY,
    variables: { id: customerGid(journey, 1) },
  });
  const data = await pending.catch(explainKey);
  journey.saved.set('foreignContract', textAt(data, 'customer.subscriptionContracts.nodes.0.id'));
}

/** The state contains the key that the start issued; an operator may have revoked it since. */
function explainKey(error: unknown): never {
  if (!isServiceError(error, 'UNAUTHENTICATED')) throw error;
  throw new UnexpectedResponse(
    'The key that "npm start" issued is not valid: it was revoked, or its store was reinstalled. Run "npm start" again.',
  );
}

/** `actingFor`: the customer of the header, if any. */
type Operation = { readonly query: string; readonly variables: object; readonly actingFor?: string };

async function sendMerchantRequest(
  journey: Journey,
  { query, variables, actingFor }: Operation,
): Promise<unknown> {
  const headers = actingFor === undefined ? {} : { 'X-Platform-Customer-GID': actingFor };
  return (await merchantOf(journey).request(query, { ...variables }, { headers })).data;
}

async function anyContract(journey: Journey): Promise<void> {
  const id = savedValue(journey, 'foreignContract');
  const data = await sendMerchantRequest(journey, { query: CONTRACT_QUERY, variables: { id } });
  expectEqual('subscriptionContract.id', id, valueAtPath(data, 'subscriptionContract.id'));
}

async function forCustomer(journey: Journey): Promise<void> {
  const id = savedValue(journey, 'contract');
  const data = await sendMerchantRequest(journey, {
    query: CONTRACT_QUERY,
    variables: { id },
    actingFor: customerGid(journey, 0),
  });
  expectEqual('subscriptionContract.id', id, valueAtPath(data, 'subscriptionContract.id'));
}

async function foreignContract(journey: Journey): Promise<void> {
  const variables = { id: savedValue(journey, 'foreignContract') };
  const pending = sendMerchantRequest(journey, {
    query: CONTRACT_QUERY,
    variables,
    actingFor: customerGid(journey, 0),
  });
  expectEqual('code', 'FORBIDDEN', (await refusalOf(pending)).code);
}

async function expectMissingKeyRefused(journey: Journey): Promise<void> {
  await expectCredentialRefused(journey, { path: ADMIN_PATH, headers: {} });
}

async function wrongEndpoint(journey: Journey): Promise<void> {
  const headers = { authorization: `Bearer ${journey.stack.adminKey}` };
  await expectCredentialRefused(journey, { path: CUSTOMER_PATH, headers });
}

type RefusedAttempt = { readonly path: string; readonly headers: Record<string, string> };

async function expectCredentialRefused(journey: Journey, { path, headers }: RefusedAttempt): Promise<void> {
  const query = { query: CONTRACT_QUERY, variables: { id: savedValue(journey, 'contract') } };
  const url = journey.stack.baseUrl + path;
  const { body } = await sendAndExpectStatus(journey, { method: 'POST', url, headers, body: query }, 401);
  expectEqual('code', 'UNAUTHENTICATED', valueAtPath(body, 'errors.0.extensions.code'));
}
