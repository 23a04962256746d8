/** The service as a client sees it: plain HTTP, and the customer in front of the platform's pages. */
import { playSignInPages } from '../../infra/local/demo/sign-in-pages.ts';
import type { TestStack } from '../stack.ts';

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

/** Sends a request to the service; the content type is JSON unless `headers` say otherwise. */
export async function send(stack: TestStack, path: string, request: Request = {}): Promise<Answer> {
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
  const callback = await playSignInPages({
    authUrl: signIn.authUrl,
    email,
    readCode: () => stack.control.oneTimeCode(email),
    seen: () => undefined,
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

/** Asks one of the GraphQL endpoints, with a bearer credential. */
export function ask(
  stack: TestStack,
  endpoint: keyof typeof PATHS,
  { bearer, ...query }: Query & { bearer: string },
) {
  const { headers, ...body } = query;
  return send(stack, PATHS[endpoint], { body, headers: { authorization: `Bearer ${bearer}`, ...headers } });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
