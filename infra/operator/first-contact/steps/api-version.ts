import { readAdminAnswer } from '../../../../lib/platform/admin-api/admin-answer.ts';
import { finding, type Step } from '../step.ts';

const EXPIRED = '2020-01';

export const apiVersion: Step = {
  name: 'api-version',
  claim:
    'Each answer names the version that gave it in X-Shopify-API-Version, an answer in place of an expired one too.',
  does: `Asks for the shop's id in the version in use, and in one that has expired (${EXPIRED}).`,
  taken:
    'A version other than the one asked for raises the alarm api-version; without the header it would never ring.',
  see: ['lib/platform/admin-api/admin-client.ts'],
  async measure({ askVersion, parts }) {
    const asked = parts.target.platformApiVersion;
    const inUse = await askVersion(asked);
    const expired = await askVersion(EXPIRED);
    const observed = [
      `${asked}: status ${inUse.status}, answered by ${inUse.apiVersion ?? 'no version'}`,
      `${EXPIRED}: status ${expired.status}, answered by ${expired.apiVersion ?? 'no version'}`,
    ];
    if (readAdminAnswer(inUse).kind !== 'answered')
      return { verdict: 'not measured', words: 'The platform did not answer.', observed };
    if (inUse.apiVersion !== asked)
      return finding(
        false,
        `${asked} is answered by ${inUse.apiVersion ?? 'no version that is told'}.`,
        observed,
      );
    const falls =
      expired.status === 200 && expired.apiVersion !== undefined && expired.apiVersion !== EXPIRED;
    return falls
      ? finding(true, `The oldest that lives is ${expired.apiVersion}.`, observed)
      : finding(false, 'An expired version is not answered by a living one that is told.', observed);
  },
};
