/** The steps of a merchant's server that receives webhooks. */
import { setTimeout } from 'node:timers/promises';
import { at, expectEqual, type Journey, recall, type Step, Unexpected } from './journey.ts';
import { merchantOf } from './run-client.ts';

const PAUSE = `mutation ($id: ID!) {
  subscriptionContractPause(subscriptionContractId: $id) { contract { id status } userErrors { field message } }
}`;
const RESUME = `mutation ($id: ID!) {
  subscriptionContractActivate(subscriptionContractId: $id) { contract { id status } userErrors { field message } }
}`;

export const webhookSteps: readonly Step[] = [
  { title: 'The merchant’s server pauses a subscription', run: pause },
  { title: 'The merchant’s server receives a signed webhook within a minute', run: arrives },
];

async function pause(journey: Journey): Promise<void> {
  const id = recall(journey, 'contract');
  const { data } = await merchantOf(journey).request(PAUSE, { id });
  expectEqual('contract.status', 'PAUSED', at(data, 'subscriptionContractPause.contract.status'));
}

const MAX_POLLS = 150;

async function arrives(journey: Journey): Promise<void> {
  const id = recall(journey, 'contract');
  const url = `${journey.stack.webhooksUrl}/received`;
  for (let polls = 0; polls < MAX_POLLS; polls++) {
    const received = (await (await fetch(url)).json()) as readonly Received[];
    const delivered = received.find(({ body }) => isPauseOf(id, body));
    if (delivered !== undefined) {
      journey.show.call(
        { method: 'GET', url, headers: {} },
        { status: 200, body: JSON.parse(delivered.body) },
      );
      expectEqual('isVerified', true, delivered.isVerified);
      await merchantOf(journey).request(RESUME, { id });
      return;
    }
    await setTimeout(1000);
  }
  throw new Unexpected('The merchant’s server did not receive the webhook of the pause.');
}

type Received = { readonly body: string; readonly isVerified: boolean };

function isPauseOf(id: string, body: string): boolean {
  const event: unknown = JSON.parse(body);
  return at(event, 'type') === 'subscription.paused' && at(event, 'data.contractId') === id;
}
