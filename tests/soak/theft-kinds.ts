/** What is known of a theft while it goes on: `theft.ts` and `theft-ahead.ts` play the thieves. */
import type { Tokens } from '../contract/world/service-client.ts';

export type Theft = TheftAhead | ReplacedToken;

export type TheftAhead = {
  readonly kind: 'stays ahead';
  readonly stolen: Tokens;
  current: Tokens;
  /** When the thief went ahead of what the owner holds, epoch milliseconds. */
  aheadAtMs: number | undefined;
  /** Generations that both have certainly used. */
  shared: number;
};

export type ReplacedToken = {
  readonly kind: 'waits' | 'goes on';
  /** What was copied. */
  readonly stolen: Tokens;
  /** When it was certainly replaced, epoch milliseconds. */
  replacedAtMs: number | undefined;
  /** What the thief holds who goes on. */
  current: Tokens;
  /** The copy was sent; whether it was looked at is not known if no answer came. */
  isPresented: boolean;
};
