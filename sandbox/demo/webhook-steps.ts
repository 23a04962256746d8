/** The steps of a merchant's server that receives webhooks. */
import { setTimeout } from 'node:timers/promises';
import {
  expectEqual,
  type Journey,
  type Step,
  savedValue,
  UnexpectedResponse,
  valueAtPath,
} from './journey.ts';
import { merchantOf } from './run-client.ts';

const PAUSE_MUTATION = `mutation ($id: ID!) {
  subscriptionContractPause(subscriptionContractId: $id) { contract { id status } userErrors { field message } }
}`;
const RESUME_MUTATION = `mutation ($id: ID!) {
  subscriptionContractActivate(subscriptionContractId: $id) { contract { id status } userErrors { field message } }
}`;

export const webhookSteps: readonly Step[] = [
  { title: 'The merchant’s server pauses a subscription', run: pauseContract },
  { title: 'The merchant’s server receives a signed webhook within a minute', run: awaitPauseWebhook },
];

async function pauseContract(journey: Journey): Promise<void> {
  const id = savedValue(journey, 'contract');
  const { data } = await merchantOf(journey).request(PAUSE_MUTATION, { id });
  expectEqual('contract.status', 'PAUSED', valueAtPath(data, 'subscriptionContractPause.contract.status'));
}

const MAX_POLLS = 150;

async function awaitPauseWebhook(journey: Journey): Promise<void> {
  const id = savedValue(journey, 'contract');
  const url = `${journey.stack.webhooksUrl}/received`;
  for (let polls = 0; polls < MAX_POLLS; polls++) {
    const received = (await (await fetch(url)).json()) as readonly ReceivedWebhook[];
    const delivered = received.find(({ body }) => isPauseOf(id, body));
    if (delivered !== undefined) {
      journey.show.call(
        { method: 'GET', url, headers: {} },
        { status: 200, body: JSON.parse(delivered.body) },
      );
      expectEqual('isVerified', true, delivered.isVerified);
      await merchantOf(journey).request(RESUME_MUTATION, { id });
      return;
    }
    await setTimeout(1000);
  }
  throw new UnexpectedResponse('The merchant’s server did not receive the webhook of the pause.');
}

type ReceivedWebhook = { readonly body: string; readonly isVerified: boolean };

function isPauseOf(id: string, body: string): boolean {
  const event: unknown = JSON.parse(body);
  return valueAtPath(event, 'type') === 'subscription.paused' && valueAtPath(event, 'data.contractId') === id;
}
