/** The service as a client sees it: plain HTTP, and the customer in front of the platform's pages. */
import { setTimeout } from 'node:timers/promises';
import { completeSignInPages } from '../../../sandbox/sign-in-pages.ts';
import type { TestStack } from '../../stack.ts';

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly text: string;
};
export type SignIn = {
  readonly authUrl: string;
  readonly verifier: string;
  readonly nonce: string;
  readonly state: string;
  readonly redirectUri: string;
};
export type Tokens = {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly customerId: number;
  readonly expiresAt: string;
};

type Request = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, or as it is if it is a text. */
  readonly body?: unknown;
};

const RETRYABLE = [429, 503];
const MAX_ATTEMPTS = 12;

/**
 * Retries like clients: after `Retry-After`, while the response's status is in `statuses`. A response without that
 * header is final.
 */
export async function again<T extends Pick<Answer, 'status' | 'headers'>>(
  request: () => Promise<T>,
  statuses = RETRYABLE,
): Promise<T> {
  let answer = await request();
  for (let tries = 1; tries < MAX_ATTEMPTS && statuses.includes(answer.status); tries++) {
    const seconds = Number(answer.headers.get('retry-after'));
    if (!(seconds > 0)) return answer;
    await setTimeout(seconds * 1000);
    answer = await request();
  }
  return answer;
}

/** Sends a request to the service, and again while the answer says so. */
export function send(stack: TestStack, path: string, request: Request = {}): Promise<Answer> {
  return again(() => sendOnce(stack, path, request));
}

/** Sends one request; the content type is JSON unless `headers` say otherwise. */
export async function sendOnce(stack: TestStack, path: string, request: Request = {}): Promise<Answer> {
  const { method = 'POST', headers = {}, body } = request;
  const response = await fetch(stack.baseUrl + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

/** Starts a sign-in. */
export async function start(stack: TestStack, shop = stack.shop): Promise<SignIn> {
  const { body } = await send(stack, '/headless-auth/start', { body: { shop } });
  return body as SignIn;
}

/** Plays the customer: from the sign-in's address to the authorization code in the redirect. */
export async function authorize(stack: TestStack, signIn: SignIn, email: string): Promise<string> {
  const callback = await completeSignInPages({
    authUrl: signIn.authUrl,
    email,
    readCode: () => stack.control.oneTimeCode(email),
    onPage: () => undefined,
  });
  const url = new URL(callback);
  if (url.searchParams.get('state') !== signIn.state) throw new Error('The state is another one.');
  return url.searchParams.get('code') ?? '';
}

/** A customer's tokens, by the whole journey. */
export async function signIn(stack: TestStack, email: string): Promise<Tokens> {
  const started = await start(stack);
  const code = await authorize(stack, started, email);
  const { verifier, nonce } = started;
  const { body } = await send(stack, '/headless-auth/exchange', {
    body: { shop: stack.shop, code, verifier, nonce },
  });
  return body as Tokens;
}

type Query = {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
};

const PATHS = {
  customer: '/api/storefront/unstable/graphql.json',
  admin: '/api/admin/unstable/graphql.json',
} as const;

/** Asks one of the GraphQL endpoints, with a bearer credential, and again while the answer says so. */
export function ask(stack: TestStack, endpoint: keyof typeof PATHS, query: Query & { bearer: string }) {
  return again(() => askOnce(stack, endpoint, query));
}

/** Asks once. */
export function askOnce(
  stack: TestStack,
  endpoint: keyof typeof PATHS,
  { bearer, ...query }: Query & { bearer: string },
) {
  const { headers, ...body } = query;
  return sendOnce(stack, PATHS[endpoint], {
    body,
    headers: { authorization: `Bearer ${bearer}`, ...headers },
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
