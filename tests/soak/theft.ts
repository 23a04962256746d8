/**
 * A thief copies a refresh token. He waits until the owner has gone on, or he goes on himself and the owner comes back:
 * then the replaced token must end the session as soon as it is a certain sign of theft. Or he stays one ahead.
 */
import type { Tokens } from '../contract/world/service-client.ts';
import { type Customer, refreshRequest, signOut, useRequest } from './customer.ts';
import { insist, readToken, type SoakWorld } from './soak-world.ts';
import { aheadTurn } from './theft-ahead.ts';
import type { ReplacedToken } from './theft-kinds.ts';

/** The grace of 60 s, and some for the time a request takes. */
const CERTAIN_MS = 62_000;

export function steal(world: SoakWorld, customer: Customer): void {
  if (customer.tokens === undefined || customer.lost !== undefined) return;
  const copy = { stolen: customer.tokens, current: customer.tokens };
  const dice = customer.random();
  customer.theft =
    dice < 1 / 3
      ? { ...copy, kind: 'stays ahead', aheadAtMs: undefined, shared: 0 }
      : { ...copy, kind: dice < 2 / 3 ? 'waits' : 'goes on', replacedAtMs: undefined, isPresented: false };
  world.ledger.count('thieves');
}

/** Runs the turn of a thief. Returns true if the owner has no turn of their own. */
export async function thiefTurn(world: SoakWorld, customer: Customer): Promise<boolean> {
  const { theft } = customer;
  if (theft === undefined) return false;
  if (theft.kind === 'stays ahead') {
    await aheadTurn(world, customer, theft);
    return true;
  }
  if (theft.isPresented) await present(world, customer, theft);
  if (customer.theft === undefined || theft.isPresented) return true;
  if (theft.kind === 'goes on') await goOn(world, theft);
  else if (customer.tokens?.refreshToken !== theft.stolen.refreshToken) theft.replacedAtMs ??= world.now();
  if (!(await isCertain(world, theft))) return theft.kind === 'goes on';
  await present(world, customer, theft);
  return true;
}

/** Rotates as fast as turns come, sometimes less than 60 s apart, and uses what he gets. */
async function goOn(world: SoakWorld, theft: ReplacedToken): Promise<void> {
  const answer = await insist(world, () => refreshRequest(world, theft.current));
  if (answer?.status === 401)
    world.ledger.fail('sessions lost', `of a thief alone: ${answer.text.slice(0, 200)}`);
  if (answer?.status !== 200) return;
  theft.current = answer.body as Tokens;
  world.secrets.add(theft.current.accessToken, theft.current.refreshToken);
  theft.replacedAtMs ??= world.now();
  await insist(world, () => useRequest(world, theft.current));
}

/** Its successor is confirmed or replaced, and all grace is over. */
async function isCertain(world: SoakWorld, { stolen, replacedAtMs }: ReplacedToken): Promise<boolean> {
  const { claims } = readToken(stolen.refreshToken);
  const session = await world.sessions.find(claims);
  if (session === undefined || replacedAtMs === undefined) return false;
  const next = claims.generation + 1;
  const isSpent = session.generation > next || session.confirmedGeneration >= next;
  const since = Math.max(replacedAtMs, session.lateRepeatAtMs ?? 0);
  return isSpent && world.now() - since > CERTAIN_MS;
}

/** Presents the copied token: by the thief who waited, or by the owner who comes back. */
async function present(world: SoakWorld, customer: Customer, theft: ReplacedToken): Promise<void> {
  const { ledger } = world;
  theft.isPresented = true;
  const answer = await insist(world, () => refreshRequest(world, theft.stolen));
  if (answer === undefined) return;
  const newest = theft.kind === 'waits' ? customer.tokens : theft.current;
  const session = await world.sessions.find(readToken(theft.stolen.refreshToken).claims);
  const after = newest && (await insist(world, () => refreshRequest(world, newest)));
  const used = newest && (await insist(world, () => useRequest(world, newest)));
  const lives = answer.status !== 401 || session?.status !== 'revoked' || isGood(after) || isGood(used);
  if (lives) ledger.fail('thefts missed', `${customer.email}: ${theft.kind}, answered ${answer.status}`);
  else ledger.count(theft.kind === 'waits' ? 'thefts found by the thief' : 'thefts found by the owner');
  signOut(customer);
}

function isGood(answer: { readonly status: number } | undefined): boolean {
  return answer?.status === 200;
}
