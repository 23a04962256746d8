/**
 * The controls of the app in a store: its form, its secret, its tokens, and the redirect addresses of its customers.
 */
import { BadControlInput, fieldsOf } from '../control/control-input.ts';
import {
  type AppForm,
  appClientId,
  appForms,
  appGrantOf,
  changeApp,
  startExpiring,
} from '../grants/app-grants.ts';
import { grantServerOf } from '../grants/grant-server.ts';
import type { PlatformRequest } from '../http/platform-request.ts';
import { webClientIdOf } from '../sign-in/web-client.ts';
import type { StoreState } from '../state/state.ts';
import type { PlatformContext } from './platform-context.ts';

type FindStore = (shop: unknown) => StoreState;

/** Returns the tokens of an installation, with the app's secret and the client of the customers' sign-in. */
export function setTokenExpiry(
  context: PlatformContext,
  { body }: PlatformRequest,
  storeOf: FindStore,
): unknown {
  const { shop, expiring } = fieldsOf(body, ['shop', 'expiring']);
  const store = storeOf(shop);
  if (typeof expiring !== 'boolean') throw new BadControlInput('"expiring" is true or false.');
  const given = expiring ? startExpiring(grantServerOf(context, store)) : undefined;
  if (!expiring) context.grants.delete(store.shop);
  context.signInChanged();
  return { ...describeApp(context, store), ...(given ?? { access_token: store.accessToken }) };
}

const appFields = ['shop', 'form', 'newSecret', 'isInstalled', 'redirectUris'];

/** Applies changes of the app's developer or the merchant: see `changeApp`. */
export function setApp(context: PlatformContext, { body }: PlatformRequest, storeOf: FindStore): unknown {
  const { shop, ...change } = fieldsOf(body, appFields);
  const store = storeOf(shop);
  const { form, newSecret, isInstalled, redirectUris } = change;
  if (form !== undefined && !appForms.includes(form as AppForm))
    throw new BadControlInput(`"form" is one of: ${appForms.join(', ')}.`);
  for (const [name, value] of Object.entries({ newSecret, isInstalled })) {
    if (value !== undefined && typeof value !== 'boolean')
      throw new BadControlInput(`"${name}" is true or false.`);
  }
  if (redirectUris !== undefined) checkAddresses(redirectUris);
  const wasInstalled = appGrantOf(context.grants, store).isInstalled;
  changeApp(grantServerOf(context, store), change);
  if (wasInstalled && isInstalled === false) context.webhooks.sendUninstalled(store);
  context.signInChanged();
  return describeApp(context, store);
}

function describeApp({ grants }: PlatformContext, store: StoreState): Record<string, unknown> {
  const { form, clientSecret } = appGrantOf(grants, store);
  const customers = { customer_client_id: store.clientId };
  return { form, client_id: appClientId(store.shop), client_secret: clientSecret, ...customers };
}

/**
 * Sets the redirect addresses that the merchant registers for the clients of the Customer Account API: of the mobile
 * client, of that of web pages, or both. Returns the client ids.
 */
export function setRedirectUris(
  context: PlatformContext,
  { body }: PlatformRequest,
  storeOf: FindStore,
): unknown {
  const { shop, redirectUris, webRedirectUris } = fieldsOf(body, ['shop', 'redirectUris', 'webRedirectUris']);
  const store = storeOf(shop);
  const web = webRedirectUris === undefined ? undefined : checkPages(webRedirectUris);
  if (web === undefined || redirectUris !== undefined) store.redirectUris = checkAddresses(redirectUris);
  if (web !== undefined) store.webRedirectUris = web;
  context.stateChanged();
  return { clientId: store.clientId, webClientId: webClientIdOf(store) };
}

/** Returns the addresses of pages. An empty list removes the client of web pages. */
function checkPages(webRedirectUris: unknown): string[] {
  const isPage = (uri: unknown): uri is string =>
    typeof uri === 'string' && /^https?:$/.test(URL.parse(uri)?.protocol ?? '');
  if (Array.isArray(webRedirectUris) && webRedirectUris.every(isPage)) return webRedirectUris;
  throw new BadControlInput('"webRedirectUris" is a list of addresses of web pages.');
}

function checkAddresses(redirectUris: unknown): string[] {
  const isList = Array.isArray(redirectUris) && redirectUris.length > 0;
  if (isList && redirectUris.every((uri) => typeof uri === 'string' && URL.canParse(uri)))
    return redirectUris;
  throw new BadControlInput('"redirectUris" is a list of addresses.');
}
