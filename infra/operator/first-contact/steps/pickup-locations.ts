import type { AdminAnswer } from '../../../../lib/platform/admin-api/admin-answer.ts';
import { deliveryOptions, type OptionsResult } from '../../../../lib/platform/admin-api/delivery-options.ts';
import { leaveDraft, openDraft } from '../draft.ts';
import type { Lab } from '../lab.ts';
import { errorWords, rootOf } from '../platform-answer.ts';
import { hasScope } from '../read-shop.ts';
import { type Finding, finding, type Step } from '../step.ts';
import { chosenContract, NO_CONTRACT } from '../test-contract.ts';

const SCOPE = 'read_locations';
const WAITS_MS = [250, 500, 1_000, 2_000, 4_000, 8_000];
const DOCUMENT = `query FirstContactOptions($id: ID!, $_svcAddress: MailingAddressInput) {
  subscriptionDraft(id: $id) { ${deliveryOptions({ kind: 'pickup' })} }
}`;

export const pickupLocations: Step = {
  name: 'pickup-locations',
  claim: `Without ${SCOPE} the place of a pick-up takes all delivery options with it: null, with ACCESS_DENIED.`,
  does: 'Opens a draft of a contract and asks how it could be delivered, places of pick-ups included.',
  changes: {
    what: 'Leaves a draft that is never committed.',
    undone: 'It changes nothing, and cannot be deleted.',
  },
  taken:
    'Places are read only for a pick-up; null with ACCESS_DENIED is final, null without an error is asked for again.',
  see: ['lib/subscriptions/delivery/await-options.ts'],
  obstacle: (lab) => (chosenContract(lab) === undefined ? `${NO_CONTRACT}.` : undefined),
  async measure(lab) {
    const id = await openDraft(lab, chosenContract(lab)?.id ?? '');
    leaveDraft(lab);
    const { answer, asked } = await awaitOptions(lab, id);
    const { deliveryOptions: result } = rootOf<{ readonly deliveryOptions: OptionsResult }>(
      answer,
      'subscriptionDraft',
    );
    const isGranted = hasScope(lab.shop, SCOPE);
    const observed = [`${SCOPE}: ${isGranted ? 'granted' : 'not granted'}`, `asked ${asked} times`];
    const [error] = answer.errors;
    if (error !== undefined) {
      const isSo = result === null && error.extensions?.code === 'ACCESS_DENIED' && !isGranted;
      return finding(isSo, errorWords(answer.errors), [
        ...observed,
        `deliveryOptions: ${result === null ? 'null' : 'there'}`,
      ]);
    }
    return judge(result, { isGranted, observed });
  },
};

type Seen = { readonly isGranted: boolean; readonly observed: readonly string[] };

function judge(result: OptionsResult, { isGranted, observed }: Seen): Finding {
  const options = result !== null && 'deliveryOptions' in result ? result.deliveryOptions : undefined;
  if (options === undefined)
    return {
      verdict: 'not measured',
      words: result === null ? 'The options stay pending.' : 'The platform offers none for this address.',
      observed,
    };
  const kinds = [...new Set(options.map(({ __typename }) => __typename))].sort();
  const seen = [...observed, `offered: ${kinds.join(', ') || 'nothing'}`];
  if (!kinds.includes('SubscriptionPickupOption'))
    return {
      verdict: 'not measured',
      words: 'The store offers no pick-up for this address.',
      observed: seen,
    };
  return isGranted
    ? {
        verdict: 'not measured',
        words: `The grant has ${SCOPE}: a grant without it tells.`,
        observed: seen,
      }
    : finding(false, 'Places are told without it.', seen);
}

/** The options are null at first, while the platform finds out. */
async function awaitOptions(lab: Lab, id: string): Promise<{ answer: AdminAnswer; asked: number }> {
  for (let asked = 1; ; asked++) {
    const answer = await lab.ask(DOCUMENT, { id, _svcAddress: null });
    const draft = answer.data?.subscriptionDraft as
      | { readonly deliveryOptions: OptionsResult }
      | null
      | undefined;
    const waitMs = WAITS_MS[asked - 1];
    const isPending = draft?.deliveryOptions === null && answer.errors.length === 0;
    if (!isPending || waitMs === undefined) return { answer, asked };
    await lab.pause(waitMs);
  }
}
