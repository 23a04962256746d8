/** A sign-in under faults: in any case the same exchange returns the tokens, or a proper rejection. */

import type { CustomerId } from '../../lib/domain/customer-id.ts';
import type { ShopId } from '../../lib/domain/shop-id.ts';
import { completeSignInPages } from '../../sandbox/sign-in-pages.ts';
import { type Answer, type SignIn, sendOnce, type Tokens } from '../contract/world/service-client.ts';
import { codeOf, type ExchangeBody } from '../faults/app.ts';
import type { Customer } from './customer.ts';
import { insist, type SoakWorld } from './soak-world.ts';

const PARALLEL_RATE = 0.05;
const CLEAN = ['INVALID_NONCE', 'SIGN_IN_REJECTED'];

/** Signs the customer in, or goes as far as it can: an exchange that has not ended is sent again next time. */
export async function signInOnce(world: SoakWorld, customer: Customer): Promise<void> {
  const { ledger, secrets } = world;
  const body = customer.pending ?? (await toCode(world, customer));
  if (body === undefined) return ledger.count('sign-ins put off');
  const isPending = customer.pending !== undefined;
  customer.pending = body;
  const copies = !isPending && customer.random() < PARALLEL_RATE ? Math.ceil(world.copies / 2) : 1;
  const storedBefore = await storedSessions(world, customer);
  const exchange = () => sendOnce(world.stack, '/headless-auth/exchange', { body });
  const sent = Array.from({ length: copies }, () => insist(world, exchange, 2));
  const answers = (await Promise.all(sent)).filter((answer) => answer !== undefined);
  if (copies > 1) ledger.count('parallel exchanges', copies);
  if ((await storedSessions(world, customer)) > storedBefore + 1)
    ledger.fail('second sessions', customer.email);
  const pairs = answers.filter(({ status }) => status === 200).map((answer) => answer.body as Tokens);
  for (const pair of pairs) secrets.add(pair.accessToken, pair.refreshToken);
  if (new Set(pairs.map(({ refreshToken }) => refreshToken)).size > 1)
    ledger.fail('pairs that differ', `${customer.email}: parallel exchanges`);
  end(world, customer, { pairs, refusals: answers.filter(({ status }) => status !== 200) });
}

type Outcome = { readonly pairs: readonly Tokens[]; readonly refusals: readonly Answer[] };

function end({ ledger }: SoakWorld, customer: Customer, { pairs, refusals }: Outcome): void {
  const [pair] = pairs;
  const [refused] = refusals;
  if (refused !== undefined && !CLEAN.includes(codeOf(refused) ?? ''))
    ledger.fail('unexpected answers', `exchange: ${refused.status} ${refused.text.slice(0, 200)}`);
  if (pair !== undefined) {
    Object.assign(customer, { tokens: pair, pending: undefined });
    ledger.count('sign-ins');
  } else if (refused === undefined) ledger.count('sign-ins put off');
  else {
    customer.pending = undefined;
    ledger.count('sign-ins begun again');
  }
}

async function toCode(world: SoakWorld, { email }: Customer): Promise<ExchangeBody | undefined> {
  const { stack, secrets } = world;
  const started = await insist(world, () =>
    sendOnce(stack, '/headless-auth/start', { body: { shop: stack.shop } }),
  );
  if (started === undefined) return undefined;
  if (started.status !== 200) {
    world.ledger.fail('unexpected answers', `start: ${started.status} ${started.text.slice(0, 200)}`);
    return undefined;
  }
  const { authUrl, verifier, nonce } = started.body as SignIn;
  const readCode = () => stack.control.oneTimeCode(email);
  const callback = await completeSignInPages({ authUrl, email, readCode, onPage: () => undefined });
  const code = new URL(callback).searchParams.get('code') ?? '';
  secrets.add(code, verifier, nonce);
  return { shop: stack.shop, code, verifier, nonce };
}

async function storedSessions({ sessions, stack }: SoakWorld, { id }: Customer): Promise<number> {
  return (await sessions.listOf(stack.shopId as ShopId, id as CustomerId)).length;
}
