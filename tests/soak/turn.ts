/** One turn of a customer in a round: sign in, or refresh in one of the ways that apps do, or sign out. */
import { sendOnce } from '../contract/world/service-client.ts';
import { type Customer, refreshOnce, refreshRequest, signOut, useRequest } from './customer.ts';
import { signInOnce } from './sign-in.ts';
import { insist, type SoakWorld } from './soak-world.ts';
import { steal, thiefTurn } from './theft.ts';

const THIEF_RATE = 0.005;
const REVOKE_RATE = 0.012;
const PARALLEL_RATE = 0.03;

export async function runTurn(world: SoakWorld, customer: Customer): Promise<void> {
  if (customer.tokens === undefined) await signInOnce(world, customer);
  if (await thiefTurn(world, customer)) return;
  const dice = customer.random();
  const isParallel = dice < PARALLEL_RATE;
  if (customer.theft === undefined && dice > 1 - THIEF_RATE) steal(world, customer);
  if (customer.theft !== undefined && customer.theft.kind !== 'waits') return;
  await refreshOnce(world, customer, isParallel ? world.copies : 1);
  if (customer.theft === undefined && customer.random() < REVOKE_RATE) await revokeOnce(world, customer);
}

/** Signs out, sometimes with a refresh on its way; afterwards nothing of the session is any good. */
async function revokeOnce(world: SoakWorld, customer: Customer): Promise<void> {
  const { tokens } = customer;
  if (tokens === undefined) return;
  const { ledger, stack } = world;
  const { customerId, refreshToken } = tokens;
  const body = { shop: stack.shop, customerId, refreshToken };
  const races = customer.random() < 0.5;
  const [revoked, raced] = await Promise.all([
    insist(world, () => sendOnce(stack, '/headless-auth/revoke', { method: 'DELETE', body })),
    races ? insist(world, () => refreshRequest(world, tokens)) : undefined,
  ]);
  if (revoked === undefined) return ledger.count('sign-outs put off');
  if (revoked.status !== 200)
    return ledger.fail('unexpected answers', `revoke: ${revoked.status} ${revoked.text.slice(0, 200)}`);
  ledger.count(races ? 'sign-outs that race a refresh' : 'sign-outs');
  const current = raced?.status === 200 ? (raced.body as typeof tokens) : tokens;
  world.secrets.add(current.accessToken, current.refreshToken);
  const after = await Promise.all([
    insist(world, () => refreshRequest(world, current)),
    insist(world, () => useRequest(world, current)),
  ]);
  if (after.some((answer) => answer !== undefined && answer.status !== 401))
    ledger.fail('revoked sessions that live', customer.email);
  signOut(customer);
}
