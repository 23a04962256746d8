/** The recorded state of a theft: `theft.ts` and `theft-ahead.ts` simulate the thieves. */
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
  /** The copied pair. */
  readonly stolen: Tokens;
  /** When it was certainly replaced, epoch milliseconds. */
  replacedAtMs: number | undefined;
  /** The current pair of a thief who continues. */
  current: Tokens;
  /** Whether the copy was sent; without a response it is unknown whether the service processed it. */
  isPresented: boolean;
};
