/**
 * The second step of a sign-in: exchanges the platform's code for a session of the service. After any failure, a
 * retry of the same request continues: there is one code grant, one session, and the same tokens.
 */
import { createHash } from 'node:crypto';
import { settleAll } from '../../domain/settle-all.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { crashPoint } from '../crash-point.ts';
import { findInstalledStore, requireClientId } from '../find-installed-store.ts';
import { openSession } from '../sessions/open-session.ts';
import { makeTokenPair, type TokenPair } from '../sessions/token-pair.ts';
import type { SignInDeps } from '../sign-in-deps.ts';
import { checkNonce } from './check-nonce.ts';
import { type ClaimRequest, claimSignIn, type SignInLease } from './claim-sign-in.ts';
import { commitSignIn } from './commit-sign-in.ts';
import type { ExchangeContext, ExchangeRequest } from './exchange-context.ts';
import { identifyCustomer } from './identify-customer.ts';
import { obtainCodeGrant } from './obtain-code-grant.ts';
import { retryExchange } from './retry-exchange.ts';

/**
 * Returns the first pair of tokens of a new session.
 * @throws SHOP_NOT_INSTALLED, CLIENT_ID_NOT_CONFIGURED, INVALID_NONCE
 * @throws SIGN_IN_REJECTED when the app has to start again
 * @throws TEMPORARILY_UNAVAILABLE when the app should retry
 */
export async function exchange(deps: SignInDeps, request: ExchangeRequest): Promise<TokenPair> {
  const store = await findInstalledStore(deps, request.shop);
  const context = { ...request, store, clientId: requireClientId(store) };
  const nonceHash = await checkNonce(deps, context);
  const claimRequest: ClaimRequest = {
    nonceHash,
    codeHash: createHash('sha256').update(request.code).digest('base64url'),
    prepare: async () => {
      await settleAll([deps.checkDiscovery(store), deps.keySet.get(store)]);
    },
  };
  const claimed = await claimSignIn(deps, claimRequest);
  crashPoint('exchange.after-claim');
  const seed =
    claimed.kind === 'held'
      ? await finish(deps, claimed.leased, context)
      : await retryExchange(deps, store.shopId, claimed);
  const { startedAtMs } = claimed.kind === 'held' ? claimed.leased.signIn : claimed;
  const session = await openSession(deps, { shopId: store.shopId, nonceHash, startedAtMs, seed });
  const pair = await makeTokenPair(deps, session);
  if (pair === undefined) throw new ServiceError('SIGN_IN_REJECTED', { internal: 'the key was removed' });
  return pair;
}

/** Completes an exchange: code grant, identity, commit. A sign-in with a stored grant continues at the identity. */
async function finish(deps: SignInDeps, leased: SignInLease, context: ExchangeContext) {
  const granted = leased.signIn.state === 'granted' ? leased : await obtainCodeGrant(deps, leased, context);
  const identity = await identifyCustomer(deps, granted, context);
  return commitSignIn(deps, granted, { context, identity });
}
