/** Changes with their timeline, on both endpoints: the table calls other than those of sign-in and reading. */

import {
  type DemoRun,
  type DemoStep,
  expectEqualValues,
  savedValue,
  valueAtPath,
} from '../../../sandbox/demo/demo-run.ts';
import { customerGidByPosition } from '../../../sandbox/demo/operations.ts';
import type { DemoResponse } from '../../../sandbox/demo/send-request.ts';
import { asCustomer, asMerchant } from './as-people.ts';

const DAY_MS = 86_400_000;
const PAUSE = `mutation ($id: ID!, $until: DateTime!) {
  subscriptionContractPause(subscriptionContractId: $id, until: $until) { contract { status } userErrors { message } }
}`;
const EVENTS = `query ($id: ID!) { subscriptionContract(id: $id) {
  events(first: 5) { nodes { id } }
  paused: events(first: 5, query: "action:subscription_paused") { nodes { id } }
} }`;
const STATES = `query ($id: ID!) { customer(id: $id) {
  subscriptionContracts(first: 5) { nodes { id status currentPause { resumesAt } } }
} }`;

type Ask = (query: string, variables: Readonly<Record<string, unknown>>) => Promise<DemoResponse>;
const customer =
  (journey: DemoRun): Ask =>
  (query, variables) =>
    asCustomer(journey, { query, variables });
const merchant =
  (journey: DemoRun): Ask =>
  (query, variables) =>
    asMerchant(journey, { query, variables });

/** Needs a signed-in customer, and the journey's `contract` and `foreignContract`. */
export const changeSteps: readonly DemoStep[] = [
  {
    title: 'A customer pauses, and reads the timeline',
    run: (journey) => pauseAndRead(customer(journey), savedValue(journey, 'contract')),
  },
  {
    title: 'A merchant’s server does the same with another’s',
    run: (journey) => pauseAndRead(merchant(journey), savedValue(journey, 'foreignContract')),
  },
  { title: 'The pauses of a customer are read in one', run: (journey) => expectStates(journey, 'PAUSED') },
];

/** Checks the results of the scheduled work, two days later. */
export const resumedSteps: readonly DemoStep[] = [
  { title: 'The pauses have ended', run: (journey) => expectStates(journey, 'ACTIVE') },
];

async function pauseAndRead(ask: Ask, id: string): Promise<void> {
  const until = new Date(Date.now() + DAY_MS).toISOString();
  const paused = await ask(PAUSE, { id, until });
  const payload = { contract: { status: 'PAUSED' }, userErrors: [] };
  expectEqualValues('the pause', payload, valueAtPath(paused.body, 'data.subscriptionContractPause'));
  const { body } = await ask(EVENTS, { id });
  const newest = valueAtPath(body, 'data.subscriptionContract.paused.nodes.0.id');
  expectEqualValues('its entry', 'string', typeof newest);
}

async function expectStates(journey: DemoRun, status: string): Promise<void> {
  for (const [place, name] of ['contract', 'foreignContract'].entries()) {
    const { body } = await merchant(journey)(STATES, { id: customerGidByPosition(journey, place) });
    const nodes = valueAtPath(body, 'data.customer.subscriptionContracts.nodes') as {
      id: string;
      status: string;
    }[];
    const found = nodes.find(({ id }) => id === savedValue(journey, name));
    expectEqualValues(`the status of ${name}`, status, found?.status);
  }
}
