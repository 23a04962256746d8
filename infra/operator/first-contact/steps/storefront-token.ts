import { ServiceError } from '../../../../lib/errors/service-error.ts';
import { failureWords } from '../../../../lib/stores/checks/failure-words.ts';
import type { Lab } from '../lab.ts';
import { type Ask, errorWords, rootOf, userErrorWords } from '../platform-answer.ts';
import { finding, type Step } from '../step.ts';

const TITLE = 'First contact: made to be deleted';
const CREATE = `mutation FirstContactToken($title: String!) {
  storefrontAccessTokenCreate(input: { title: $title }) { storefrontAccessToken { id } userErrors { message } }
}`;
const LIST =
  'query FirstContactTokens { shop { storefrontAccessTokens(first: 100) { nodes { id title } } } }';
const DELETE = `mutation FirstContactTokenDelete($id: ID!) {
  storefrontAccessTokenDelete(input: { id: $id }) { userErrors { message } }
}`;

export const storefrontToken: Step = {
  name: 'storefront-token',
  claim: 'The app may make a storefront token.',
  does: 'Makes a storefront token, and deletes it.',
  changes: { what: 'One more storefront token for some seconds.', undone: 'It is deleted.' },
  taken:
    'A store has one storefront token, which the service makes. Without the app’s Storefront API access it has none.',
  see: ['lib/stores/life/make-storefront-token.ts'],
  async measure(lab) {
    const made = await make(lab);
    if (typeof made === 'string') return finding(false, `It is refused: ${made}`, []);
    return finding(true, 'It was made, and deleted.', [`token ${made.id}`]);
  },
};

async function make({ change, mend }: Lab): Promise<string | { readonly id: string }> {
  const what = 'A storefront token was made.';
  const variables = { title: TITLE };
  try {
    const { payloads, errors } = await change({
      document: CREATE,
      variables,
      what,
      undo: () => removeAll(mend),
    });
    const payload = payloads.storefrontAccessTokenCreate;
    if (!payload) return errorWords(errors);
    const [refused] = payload.userErrors;
    if (refused !== undefined) return `${userErrorWords(refused)}.`;
    return payload.storefrontAccessToken as { readonly id: string };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'STORE_ACCESS_MISSING')
      return `${failureWords(error)}.`;
    throw error;
  }
}

/** The token is found by its title: the answer that named it may be lost. */
async function removeAll(mend: Ask): Promise<undefined> {
  type Tokens = {
    readonly storefrontAccessTokens: { readonly nodes: readonly { id: string; title: string }[] };
  };
  const { storefrontAccessTokens } = rootOf<Tokens>(await mend(LIST), 'shop');
  for (const { id, title } of storefrontAccessTokens.nodes)
    if (title === TITLE) rootOf(await mend(DELETE, { id }), 'storefrontAccessTokenDelete');
  return undefined;
}
