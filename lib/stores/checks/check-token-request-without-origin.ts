/**
 * Checks whether the platform's token endpoint accepts a mobile client without an Origin header, because the service
 * sends none. The platform does not document this and may change it.
 */
import type { StoreRecord } from '../../storage/stores.ts';
import { isClientIdKnown } from './check-sign-in.ts';
import type { CheckStoreDeps } from './check-store-deps.ts';
import type { StoreFinding } from './store-finding.ts';

const ORIGIN_FINDING_NAME = 'Origin';

/** Returns the finding. The platform must know the store's client id, or the result means nothing. */
export async function checkTokenRequestWithoutOrigin(
  deps: CheckStoreDeps,
  store: StoreRecord,
): Promise<StoreFinding> {
  const { signIn, clientId = '', domain } = store;
  if (await isClientIdKnown(deps, { signIn, clientId }))
    return { name: ORIGIN_FINDING_NAME, state: 'ok', found: 'the token endpoint needs none' };
  if (await isClientIdKnown(deps, { signIn, clientId, origin: `https://${domain}` })) {
    const foundText =
      'the token endpoint accepts the client only with an Origin header: customers cannot sign in';
    const fix = `The platform has changed. Run first-contact ${domain} --only origin and report the result: this version sends no Origin.`;
    return { name: ORIGIN_FINDING_NAME, state: 'missing', found: foundText, fix };
  }
  return {
    name: ORIGIN_FINDING_NAME,
    state: 'unknown',
    found: 'the token endpoint sends no usable response',
    fix: 'Try again.',
  };
}
