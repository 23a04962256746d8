import { askAccessToken, type Presented } from '../../../../lib/platform/grants/ask-access-token.ts';
import { createPostForm } from '../../../../lib/platform/grants/post-form.ts';
import { builtFor, finding, type Step } from '../step.ts';
import { Unmeasurable } from '../unmeasurable.ts';

const WRONG = 'first-contact';
const PRESENTED: readonly Presented[] = [
  { grant_type: 'client_credentials' },
  { grant_type: 'refresh_token', refresh_token: WRONG },
];

export const appSecret: Step = {
  name: 'app-secret',
  claim: 'An app whose secret was changed is refused with invalid_client.',
  does: "Asks for the app's access token twice with a secret that is none: by client credentials, and by a refresh token that is none.",
  taken:
    'Any 4xx but 408 and 429 ends a grant once its token has ended, with the alarm store-disconnected; anything else is asked again.',
  see: ['lib/platform/grants/ask-access-token.ts', 'lib/platform/grants/renew-grant.ts'],
  async measure({ parts, store }) {
    const clientId = await parts.appClientId(store);
    if (clientId === undefined)
      throw new Unmeasurable(
        'The store was installed with a token alone: the client of the app is not known here.',
      );
    const deps = {
      postForm: createPostForm(parts),
      platformOrigin: parts.target.platformOrigin,
      now: parts.now,
    };
    const app = { clientId, clientSecret: WRONG };
    const answers: string[] = [];
    for (const presented of PRESENTED) {
      const answer = await askAccessToken(deps, { domain: store.domain, app, presented });
      answers.push(answer.kind === 'refused' ? answer.reason : answer.kind);
    }
    const observed = PRESENTED.map(
      (presented, index) => `${'grant_type' in presented ? presented.grant_type : 'code'}: ${answers[index]}`,
    );
    if (answers.includes('given')) return finding(false, 'It is given a token all the same.', observed);
    if (answers.includes('unanswered')) {
      const words =
        'It is no refusal: if the platform is not down, a changed secret cannot be told from an outage.';
      return { verdict: 'not measured', words, observed };
    }
    return answers.every((answer) => answer === 'invalid_client')
      ? finding(true, 'In either form.', observed)
      : builtFor('It is refused in other words.', observed);
  },
};
