/** The steps of a merchant's server that receives webhooks. */
import { setTimeout } from 'node:timers/promises';
import {
  type DemoRun,
  type DemoStep,
  expectEqualValues,
  savedValue,
  UnexpectedResponse,
  valueAtPath,
} from './demo-run.ts';
import { createDemoMerchantClient } from './run-client.ts';

const PAUSE_MUTATION = `mutation ($id: ID!) {
  subscriptionContractPause(subscriptionContractId: $id) { contract { id status } userErrors { field message } }
}`;
const RESUME_MUTATION = `mutation ($id: ID!) {
  subscriptionContractActivate(subscriptionContractId: $id) { contract { id status } userErrors { field message } }
}`;

export const webhookSteps: readonly DemoStep[] = [
  { title: 'The merchant’s server pauses a subscription', run: pauseContract },
  { title: 'The merchant’s server receives a signed webhook within a minute', run: awaitPauseWebhook },
];

async function pauseContract(demoRun: DemoRun): Promise<void> {
  const id = savedValue(demoRun, 'contract');
  const { data } = await createDemoMerchantClient(demoRun).request(PAUSE_MUTATION, { id });
  expectEqualValues(
    'contract.status',
    'PAUSED',
    valueAtPath(data, 'subscriptionContractPause.contract.status'),
  );
}

const MAX_POLLS = 150;

async function awaitPauseWebhook(demoRun: DemoRun): Promise<void> {
  const id = savedValue(demoRun, 'contract');
  const url = `${demoRun.stack.merchantServerUrl}/received`;
  for (let pollsMade = 0; pollsMade < MAX_POLLS; pollsMade++) {
    const receivedWebhooks = (await (await fetch(url)).json()) as readonly ReceivedWebhook[];
    const deliveredPause = receivedWebhooks.find(({ body }) => isPauseOfContract(id, body));
    if (deliveredPause !== undefined) {
      demoRun.show.call(
        { method: 'GET', url, headers: {} },
        { status: 200, body: JSON.parse(deliveredPause.body) },
      );
      expectEqualValues('isVerified', true, deliveredPause.isVerified);
      await createDemoMerchantClient(demoRun).request(RESUME_MUTATION, { id });
      return;
    }
    await setTimeout(1000);
  }
  throw new UnexpectedResponse('The merchant’s server did not receive the webhook of the pause.');
}

type ReceivedWebhook = { readonly body: string; readonly isVerified: boolean };

function isPauseOfContract(id: string, body: string): boolean {
  const event: unknown = JSON.parse(body);
  return valueAtPath(event, 'type') === 'subscription.paused' && valueAtPath(event, 'data.contractId') === id;
}
