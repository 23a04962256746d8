/**
 * Checks whether the token endpoint of the customers' sign-in still accepts a mobile client without an Origin header,
 * as the service sends it. The platform documents neither; `first-contact` measures it once, and it may change.
 */
import type { StoreRecord } from '../../storage/stores.ts';
import { isClientKnown } from './check-sign-in.ts';
import type { CheckStoreDeps } from './check-store-deps.ts';
import type { StoreFinding } from './store-finding.ts';

const NAME = 'Origin';

/** Returns the finding for a store whose client id the platform knows. */
export async function checkOrigin(deps: CheckStoreDeps, store: StoreRecord): Promise<StoreFinding> {
  const { signIn, clientId = '', domain } = store;
  if (await isClientKnown(deps, { signIn, clientId }))
    return { name: NAME, state: 'ok', found: 'the token endpoint needs none' };
  if (await isClientKnown(deps, { signIn, clientId, origin: `https://${domain}` })) {
    const found = 'the token endpoint takes the client with an Origin header alone: nobody can sign in';
    const fix = `The platform has changed. Run first-contact ${domain} --only origin and report what it says: this version sends none.`;
    return { name: NAME, state: 'missing', found, fix };
  }
  return {
    name: NAME,
    state: 'unknown',
    found: 'the token endpoint gives no usable answer',
    fix: 'Try again.',
  };
}
