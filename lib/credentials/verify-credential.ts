import type middy from '@middy/core';
import type { CallerAddress, WithCaller } from '../http/edge/caller-address.ts';
import type { HttpEvent, HttpResult, Step } from '../http/exchange.ts';
import type { Actor } from './actor.ts';
import { awaitNote } from './note-key-use.ts';

/** The part of the exchange that `verifyCredential` adds. */
export type Verified<A extends Actor = Actor> = { actor: A };

/**
 * `Authorization` header → actor. UNAUTHENTICATED before anything of the body is looked at. Whatever comes of
 * the request, the first use of a customer's token is noted before the answer goes out, and the use of a key beside it.
 */
export function verifyCredential<A extends Actor>(
  verify: (authorization: string | undefined, caller: CallerAddress | undefined) => Promise<A>,
): Step<Verified<A> & WithCaller> {
  return {
    name: 'verifyCredential',
    before: async ({ event: { exchange } }) => {
      exchange.actor = await verify(exchange.request.headers.authorization, exchange.callerAddress);
      exchange.logFields.shopId = exchange.actor.shopId;
      if (exchange.actor.kind === 'store') exchange.logFields.keyId = exchange.actor.keyId;
    },
    after: settle,
    onError: settle,
  };
}

async function settle({
  event,
}: middy.Request<HttpEvent<Partial<Verified>>, HttpResult>): Promise<undefined> {
  const actor = event.exchange.actor;
  if (actor?.kind === 'customer') await actor.session.confirmation;
  if (actor?.kind === 'store' && actor.noted !== undefined) await awaitNote(actor.noted);
}
