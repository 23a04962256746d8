import { parseJsonObject } from '../../../../lib/domain/json-object.ts';
import { type RawAnswer, TransportError } from '../../../../lib/platform/send-request.ts';
import type { Lab } from '../lab.ts';
import { withoutQuery } from '../shareable.ts';
import { finding, type Step } from '../step.ts';

const DOCUMENTS = { 'openid-configuration': 'issuer', 'customer-account-api': 'graphql_api' } as const;

export const discovery: Step = {
  name: 'discovery',
  claim: 'Both discovery documents lie below the myshopify.com domain itself, without a redirect.',
  does: "Fetches /.well-known/openid-configuration and customer-account-api from the store's myshopify.com domain and from the domain of its pages, following no redirect.",
  taken:
    'No redirect is followed: the documents are read from the myshopify.com domain alone, and a status other than 200 is “cannot be had”.',
  see: ['lib/platform/sign-in/discover-sign-in.ts'],
  async measure(lab) {
    const { domain, signIn } = lab.store;
    const hosts = [...new Set([domain, lab.shop.host])];
    const seen = [];
    for (const host of hosts)
      for (const [name, field] of Object.entries(DOCUMENTS))
        seen.push({ host, field, ...(await fetchDocument(lab, { host, name, field })) });
    const observed = seen.map(({ words }) => words);
    const own = seen.filter(({ host }) => host === domain);
    const served = own.every(({ status }) => status === 200);
    if (!served && own.some(({ status }) => status === 0 || status >= 500))
      return { verdict: 'not measured', words: 'The platform did not answer.', observed };
    if (!served) return finding(false, `${domain} does not serve them itself.`, observed);
    const issuer = own.find(({ field }) => field === 'issuer')?.value;
    const isPinned = issuer === signIn.issuer;
    return finding(
      true,
      isPinned ? 'The issuer is the pinned one.' : 'The issuer is not the pinned one: see store check.',
      observed,
    );
  },
};

type Document = { readonly host: string; readonly name: string; readonly field: string };
type Seen = { readonly status: number; readonly value: unknown; readonly words: string };

async function fetchDocument({ parts }: Lab, { host, name, field }: Document): Promise<Seen> {
  const url = `${parts.target.platformOrigin.replaceAll('{shop}', host)}/.well-known/${name}`;
  const at = `${host}/.well-known/${name}`;
  const answer = await parts
    .send({ method: 'GET', url, headers: { accept: 'application/json' } })
    .catch((error: unknown) => lost(error));
  if (typeof answer === 'string')
    return { status: 0, value: undefined, words: `${at}: no answer (${answer})` };
  const { status, headers } = answer;
  const to = headers.location === undefined ? '' : ` to ${withoutQuery(headers.location)}`;
  const value = status === 200 ? parseJsonObject(answer.body)?.[field] : undefined;
  const names = typeof value === 'string' ? `, ${field} ${withoutQuery(value)}` : '';
  return { status, value, words: `${at}: status ${status}${to}${names}` };
}

function lost(error: unknown): string | RawAnswer {
  if (error instanceof TransportError) return error.kind;
  throw error;
}
