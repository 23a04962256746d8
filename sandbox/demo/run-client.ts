/**
 * The client that users install, set up for the demo: each of its requests is printed, and the app's clock can be
 * moved.
 */
import {
  type CustomerClient,
  createCustomerClient,
  createMemoryStorage,
  createMerchantClient,
  type Environment,
  isServiceError,
  type MerchantClient,
  type OpenBrowser,
} from '../../clients/typescript/src/client.ts';
import { type DemoRun, UnexpectedResponse, valueAtPath } from './demo-run.ts';

/** Starts the app of the demo's customer. */
export function startApp(demoRun: DemoRun, openBrowser: OpenBrowser): CustomerClient {
  const clock = { aheadMs: 0 };
  const { baseUrl: serviceUrl, shop } = demoRun.stack;
  const environment = { fetch: createLoggedFetch(demoRun), now: () => Date.now() + clock.aheadMs };
  const storage = createMemoryStorage();
  const client = createCustomerClient({ serviceUrl, shop, storage, openBrowser, environment });
  demoRun.app = { client, clock };
  return client;
}

/** Returns the app that `startApp` started. */
export function startedApp({ app }: DemoRun): NonNullable<DemoRun['app']> {
  if (app === undefined) throw new UnexpectedResponse('No earlier step started the app.');
  return app;
}

/** Returns the merchant's client, with the key that `npm start` issued. */
export function createDemoMerchantClient(demoRun: DemoRun): MerchantClient {
  const { baseUrl: serviceUrl, adminKey } = demoRun.stack;
  return createMerchantClient({ serviceUrl, adminKey, environment: { fetch: createLoggedFetch(demoRun) } });
}

/** Returns the merchant's client of the second store, which prints nothing, and the store's domain. */
export function createQuietMerchantClient({ stack }: DemoRun): MerchantClient & { readonly shop: string } {
  const store = stack.stores?.[1];
  if (store === undefined) throw new UnexpectedResponse('The stack has no second store.');
  const { adminKey, shop } = store;
  return { ...createMerchantClient({ serviceUrl: stack.baseUrl, adminKey }), shop };
}

/** Prints each request with its response, and stores the newest tokens for requests without the client. */
function createLoggedFetch({ show, saved: savedValues }: DemoRun): Environment['fetch'] {
  return async (url, { method, headers, body, signal }) => {
    const response = await fetch(url, { method, headers, body, signal: signal as AbortSignal });
    const responseText = await response.text();
    const { 'content-type': _, ...visibleHeaders } = headers;
    const responseView = { status: response.status, body: parseJsonOrText(responseText) };
    show.call({ method, url, headers: visibleHeaders, body: parseJsonOrText(body) }, responseView);
    for (const name of ['accessToken', 'refreshToken']) {
      const token = valueAtPath(responseView.body, name);
      if (typeof token === 'string') savedValues.set(name, token);
    }
    return { status: response.status, headers: response.headers, text: async () => responseText };
  };
}

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Returns the code and message of a rejected request.
 * @throws UnexpectedResponse when the request succeeds
 */
export async function expectRejection(pending: Promise<unknown>): Promise<{ code: string; message: string }> {
  try {
    await pending;
  } catch (error) {
    if (isServiceError(error)) return { code: error.code, message: error.message };
    throw error;
  }
  throw new UnexpectedResponse('expected an error, got a response without one');
}
