/**
 * A thief who rotates first while the owner retries late, so that each holds a pair of the same generation. Both use
 * their pairs; at the second generation that both have used, the service must revoke the session.
 */
import type { Tokens } from '../contract/world/service-client.ts';
import { type Customer, refreshRequest, signOut, useRequest } from './customer.ts';
import { insist, readToken, type SoakWorld } from './soak-world.ts';
import type { TheftAhead } from './theft-kinds.ts';

/** After 60 s a repeat is late; and some for the time a request takes. */
const LATE_MS = 62_000;
/** A note of a use that the table lost is written by the next use. */
const USES = 3;

/** A turn of the thief, or one of the owner once he comes late. */
export async function aheadTurn(world: SoakWorld, customer: Customer, theft: TheftAhead): Promise<void> {
  if (theft.aheadAtMs === undefined) return goAhead(world, customer, theft);
  if (customer.tokens === undefined || world.now() - theft.aheadAtMs < LATE_MS) return;
  const { tokens } = customer;
  const answer = await insist(world, () => refreshRequest(world, tokens));
  if (answer === undefined) return;
  if (answer.status !== 200) return end(world, customer, theft);
  customer.tokens = answer.body as Tokens;
  world.secrets.add(customer.tokens.accessToken, customer.tokens.refreshToken);
  theft.aheadAtMs = undefined;
  const isShared = theft.current.refreshToken !== customer.tokens.refreshToken;
  const ends = await useBoth(world, customer.tokens, theft.current);
  if (ends) return end(world, customer, theft);
  if (ends === undefined || !isShared || !isOneGeneration(theft.current, customer.tokens)) return;
  theft.shared++;
  if (theft.shared < 2) return;
  world.ledger.fail('thefts missed', `${customer.email}: ahead, in ${theft.shared} generations`);
  signOut(customer);
}

async function goAhead(world: SoakWorld, customer: Customer, theft: TheftAhead): Promise<void> {
  const answer = await insist(world, () => refreshRequest(world, theft.current));
  if (answer === undefined) return;
  if (answer.status !== 200) return end(world, customer, theft);
  theft.current = answer.body as Tokens;
  world.secrets.add(theft.current.accessToken, theft.current.refreshToken);
  theft.aheadAtMs = world.now();
}

/** Returns true if one of the pairs is rejected, or undefined if it is uncertain that the service saw both uses. */
async function useBoth(world: SoakWorld, ...pairs: readonly Tokens[]): Promise<boolean | undefined> {
  let [isRefused, isCertain] = [false, true];
  for (let i = 0; i < USES; i++) {
    for (const pair of pairs) {
      const answer = await insist(world, () => useRequest(world, pair));
      // The rejection of an expired access token proves nothing.
      if (answer === undefined || Date.parse(pair.expiresAt) <= world.now() + LATE_MS) isCertain = false;
      else if (answer.status === 401) isRefused = true;
    }
  }
  return isRefused ? true : isCertain ? false : undefined;
}

/** Checks that a rejection of one pair revoked the whole session. */
async function end(world: SoakWorld, customer: Customer, theft: TheftAhead): Promise<void> {
  const session = await world.sessions.find(readToken(theft.current.refreshToken).claims);
  if (session?.status === 'revoked') world.ledger.count('thefts found by their hand-outs');
  else world.ledger.fail('thefts missed', `${customer.email}: ahead, refused, and the session lives`);
  signOut(customer);
}

function isOneGeneration(one: Tokens, other: Tokens): boolean {
  return readToken(one.refreshToken).claims.generation === readToken(other.refreshToken).claims.generation;
}
