/** The options and the request handler type of the phone's parts. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** `shop` is the store's domain, `name` its display name. */
type PhoneShop = { readonly shop: string; readonly name: string };

export type PhoneOptions = {
  /** 0 picks a free port. */
  readonly port: number;
  readonly serviceUrl: string;
  readonly platformUrl: string;
  readonly shops: readonly PhoneShop[];
};

/** Handles the request and returns true, or does nothing and returns false. */
export type PhonePart = (request: IncomingMessage, response: ServerResponse) => boolean;
