/** A merchant's server is told what happens, without asking. */
import { setTimeout } from 'node:timers/promises';
import { at, expectEqual, type Journey, recall, type Step, Unexpected } from './journey.ts';
import { merchantOf } from './play-client.ts';

const PAUSE = `mutation ($id: ID!) {
  subscriptionContractPause(subscriptionContractId: $id) { contract { id status } userErrors { field message } }
}`;
const RESUME = `mutation ($id: ID!) {
  subscriptionContractActivate(subscriptionContractId: $id) { contract { id status } userErrors { field message } }
}`;

export const webhookSteps: readonly Step[] = [
  { title: 'A subscription is paused', play: pause },
  { title: 'The merchant’s server is told, signed, within a minute', play: arrives },
];

async function pause(journey: Journey): Promise<void> {
  const id = recall(journey, 'contract');
  const { data } = await merchantOf(journey).request(PAUSE, { id });
  expectEqual('contract.status', 'PAUSED', at(data, 'subscriptionContractPause.contract.status'));
}

const MOST_LOOKS = 150;

async function arrives(journey: Journey): Promise<void> {
  const id = recall(journey, 'contract');
  const url = `${journey.stack.webhooksUrl}/received`;
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const received = (await (await fetch(url)).json()) as readonly Received[];
    const told = received.find(({ body }) => isPauseOf(id, body));
    if (told !== undefined) {
      journey.show.call({ method: 'GET', url, headers: {} }, { status: 200, body: JSON.parse(told.body) });
      expectEqual('isVerified', true, told.isVerified);
      await merchantOf(journey).request(RESUME, { id });
      return;
    }
    await setTimeout(1000);
  }
  throw new Unexpected('The pause has not arrived at the merchant’s server.');
}

type Received = { readonly body: string; readonly isVerified: boolean };

function isPauseOf(id: string, body: string): boolean {
  const event: unknown = JSON.parse(body);
  return at(event, 'type') === 'subscription.paused' && at(event, 'data.contractId') === id;
}
