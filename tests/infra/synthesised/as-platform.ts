/** What the platform sends: its webhooks. */
import { createHmac } from 'node:crypto';

type Told = { readonly shop: string; readonly clientSecret: string; readonly contract: number };

/** A signed webhook of a contract that has changed. */
export function tellOfContract(baseUrl: string, { shop, clientSecret, contract }: Told): Promise<Response> {
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
