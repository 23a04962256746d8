/** A customer's app in fault tests: it stores its tokens, and sends each request once. */
import {
  type Answer,
  askOnce,
  authorize,
  sendOnce,
  signIn,
  start,
  type Tokens,
} from '../contract/world/service-client.ts';
import type { TestStack } from '../stack.ts';

export type App = Awaited<ReturnType<typeof signedInApp>>;
export type ExchangeBody = {
  readonly shop: string;
  readonly code: string;
  readonly verifier: string;
  readonly nonce: string;
};

/** A sign-in up to the code: what the app sends to exchange. */
export async function toCode(stack: TestStack, email: string): Promise<ExchangeBody> {
  const started = await start(stack);
  const code = await authorize(stack, started, email);
  return { shop: stack.shop, code, verifier: started.verifier, nonce: started.nonce };
}

export function exchange(stack: TestStack, body: ExchangeBody): Promise<Answer> {
  return sendOnce(stack, '/headless-auth/exchange', { body });
}

/** Signs a customer in. */
export async function signedInApp(stack: TestStack, email: string) {
  let tokens: Tokens = await signIn(stack, email);
  const bodyOf = ({ customerId, refreshToken }: Tokens) => ({ shop: stack.shop, customerId, refreshToken });
  return {
    tokens: () => tokens,
    /** Sends the stored refresh token, or another, and stores the new pair. */
    async refresh(current = tokens): Promise<Answer> {
      const answer = await sendOnce(stack, '/headless-auth/refresh', { body: bodyOf(current) });
      if (answer.status === 200) tokens = answer.body as Tokens;
      return answer;
    },
    use: () => askOnce(stack, 'customer', { bearer: tokens.accessToken, query: '{ __typename }' }),
    revoke: () => sendOnce(stack, '/headless-auth/revoke', { method: 'DELETE', body: bodyOf(tokens) }),
  };
}

/** The code of an error body. */
export function codeOf({ body }: Answer): string | undefined {
  return (body as { error?: { code?: string } } | undefined)?.error?.code;
}
