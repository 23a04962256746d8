/** The steps of a merchant's server with its key: for the whole store, or on behalf of one customer. */
import { isServiceError } from '../../clients/typescript/src/client.ts';
import {
  type DemoRun,
  type DemoStep,
  expectEqualValues,
  savedValue,
  sendAndExpectStatus,
  textAtPath,
  UnexpectedResponse,
  valueAtPath,
} from './demo-run.ts';
import {
  ADMIN_PATH,
  CONTRACT_QUERY,
  CUSTOMER_PATH,
  customerGidByPosition,
  SUBSCRIPTIONS_QUERY,
} from './operations.ts';
import { createDemoMerchantClient, expectRejection } from './run-client.ts';

/** The steps before the customer's chapter, which needs a subscription of another customer that must be rejected. */
export const preparationSteps: readonly DemoStep[] = [
  {
    title: 'A merchant’s server reads another customer’s subscriptions with its admin key',
    run: readWholeStore,
  },
];

export const merchantSteps: readonly DemoStep[] = [
  { title: 'Without the customer header, the key can read the whole store', run: readAnyContract },
  { title: 'With the customer header, the key acts for one customer', run: readForCustomer },
  {
    title: 'With the customer header, another customer’s subscription is rejected',
    run: expectOtherCustomersContractRefused,
  },
  { title: 'A request without a key is rejected', run: expectMissingKeyRefused },
  { title: 'The key is rejected by the customer endpoint', run: expectWrongEndpointRefused },
];

async function readWholeStore(demoRun: DemoRun): Promise<void> {
  const pendingResponse = sendMerchantRequest(demoRun, {
    query: SUBSCRIPTIONS_QUERY,
    variables: { id: customerGidByPosition(demoRun, 1) },
  });
  const data = await pendingResponse.catch(explainRejectedKey);
  demoRun.saved.set('foreignContract', textAtPath(data, 'customer.subscriptionContracts.nodes.0.id'));
}

/** The state contains the key that the start issued; an operator may have revoked it since. */
function explainRejectedKey(error: unknown): never {
  if (!isServiceError(error, 'UNAUTHENTICATED')) throw error;
  throw new UnexpectedResponse(
    'The key that "npm start" issued is not valid: it was revoked, or its store was reinstalled. Run "npm start" again.',
  );
}

/** `actingFor`: the customer of the header, if any. */
type MerchantOperation = { readonly query: string; readonly variables: object; readonly actingFor?: string };

async function sendMerchantRequest(
  demoRun: DemoRun,
  { query, variables, actingFor }: MerchantOperation,
): Promise<unknown> {
  const headers = actingFor === undefined ? {} : { 'X-Platform-Customer-GID': actingFor };
  return (await createDemoMerchantClient(demoRun).request(query, { ...variables }, { headers })).data;
}

async function readAnyContract(demoRun: DemoRun): Promise<void> {
  const id = savedValue(demoRun, 'foreignContract');
  const data = await sendMerchantRequest(demoRun, { query: CONTRACT_QUERY, variables: { id } });
  expectEqualValues('subscriptionContract.id', id, valueAtPath(data, 'subscriptionContract.id'));
}

async function readForCustomer(demoRun: DemoRun): Promise<void> {
  const id = savedValue(demoRun, 'contract');
  const data = await sendMerchantRequest(demoRun, {
    query: CONTRACT_QUERY,
    variables: { id },
    actingFor: customerGidByPosition(demoRun, 0),
  });
  expectEqualValues('subscriptionContract.id', id, valueAtPath(data, 'subscriptionContract.id'));
}

async function expectOtherCustomersContractRefused(demoRun: DemoRun): Promise<void> {
  const variables = { id: savedValue(demoRun, 'foreignContract') };
  const pendingResponse = sendMerchantRequest(demoRun, {
    query: CONTRACT_QUERY,
    variables,
    actingFor: customerGidByPosition(demoRun, 0),
  });
  expectEqualValues('code', 'FORBIDDEN', (await expectRejection(pendingResponse)).code);
}

async function expectMissingKeyRefused(demoRun: DemoRun): Promise<void> {
  await expectCredentialRefused(demoRun, { path: ADMIN_PATH, headers: {} });
}

async function expectWrongEndpointRefused(demoRun: DemoRun): Promise<void> {
  const headers = { authorization: `Bearer ${demoRun.stack.adminKey}` };
  await expectCredentialRefused(demoRun, { path: CUSTOMER_PATH, headers });
}

type UnauthorizedRequest = { readonly path: string; readonly headers: Record<string, string> };

async function expectCredentialRefused(
  demoRun: DemoRun,
  { path, headers }: UnauthorizedRequest,
): Promise<void> {
  const operation = { query: CONTRACT_QUERY, variables: { id: savedValue(demoRun, 'contract') } };
  const url = demoRun.stack.baseUrl + path;
  const { body } = await sendAndExpectStatus(demoRun, { method: 'POST', url, headers, body: operation }, 401);
  expectEqualValues('code', 'UNAUTHENTICATED', valueAtPath(body, 'errors.0.extensions.code'));
}
