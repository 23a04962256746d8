/** The steps of a merchant's server with its key: for the whole store, or on behalf of one customer. */
import { isServiceError } from '../../clients/typescript/src/client.ts';
import { at, call, expectEqual, type Journey, recall, type Step, textAt, Unexpected } from './journey.ts';
import { ADMIN_PATH, CONTRACT, CUSTOMER_PATH, customerGid, LIST } from './operations.ts';
import { merchantOf, refusalOf } from './run-client.ts';

/** Runs before the customer's journey, which needs another customer's subscription that must be rejected. */
export const preparation: readonly Step[] = [
  { title: 'A merchant’s server reads another customer’s subscriptions with its admin key', run: wholeStore },
];

export const merchantSteps: readonly Step[] = [
  { title: 'Without the customer header, the key can read the whole store', run: anyContract },
  { title: 'With the customer header, the key acts for one customer', run: forCustomer },
  { title: 'With the customer header, another customer’s subscription is rejected', run: foreignContract },
  { title: 'A request without a key is rejected', run: missingKey },
  { title: 'The key is rejected by the customer endpoint', run: wrongEndpoint },
];

async function wholeStore(journey: Journey): Promise<void> {
  const pending = ask(journey, { query: LIST, variables: { id: customerGid(journey, 1) } });
  const data = await pending.catch(explainKey);
  journey.saved.set('foreignContract', textAt(data, 'customer.subscriptionContracts.nodes.0.id'));
}

/** The state contains the key that the start issued; an operator may have revoked it since. */
function explainKey(error: unknown): never {
  if (!isServiceError(error, 'UNAUTHENTICATED')) throw error;
  throw new Unexpected(
    'The key that "npm start" issued is not valid: it was revoked, or its store was reinstalled. Run "npm start" again.',
  );
}

/** `actingFor`: the customer of the header, if any. */
type Operation = { readonly query: string; readonly variables: object; readonly actingFor?: string };

async function ask(journey: Journey, { query, variables, actingFor }: Operation): Promise<unknown> {
  const headers = actingFor === undefined ? {} : { 'X-Platform-Customer-GID': actingFor };
  return (await merchantOf(journey).request(query, { ...variables }, { headers })).data;
}

async function anyContract(journey: Journey): Promise<void> {
  const id = recall(journey, 'foreignContract');
  const data = await ask(journey, { query: CONTRACT, variables: { id } });
  expectEqual('subscriptionContract.id', id, at(data, 'subscriptionContract.id'));
}

async function forCustomer(journey: Journey): Promise<void> {
  const id = recall(journey, 'contract');
  const data = await ask(journey, { query: CONTRACT, variables: { id }, actingFor: customerGid(journey, 0) });
  expectEqual('subscriptionContract.id', id, at(data, 'subscriptionContract.id'));
}

async function foreignContract(journey: Journey): Promise<void> {
  const variables = { id: recall(journey, 'foreignContract') };
  const pending = ask(journey, { query: CONTRACT, variables, actingFor: customerGid(journey, 0) });
  expectEqual('code', 'FORBIDDEN', (await refusalOf(pending)).code);
}

async function missingKey(journey: Journey): Promise<void> {
  await refusedCredential(journey, { path: ADMIN_PATH, headers: {} });
}

async function wrongEndpoint(journey: Journey): Promise<void> {
  const headers = { authorization: `Bearer ${journey.stack.adminKey}` };
  await refusedCredential(journey, { path: CUSTOMER_PATH, headers });
}

type Attempt = { readonly path: string; readonly headers: Record<string, string> };

async function refusedCredential(journey: Journey, { path, headers }: Attempt): Promise<void> {
  const query = { query: CONTRACT, variables: { id: recall(journey, 'contract') } };
  const url = journey.stack.baseUrl + path;
  const { body } = await call(journey, { method: 'POST', url, headers, body: query }, 401);
  expectEqual('code', 'UNAUTHENTICATED', at(body, 'errors.0.extensions.code'));
}
