/** What the parts of the phone share: where they stand, and how they answer. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** `shop` is the store's domain, `name` what people call it. */
type PhoneShop = { readonly shop: string; readonly name: string };

export type PhoneOptions = {
  /** 0 picks a free port. */
  readonly port: number;
  readonly serviceUrl: string;
  readonly platformUrl: string;
  readonly shops: readonly PhoneShop[];
};

/** Answers the request and returns true, or leaves it alone. */
export type PhonePart = (request: IncomingMessage, response: ServerResponse) => boolean;
