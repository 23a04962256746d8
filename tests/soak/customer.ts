/** One customer and the app on the phone: an honest client that follows the client contract, on a bad network. */
import { type Answer, askOnce, sendOnce, type Tokens } from '../contract/world/service-client.ts';
import { codeOf, type ExchangeBody } from '../faults/app.ts';
import { insist, readToken, type SoakWorld } from './soak-world.ts';
import type { Theft } from './theft-kinds.ts';

export type Customer = {
  readonly email: string;
  readonly id: number;
  readonly random: () => number;
  tokens: Tokens | undefined;
  /** The pair before, whose access token may still be in use. */
  before: Tokens | undefined;
  /** A sign-in whose exchange has not ended. */
  pending: ExchangeBody | undefined;
  /** An answer that never reached the app: the next one must be of the same generation. */
  lost: { readonly pair: Tokens; readonly atMs: number } | undefined;
  theft: Theft | undefined;
};

const LOST_RATE = 0.01;
const USED_RATE = 0.45;
/** The share among customers who do not use the new pair immediately. */
const USED_BEFORE_RATE = 0.15;
const GRACE_MS = 61_000;

export function refreshRequest({ stack }: SoakWorld, { customerId, refreshToken }: Tokens): Promise<Answer> {
  return sendOnce(stack, '/headless-auth/refresh', { body: { shop: stack.shop, customerId, refreshToken } });
}

export function useRequest({ stack }: SoakWorld, { accessToken }: Tokens): Promise<Answer> {
  return askOnce(stack, 'customer', { bearer: accessToken, query: '{ __typename }' });
}

/** One refresh with the stored token; what goes wrong on the way is sent again, at once or next time. */
export async function refreshOnce(world: SoakWorld, customer: Customer, copies = 1): Promise<void> {
  const { tokens } = customer;
  if (tokens === undefined) return;
  const requests = Array.from({ length: copies }, () => insist(world, () => refreshRequest(world, tokens)));
  const answers = (await Promise.all(requests)).filter((answer) => answer !== undefined);
  world.ledger.count('refreshes', copies);
  if (copies > 1) world.ledger.count('parallel refreshes', copies);
  const refused = answers.find(({ status }) => status !== 200);
  if (refused !== undefined) return loseSession(world, customer, refused);
  const [pair, ...others] = answers.map(({ body }) => body as Tokens);
  if (pair === undefined) return world.ledger.count('refreshes put off');
  for (const one of [pair, ...others]) world.secrets.add(one.accessToken, one.refreshToken);
  if (others.some((other) => !isSameGeneration(other, pair)))
    world.ledger.fail('pairs that differ', `${customer.email}: parallel refreshes`);
  await receive(world, customer, pair);
}

async function receive(world: SoakWorld, customer: Customer, pair: Tokens): Promise<void> {
  const { ledger } = world;
  const { lost, tokens } = customer;
  if (lost !== undefined) {
    ledger.count('answers fetched again');
    if (world.now() - lost.atMs > GRACE_MS) ledger.count('late repeats');
    if (!isSameGeneration(lost.pair, pair))
      ledger.fail('pairs that differ', `${customer.email}: after a lost answer`);
  }
  if (customer.random() < LOST_RATE) {
    ledger.count('answers lost');
    customer.lost = { pair, atMs: lost?.atMs ?? world.now() };
    if (lost !== undefined) customer.lost = { pair, atMs: world.now() };
    return;
  }
  if (tokens !== undefined && readToken(tokens.refreshToken).kid !== readToken(pair.refreshToken).kid)
    ledger.count('refreshes across a rotation of the ring');
  Object.assign(customer, { before: tokens, tokens: pair, lost: undefined });
  if (customer.random() < USED_RATE) await useTokens(world, customer, pair);
  else if (isUsable(world, tokens) && customer.random() < USED_BEFORE_RATE) {
    ledger.count('access tokens used after a rotation');
    await useTokens(world, customer, tokens);
  }
}

/** A late retry returns the same generation under another issue number. */
function isSameGeneration(one: Tokens, other: Tokens): boolean {
  return readToken(one.refreshToken).claims.generation === readToken(other.refreshToken).claims.generation;
}

function isUsable({ now }: SoakWorld, pair: Tokens | undefined): pair is Tokens {
  return pair !== undefined && Date.parse(pair.expiresAt) > now() + GRACE_MS;
}

async function useTokens(world: SoakWorld, customer: Customer, pair: Tokens): Promise<void> {
  const answer = await insist(world, () => useRequest(world, pair));
  world.ledger.count('calls with an access token');
  if (answer !== undefined && answer.status !== 200) loseSession(world, customer, answer);
}

/** An honest app is refused: that is what must never happen. It signs in again. */
function loseSession({ ledger, now }: SoakWorld, customer: Customer, answer: Answer): void {
  const details = `${customer.email} ${answer.status} ${codeOf(answer) ?? answer.text.slice(0, 200)} at ${new Date(now()).toISOString()}`;
  if (answer.status === 401 || answer.status === 404) {
    ledger.fail('false 401', details);
    ledger.fail('sessions lost', details);
  } else ledger.fail('unexpected answers', details);
  signOut(customer);
}

/** The app forgets everything. */
export function signOut(customer: Customer): void {
  Object.assign(customer, {
    tokens: undefined,
    before: undefined,
    lost: undefined,
    theft: undefined,
    pending: undefined,
  });
}
