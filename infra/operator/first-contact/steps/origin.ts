import { parseJsonObject } from '../../../../lib/domain/json-object.ts';
import { TransportError } from '../../../../lib/platform/send-request.ts';
import type { Lab } from '../lab.ts';
import { shareable } from '../shareable.ts';
import { finding, type Step } from '../step.ts';

const VOID = 'first-contact';

export const origin: Step = {
  name: 'origin',
  claim: 'The token endpoint takes a mobile client without an Origin header.',
  does: 'Sends the token endpoint a refresh token that is none: without Origin, with the store’s own, and with that of an app in a web view. Whoever hears invalid_grant has been let in.',
  taken: 'No Origin is sent to the token endpoint.',
  see: ['lib/platform/sign-in/sign-in-client.ts', 'lib/platform/sign-in/sign-in-request.ts'],
  obstacle: ({ store }) =>
    store.clientId ? undefined : 'The store has no client id of the Customer Account API: see store check.',
  async measure(lab) {
    const ways = [undefined, `https://${lab.shop.host}`, 'https://localhost'];
    const tried = [];
    for (const way of ways) tried.push(await tryOrigin(lab, way));
    const observed = tried.map(({ words }) => words);
    const [without, ...within] = tried.map(({ error }) => error);
    const isTaken = (error: string | undefined) => error === 'invalid_grant';
    if (isTaken(without)) {
      const refused = within.filter((error) => !isTaken(error)).length;
      return finding(
        true,
        refused === 0 ? 'With one it is taken, too.' : 'With one it is refused: it must not be sent.',
        observed,
      );
    }
    return within.some(isTaken)
      ? finding(false, 'It is taken with an Origin alone.', observed)
      : { verdict: 'not measured', words: 'The client is refused in every form: see store check.', observed };
  },
};

async function tryOrigin({ store, parts }: Lab, way: string | undefined) {
  const form = { grant_type: 'refresh_token', client_id: store.clientId ?? '', refresh_token: VOID };
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
    ...(way !== undefined && { origin: way }),
  };
  const body = new URLSearchParams(form).toString();
  const answer = await parts
    .send({ method: 'POST', url: store.signIn.tokenEndpoint, headers, body })
    .catch((failed: unknown) => {
      if (failed instanceof TransportError) return undefined;
      throw failed;
    });
  const error = answer && `${parseJsonObject(answer.body)?.error ?? 'without an error'}`;
  const seen = answer === undefined ? 'no answer' : `status ${answer.status}, ${shareable(error ?? '')}`;
  return { error, words: `${way === undefined ? 'without Origin' : `Origin ${way}`}: ${seen}` };
}
