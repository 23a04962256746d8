/** What the platform answers to a question or a change, and its reasons in words. */
import type { AdminAnswer, PlatformError } from '../../../lib/platform/admin-api/admin-answer.ts';
import { quoted } from './shareable.ts';
import { Unmeasurable } from './unmeasurable.ts';

export type UserError = { readonly message: string; readonly code?: string | null };
export type Payload = Readonly<Record<string, unknown>> & { readonly userErrors: readonly UserError[] };
export type Variables = Readonly<Record<string, unknown>>;

/** Data and errors of a document. ServiceError as the service's own client has them. */
export type Ask = (document: string, variables?: Variables) => Promise<AdminAnswer>;

/** The payload of each root of the document; null: the platform answered none. */
export type Changed = {
  readonly payloads: Readonly<Record<string, Payload | null>>;
  readonly errors: readonly PlatformError[];
};

/** What the platform answered at a root. Unmeasurable, with its words, if it is nothing. */
export function rootOf<Root>({ data, errors }: AdminAnswer, name: string): Root {
  const root = data?.[name];
  if (root !== null && root !== undefined) return root as Root;
  throw new Unmeasurable(`The platform answers no ${name}: ${errorWords(errors)}`);
}

/** The payload of a mutation's root. Unmeasurable if there is none or it is refused. */
export function payloadOf({ payloads, errors }: Changed, name: string): Payload {
  const payload = payloads[name];
  if (!payload) throw new Unmeasurable(`The platform does not do ${name}: ${errorWords(errors)}`);
  const [refused] = payload.userErrors;
  if (refused !== undefined)
    throw new Unmeasurable(`The platform refuses ${name}: ${userErrorWords(refused)}.`);
  return payload;
}

/** The first error's code and message. */
export function errorWords(errors: readonly PlatformError[]): string {
  const [first] = errors;
  if (first === undefined) return 'it gives no reason.';
  return `${first.extensions?.code ?? 'no code'}, ${quoted(first.message)} at ${first.path?.join('.') ?? 'no path'}.`;
}

/** A refusal's code and message. */
export function userErrorWords({ code, message }: UserError): string {
  return `${code ?? 'no code'}, ${quoted(message)}`;
}
