import type middy from '@middy/core';
import type { CallerAddress, WithCallerAddress } from '../http/edge/caller-address.ts';
import type { HandlerStep, HttpEvent, HttpResult } from '../http/exchange.ts';
import type { Actor } from './actor.ts';

/** The fields that `verifyCredential` adds to the exchange. */
export type WithActor<A extends Actor = Actor> = { actor: A };

/**
 * Authenticates the `Authorization` header, and adds the actor. Throws UNAUTHENTICATED before the body is read. Waits
 * before the response, for any outcome, until the first use of a customer's token, or the use of a key, is recorded.
 */
export function verifyCredential<A extends Actor>(
  verify: (authorization: string | undefined, caller: CallerAddress | undefined) => Promise<A>,
): HandlerStep<WithActor<A> & WithCallerAddress> {
  return {
    name: 'verifyCredential',
    before: async ({ event: { exchange } }) => {
      exchange.actor = await verify(exchange.request.headers.authorization, exchange.callerAddress);
      exchange.logFields.shopId = exchange.actor.shopId;
      if (exchange.actor.kind === 'store') exchange.logFields.keyId = exchange.actor.keyId;
    },
    after: awaitStartedWrites,
    onError: awaitStartedWrites,
  };
}

/** A frozen container would cut off a write that is in progress. It started with the request, so it has usually finished. */
function awaitStartedWrites({
  event,
}: middy.Request<HttpEvent<Partial<WithActor>>, HttpResult>): Promise<undefined> | undefined {
  const actor = event.exchange.actor;
  const usageWrite = actor?.kind === 'customer' ? actor.session.confirmation : actor?.usageWrite;
  return usageWrite?.then(() => undefined);
}
