/** The payload's `event` over HTTP: the timeline's entry, for a customer and for a key, in the language of the request. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ask, signIn } from './world/service-client.ts';
import { stack } from './world/shared-stack.ts';

const FIELDS = '... on SubscriptionEvent { id action message outcome actor { kind customer { id } } }';
const SKIP = `mutation ($id: ID!, $skip: Boolean!, $key: String!) {
  change: subscriptionBillingCycleSkip(contractId: $id, billingCycleIndex: 14, skip: $skip) @idempotent(key: $key) {
    event { ${FIELDS} } contract { status events(last: 1) { nodes { ${FIELDS} } } } userErrors { message } } }`;
const id = 'gid://platform/SubscriptionContract/9101001';

type Entry = Readonly<Record<'id' | 'action' | 'message', string>>;
type Change = {
  readonly event: Entry;
  readonly contract: { readonly events: { readonly nodes: readonly Entry[] } };
};

describe('the event of a change', () => {
  let customer: string;
  beforeAll(async () => {
    customer = (await signIn(stack, 'ada@example.com')).accessToken;
  });

  const skip = async (as: 'customer' | 'admin', skips: boolean, key: string, language = 'en') => {
    const { body } = await ask(stack, as, {
      bearer: as === 'customer' ? customer : stack.adminKey,
      headers: { 'accept-language': language },
      query: as === 'admin' ? SKIP.replace(') {', ') @inContext(language: DE) {') : SKIP,
      variables: { id, skip: skips, key },
    });
    return (body as { readonly data: { readonly change: Change } }).data.change;
  };

  test.each(['customer', 'admin'] as const)('is the entry of the timeline on the %s endpoint', async (as) => {
    const skipped = await skip(as, true, `${as}-1`, 'de');
    expect(skipped).toMatchObject({ event: { action: 'billing_cycle_skipped', outcome: 'DONE' } });
    expect(skipped.event.message).toMatch(as === 'customer' ? /^Sie haben/ : /übersprungen/);
    expect(skipped.contract.events.nodes).toEqual([skipped.event]);
    expect(await skip(as, true, `${as}-1`, 'de')).toEqual(skipped);
    expect((await skip(as, true, `${as}-2`)).event).toBeNull();
    const restored = await skip(as, false, `${as}-3`);
    expect(restored.event).toMatchObject({ action: 'billing_cycle_unskipped' });
    expect(restored.contract.events.nodes).toEqual([restored.event]);
  });
});
