/** Operations of the tests' own, as the customer who signed in and as the merchant's server of the demo's journey; and the platform's webhooks. */
import { createHmac } from 'node:crypto';
import type { DemoOutput } from '../../../sandbox/demo/demo-output.ts';
import { type DemoRun, savedValue, sendAndExpectStatus } from '../../../sandbox/demo/demo-run.ts';
import { ADMIN_PATH, CUSTOMER_PATH } from '../../../sandbox/demo/operations.ts';
import type { DemoResponse } from '../../../sandbox/demo/send-request.ts';

type Operation = { readonly query: string; readonly variables: Readonly<Record<string, unknown>> };

/** Sends an operation as the signed-in customer. */
export function asCustomer(journey: DemoRun, body: Operation): Promise<DemoResponse> {
  const headers = { authorization: `Bearer ${savedValue(journey, 'accessToken')}` };
  return sendAndExpectStatus(
    journey,
    { method: 'POST', url: journey.stack.baseUrl + CUSTOMER_PATH, headers, body },
    200,
  );
}

/** Sends an operation as the merchant's server. */
export function asMerchant(journey: DemoRun, body: Operation): Promise<DemoResponse> {
  const headers = { authorization: `Bearer ${journey.stack.adminKey}` };
  return sendAndExpectStatus(
    journey,
    { method: 'POST', url: journey.stack.baseUrl + ADMIN_PATH, headers, body },
    200,
  );
}

const nothing = () => undefined;
/** Runs steps without output. */
export const silent: DemoOutput = {
  chapter: nothing,
  step: nothing,
  call: nothing,
  page: nothing,
  note: nothing,
  ok: nothing,
  failed: nothing,
};

type ContractWebhook = { readonly shop: string; readonly clientSecret: string; readonly contract: number };

/** A signed webhook of a contract that has changed. */
export function sendContractWebhook(
  baseUrl: string,
  { shop, clientSecret, contract }: ContractWebhook,
): Promise<Response> {
  const gid = `gid://shopify/SubscriptionContract/${contract}`;
  const body = JSON.stringify({ id: contract, admin_graphql_api_id: gid });
  const headers = {
    'content-type': 'application/json',
    'x-shopify-topic': 'subscription_contracts/update',
    'x-shopify-shop-domain': shop,
    'x-shopify-hmac-sha256': createHmac('sha256', clientSecret).update(body).digest('base64'),
  };
  return fetch(`${baseUrl}/platform/webhooks`, { method: 'POST', headers, body });
}
