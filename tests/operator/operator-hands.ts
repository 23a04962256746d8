/** The actions of an operator, a merchant's server and a customer on a running stack. */

import {
  type OneTimeLinkSecret,
  oneTimeLinkProofOf,
  openSealedAdminKey,
} from '../../lib/domain/tokens/one-time-link-secret.ts';
import { runCommandLine } from '../../operator/command-line/program.ts';
import { send, type Tokens } from '../contract/world/service-client.ts';
import type { TestStack } from '../stack.ts';

export type Hands = ReturnType<typeof createHands>;

export function createHands(stack: TestStack) {
  return {
    command: (line: readonly string[], input = '') => command(stack, line, input),
    ask: (key: string) => ask(stack, key),
    tryLink,
    claim,
    /** A customer's refresh: the status and, of success, the next tokens. */
    async refresh(shop: string, { customerId, refreshToken }: Tokens) {
      const { status, body } = await send(stack, '/headless-auth/refresh', {
        body: { shop, customerId, refreshToken },
      });
      return { status, tokens: body as Tokens };
    },
  };
}

/** The command line in this process, which is faster; `input` is its standard input. */
async function command(stack: TestStack, line: readonly string[], input: string) {
  const out: string[] = [];
  const err: string[] = [];
  const exitCode = await runCommandLine([...line, '--state', stack.stateFile, '--json'], {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    columns: 200,
    isInteractive: false,
    confirm: async () => false,
    ask: async () => '',
    readInput: async () => input,
  });
  if (exitCode !== 0) throw new Error(err.join('\n'));
  return JSON.parse(out.join('\n'));
}

async function ask(stack: TestStack, key: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${stack.baseUrl}/api/admin/unstable/graphql.json`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ subscriptionContracts(first: 1) { nodes { id } } }' }),
  });
  return { status: answer.status, text: await answer.text() };
}

/** Sends the claim like the link's page. */
async function tryLink(link: string, domain: string, claimId = 'A'.repeat(22)): Promise<Response> {
  const url = new URL(link);
  return fetch(`${url.origin}${url.pathname}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      claimId,
      proof: oneTimeLinkProofOf(url.hash.slice(1) as OneTimeLinkSecret),
      domain,
    }),
  });
}

async function claim(link: string, domain: string): Promise<string> {
  const { sealedKey } = (await (await tryLink(link, domain)).json()) as { sealedKey: string };
  return openSealedAdminKey(sealedKey, new URL(link).hash.slice(1) as OneTimeLinkSecret) ?? '';
}
