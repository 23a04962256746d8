/** Finds out who signed in, from the grant that lies sealed in the sign-in. */
import { open } from '../../credentials/seal.ts';
import { type CustomerId, parseCustomerId } from '../../domain/customer-id.ts';
import { parseCustomerGid } from '../../domain/gid.ts';
import { parseJsonObject } from '../../domain/json-object.ts';
import { toOpenIdNonce } from '../../domain/tokens/nonce.ts';
import { TransportError } from '../../platform/send-request.ts';
import { type PlatformTokens, readCodeGrant } from '../../platform/sign-in/read-code-grant.ts';
import { grantPlace } from '../../storage/sessions/sign-ins.ts';
import { isTransient } from '../is-transient.ts';
import type { SignInDeps } from '../sign-in-deps.ts';
import type { Held } from './claim-sign-in.ts';
import type { ExchangeContext } from './exchange-context.ts';
import type { KeptCodeGrant } from './obtain-code-grant.ts';
import { rejectSignIn, releaseSignIn } from './release-sign-in.ts';
import { signInUnfinished } from './sign-in-unfinished.ts';

export type IdentifiedCustomer = {
  readonly customerId: CustomerId;
  readonly tokens: PlatformTokens;
  readonly receivedAtMs: number;
};

/**
 * The customer of a kept grant. Its id_token is checked, and the subject held against the customer whom the platform
 * names: SIGN_IN_REJECTED if it does not pass. Passing trouble leaves the grant where it is and ends the lease:
 * TEMPORARILY_UNAVAILABLE.
 */
export async function identifyCustomer(
  deps: SignInDeps,
  held: Held,
  context: ExchangeContext,
): Promise<IdentifiedCustomer> {
  try {
    return await identify(deps, held, context);
  } catch (error) {
    if (isTransient(error)) await releaseSignIn(deps, held, 'release');
    throw error;
  }
}

async function identify(deps: SignInDeps, held: Held, context: ExchangeContext): Promise<IdentifiedCustomer> {
  const place = grantPlace({ shopId: context.store.shopId, nonceHash: held.nonceHash });
  const text = await open(deps.tokenKeys, place, held.signIn.grant ?? '');
  if (text === undefined) throw await rejectSignIn(deps, held, 'the kept grant does not open');
  const { answer, receivedAtMs } = JSON.parse(text) as KeptCodeGrant;
  const { store, clientId } = context;
  const nonce = toOpenIdNonce(context.nonce);
  const reading = await readCodeGrant(deps.keySet, { store, clientId, answer, receivedAtMs, nonce });
  if (reading.kind === 'rejected') throw await rejectSignIn(deps, held, `id_token: ${reading.reason}`);
  if (reading.kind === 'unreadable') {
    await releaseSignIn(deps, held, 'reopen');
    throw signInUnfinished('the platform answered 200 without a grant');
  }
  const { subject, tokens } = reading;
  const named = parseCustomerId(subject) ?? parseCustomerGid(subject, deps.platformGidNamespace);
  if (named !== undefined && store.trustsSubject === true) return { customerId: named, tokens, receivedAtMs };
  const customerId = await askCustomer(deps, held, { context, accessToken: tokens.accessToken });
  if (named !== undefined && named !== customerId) {
    const { shopId } = store;
    const facts = { alarm: 'sign_in_subject', shopId, named, customerId };
    deps.logger.error('an id_token names another customer', facts);
    throw await rejectSignIn(deps, held, 'sub names another customer');
  }
  return { customerId, tokens, receivedAtMs };
}

type Asking = { readonly context: ExchangeContext; readonly accessToken: string };

/** The Customer Account API knows who holds the token. That `sub` is the same is documented nowhere. */
async function askCustomer(
  deps: SignInDeps,
  held: Held,
  { context, accessToken }: Asking,
): Promise<CustomerId> {
  const leftMs = Math.max(1, held.deadlineMs - deps.now());
  const answer = await deps.platform.askCustomer(context.store.signIn, accessToken, leftMs);
  if (answer instanceof TransportError || answer.status !== 200) {
    throw signInUnfinished('the Customer Account API did not answer');
  }
  const body = parseJsonObject(answer.body) as { data?: { customer?: { id?: unknown } } } | undefined;
  const id = body?.data?.customer?.id;
  const customerId =
    typeof id === 'string'
      ? (parseCustomerGid(id, deps.platformGidNamespace) ?? parseCustomerId(id))
      : undefined;
  if (customerId === undefined) throw await rejectSignIn(deps, held, 'the platform names no customer');
  return customerId;
}
