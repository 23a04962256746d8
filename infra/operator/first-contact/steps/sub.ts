import { parseCustomerId } from '../../../../lib/domain/customer-id.ts';
import { parseJsonObject } from '../../../../lib/domain/json-object.ts';
import { redirectUriOf } from '../../../../lib/domain/redirect-uri.ts';
import { challengeOf, createCodeVerifier } from '../../../../lib/domain/tokens/code-verifier.ts';
import { TransportError } from '../../../../lib/platform/send-request.ts';
import { authorizationUrl } from '../../../../lib/platform/sign-in/authorization-url.ts';
import { createKeySet } from '../../../../lib/platform/sign-in/key-set.ts';
import { type PlatformTokens, readCodeGrant } from '../../../../lib/platform/sign-in/read-code-grant.ts';
import { createSignInClient } from '../../../../lib/platform/sign-in/sign-in-client.ts';
import type { Lab } from '../lab.ts';
import { quoted } from '../shareable.ts';
import { builtFor, finding, type Step } from '../step.ts';
import { Unmeasurable } from '../unmeasurable.ts';

const TIMEOUT_MS = 5_000;

export const sub: Step = {
  name: 'sub',
  claim:
    'The `sub` of an id_token is the number of the customer, as customer { id } of the Customer Account API tells it.',
  does: 'Shows an address: you sign in there as a test customer, and paste the address that the browser is sent to in the end. Exchanges its code as the service does, without an Origin, and asks the Customer Account API who that is.',
  changes: { what: 'A test customer is signed in at the platform.', undone: 'That sign-in is ended.' },
  taken:
    'Each sign-in asks the Customer Account API who it is, and is rejected if the `sub` is the number of somebody else; `store update --trust-sub` spares the question.',
  see: [
    'lib/sign-in/exchange/identify-customer.ts',
    'docs/decisions/0149-verify-credentials-addresses-and-identity-before-trusting-them.md',
  ],
  obstacle({ store, question }) {
    if (!store.clientId) return 'The store has no client id of the Customer Account API: see store check.';
    return question === undefined ? 'Nobody is at the terminal to sign in.' : undefined;
  },
  async measure(lab) {
    const { subject, tokens } = await signIn(lab);
    const customerId = await askCustomer(lab, tokens.accessToken);
    const number = /(\d+)$/.exec(customerId)?.[1];
    const observed = [
      `sub ${quoted(subject)}, customer { id } ${quoted(customerId)}`,
      'the token endpoint took the code without an Origin',
      `a refresh token came${tokens.refreshToken === undefined ? ' not' : ''}; the access token lives for ${tokens.expiresInSeconds} s`,
    ];
    if (subject === number || subject === customerId)
      return finding(true, 'They are the same: --trust-sub is safe here.', observed);
    return parseCustomerId(subject) === undefined
      ? builtFor('It is no number, so that each sign-in asks.', observed)
      : finding(false, 'It is another number: every sign-in is rejected.', observed);
  },
};

type SignedIn = { readonly subject: string; readonly tokens: PlatformTokens };

async function signIn(lab: Lab): Promise<SignedIn> {
  const { store, parts, question, note, say } = lab;
  lab.endDryRun();
  const clientId = store.clientId ?? '';
  const redirectUri = redirectUriOf(store.shopId);
  const word = () => Buffer.from(parts.random(16)).toString('base64url');
  const [state, nonce, verifier] = [word(), word(), createCodeVerifier(parts.random)];
  const challenge = challengeOf(verifier).toString('base64url');
  say(
    `Open this in a private window, and sign in as a test customer:\n\n${authorizationUrl({ signIn: store.signIn, clientId, redirectUri, state, challenge, nonce })}\n`,
  );
  say(
    `It ends at an address that begins with ${redirectUri}, which no browser opens: copy it from the address bar, or from the developer tools (Network, “Preserve log”: the header Location of the last line).`,
  );
  const pasted = (await question?.('The address:')) ?? '';
  const code = codeOf(pasted, { redirectUri, state });
  const client = createSignInClient({ send: parts.send });
  const answer = await client.grantCode({
    signIn: store.signIn,
    clientId,
    code,
    verifier,
    redirectUri,
    timeoutMs: TIMEOUT_MS,
  });
  if (answer instanceof TransportError)
    throw new Unmeasurable(`The token endpoint did not answer: ${answer.kind}.`);
  const body = parseJsonObject(answer.body);
  if (typeof body?.id_token === 'string')
    note('A test customer is signed in at the platform.', logOut(lab, body.id_token));
  const keySet = createKeySet({ send: parts.send, now: parts.now });
  const reading = await readCodeGrant(keySet, { store, clientId, answer, receivedAtMs: parts.now(), nonce });
  if (reading.kind === 'accepted') return reading;
  const why =
    reading.kind === 'rejected'
      ? reading.reason
      : `status ${answer.status}, ${body?.error ?? 'no error named'}`;
  throw new Unmeasurable(`The code brings no tokens: ${quoted(why)}.`);
}

/** The code of the pasted address, which is refused if it is of another sign-in. */
function codeOf(
  pasted: string,
  { redirectUri, state }: { readonly redirectUri: string; readonly state: string },
): string {
  const text = pasted.trim();
  const parameters = text.startsWith(redirectUri) ? URL.parse(text)?.searchParams : undefined;
  const code = parameters?.get('code');
  if (!parameters) throw new Unmeasurable(`What was pasted does not begin with ${redirectUri}.`);
  if (parameters.get('state') !== state) throw new Unmeasurable('What was pasted is of another sign-in.');
  if (code) return code;
  throw new Unmeasurable(
    `The platform gives no code: ${quoted(parameters.get('error') ?? 'and does not say why')}.`,
  );
}

async function askCustomer({ parts, store }: Lab, accessToken: string): Promise<string> {
  const client = createSignInClient({ send: parts.send });
  const answer = await client.askCustomer(store.signIn, accessToken, TIMEOUT_MS);
  if (answer instanceof TransportError)
    throw new Unmeasurable(`The Customer Account API did not answer: ${answer.kind}.`);
  const body = parseJsonObject(answer.body) as
    | { readonly data?: { readonly customer?: { readonly id?: unknown } } }
    | undefined;
  const id = body?.data?.customer?.id;
  if (typeof id === 'string') return id;
  throw new Unmeasurable(`The Customer Account API names no customer: status ${answer.status}.`);
}

function logOut({ parts, store }: Lab, idToken: string) {
  return async (): Promise<undefined> => {
    const client = createSignInClient({ send: parts.send });
    const answer = await client.logOut(store.signIn, idToken, TIMEOUT_MS);
    if (answer instanceof TransportError) throw answer;
    if (answer.status >= 400) throw new Unmeasurable(`status ${answer.status}`);
    return undefined;
  };
}
