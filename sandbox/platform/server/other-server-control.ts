/** The control of the app's other server: what it sends to a store's Admin API, and when. */
import { InvalidControlInput, parseControlFields } from '../control/control-input.ts';
import type { ServerRequest } from '../control/other-server.ts';
import type { PlatformRequest } from '../http/platform-request.ts';
import type { StoreState } from '../state/state.ts';
import type { PlatformContext } from './platform-context.ts';

/** Returns the requests of the other server in the order in which they were added, with the responses to those sent. */
export function listServerRequests({ otherServer }: PlatformContext): unknown {
  return otherServer.list().map(({ atMs, ...request }) => ({ at: new Date(atMs).toISOString(), ...request }));
}

/** Adds requests. A request whose time has passed is sent at once, at the platform's time of its `atMs`. */
export function addServerRequests(
  { otherServer }: PlatformContext,
  { body }: PlatformRequest,
  storeOf: (shop: unknown) => StoreState,
): void {
  const { shop, requests } = parseControlFields(body, ['shop', 'requests']);
  const store = storeOf(shop);
  if (!Array.isArray(requests)) throw new InvalidControlInput('"requests" is a list.');
  otherServer.add(requests.map((request) => parseServerRequest(request, store)));
}

function parseServerRequest(requestInput: unknown, { shop }: StoreState): ServerRequest {
  const { at, query, variables } = parseControlFields(JSON.stringify(requestInput), [
    'at',
    'query',
    'variables',
  ]);
  const atMs = typeof at === 'string' && /^\d{4}-\d\d-\d\dT/.test(at) ? Date.parse(at) : Number.NaN;
  if (Number.isNaN(atMs)) throw new InvalidControlInput('"at" is an instant such as 2027-01-31T08:00:00Z.');
  if (typeof query !== 'string') throw new InvalidControlInput('"query" is a document for the Admin API.');
  return { shop, atMs, query, ...(variables !== undefined && { variables }) };
}
