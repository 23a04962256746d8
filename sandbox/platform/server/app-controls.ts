/**
 * The controls of the app in a store: its form, its secret, its tokens, and the redirect addresses of its customers.
 */
import { InvalidControlInput, parseControlFields } from '../control/control-input.ts';
import {
  APP_FORMS,
  type AppForm,
  appClientId,
  changeApp,
  grantOfStore,
  replaceWithExpiringTokens,
} from '../grants/app-grants.ts';
import { selectStoreGrants } from '../grants/grant-server.ts';
import type { PlatformRequest } from '../http/platform-request.ts';
import { webClientIdOfStore } from '../sign-in/web-client.ts';
import type { StoreState } from '../state/state.ts';
import type { PlatformContext } from './platform-context.ts';

type FindStore = (shop: unknown) => StoreState;

/**
 * Sets whether the app's tokens expire. Returns the tokens of an installation, with the app's secret and the client of
 * the customers' sign-in.
 */
export function setTokenExpiry(
  context: PlatformContext,
  { body }: PlatformRequest,
  storeOf: FindStore,
): unknown {
  const { shop, expiring } = parseControlFields(body, ['shop', 'expiring']);
  const store = storeOf(shop);
  if (typeof expiring !== 'boolean') throw new InvalidControlInput('"expiring" is true or false.');
  const expiringTokens = expiring ? replaceWithExpiringTokens(selectStoreGrants(context, store)) : undefined;
  if (!expiring) context.grants.delete(store.shop);
  context.signInChanged();
  return { ...describeAppGrant(context, store), ...(expiringTokens ?? { access_token: store.accessToken }) };
}

const APP_FIELDS = ['shop', 'form', 'newSecret', 'isInstalled', 'redirectUris'];

/** Applies changes of the app's developer or the merchant: see `changeApp`. */
export function changeAppFromRequest(
  context: PlatformContext,
  { body }: PlatformRequest,
  storeOf: FindStore,
): unknown {
  const { shop, ...change } = parseControlFields(body, APP_FIELDS);
  const store = storeOf(shop);
  const { form, newSecret, isInstalled, redirectUris } = change;
  if (form !== undefined && !APP_FORMS.includes(form as AppForm))
    throw new InvalidControlInput(`"form" is one of: ${APP_FORMS.join(', ')}.`);
  for (const [name, value] of Object.entries({ newSecret, isInstalled })) {
    if (value !== undefined && typeof value !== 'boolean')
      throw new InvalidControlInput(`"${name}" is true or false.`);
  }
  if (redirectUris !== undefined) parseRedirectUris(redirectUris);
  const wasInstalled = grantOfStore(context.grants, store).isInstalled;
  changeApp(selectStoreGrants(context, store), change);
  if (wasInstalled && isInstalled === false) context.webhooks.sendUninstalled(store);
  context.signInChanged();
  return describeAppGrant(context, store);
}

function describeAppGrant({ grants }: PlatformContext, store: StoreState): Record<string, unknown> {
  const { form, clientSecret } = grantOfStore(grants, store);
  const customerClient = { customer_client_id: store.clientId };
  return { form, client_id: appClientId(store.shop), client_secret: clientSecret, ...customerClient };
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
  const { shop, redirectUris, webRedirectUris } = parseControlFields(body, [
    'shop',
    'redirectUris',
    'webRedirectUris',
  ]);
  const store = storeOf(shop);
  const webUris = webRedirectUris === undefined ? undefined : parsePageUris(webRedirectUris);
  if (webUris === undefined || redirectUris !== undefined)
    store.redirectUris = parseRedirectUris(redirectUris);
  if (webUris !== undefined) store.webRedirectUris = webUris;
  context.stateChanged();
  return { clientId: store.clientId, webClientId: webClientIdOfStore(store) };
}

/** Returns the addresses of pages. An empty list removes the client of web pages. */
function parsePageUris(webRedirectUris: unknown): string[] {
  const isPageUri = (uri: unknown): uri is string =>
    typeof uri === 'string' && /^https?:$/.test(URL.parse(uri)?.protocol ?? '');
  if (Array.isArray(webRedirectUris) && webRedirectUris.every(isPageUri)) return webRedirectUris;
  throw new InvalidControlInput('"webRedirectUris" is a list of addresses of web pages.');
}

function parseRedirectUris(redirectUris: unknown): string[] {
  const isNonEmptyList = Array.isArray(redirectUris) && redirectUris.length > 0;
  if (isNonEmptyList && redirectUris.every((uri) => typeof uri === 'string' && URL.canParse(uri)))
    return redirectUris;
  throw new InvalidControlInput('"redirectUris" is a list of addresses.');
}
