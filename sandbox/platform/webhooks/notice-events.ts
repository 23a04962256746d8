/**
 * Finds the events that the platform sends webhooks for: all changes of a store since the last check, from any source.
 * It compares two snapshots of the store, so that resolvers need not report their changes.
 */
import type { AttemptRecord, ContractRecord } from '../state/contract-records.ts';
import type { PaymentMethodRecord } from '../state/customer-records.ts';
import type { StoreState } from '../state/state.ts';
import {
  attemptPayload,
  contractPayload,
  cyclePayload,
  paymentMethodPayload,
  shopPayload,
  type WebhookPayload,
} from './payloads.ts';

export type StoreEvent = { readonly topic: string; readonly payload: WebhookPayload };

type ContractFacts = {
  readonly status: string;
  readonly content: string;
  /** Whether the cycle is skipped, and the rest of its edit, by cycle index. */
  readonly edits: ReadonlyMap<string, { readonly isSkipped: boolean; readonly rest: string }>;
};

/** A snapshot of the facts that webhooks report. */
export type StorePicture = {
  readonly contracts: ReadonlyMap<number, ContractFacts>;
  readonly attempts: ReadonlyMap<number, string>;
  readonly paymentMethods: ReadonlyMap<string, string>;
  readonly shop: string;
};

export function pictureOf(store: StoreState): StorePicture {
  return {
    contracts: new Map([...store.contracts].map(([id, contract]) => [id, contractFactsOf(contract)])),
    attempts: new Map([...store.attempts].map(([id, attempt]) => [id, stateOf(attempt)])),
    paymentMethods: new Map([...store.paymentMethods].map(([id, method]) => [id, methodText(method)])),
    shop: JSON.stringify([shopPayload(store), store.plan]),
  };
}

/** A webhook reports a payment method without the bank's responses to charges. */
function methodText(method: PaymentMethodRecord): string {
  const { declines: _answer, upcomingAnswers: _next, ...instrument } = method.instrument;
  return JSON.stringify({ ...method, instrument });
}

/** A changed date of the next order alone causes no webhook, as observed at the platform. */
function contractFactsOf({ content, cycleEdits }: ContractRecord): ContractFacts {
  const { status, nextBillingDate: _unreported, ...rest } = content;
  const edits = Object.entries(cycleEdits).map(([index, { skipped, ...edit }]) => {
    const isEmpty = edit.billingDate === null && edit.contract === null;
    return [index, { isSkipped: skipped, rest: isEmpty ? '' : JSON.stringify(edit) }] as const;
  });
  return { status, content: JSON.stringify(rest), edits: new Map(edits) };
}

function stateOf({
  completedAt,
  isChallenged,
  orderId,
}: AttemptRecord): 'challenged' | 'failure' | 'pending' | 'success' {
  if (completedAt === null) return isChallenged === true ? 'challenged' : 'pending';
  return orderId === null ? 'failure' : 'success';
}

/** Returns whether a charge was open in the snapshot, or is not in it. */
export function hasOpenCharges({ attempts }: StoreState, before: StorePicture): boolean {
  if (attempts.size !== before.attempts.size) return true;
  return [...before.attempts.values()].some((state) => state === 'pending' || state === 'challenged');
}

type StorePictures = { readonly before: StorePicture; readonly now: StorePicture };

/** Returns the events between two snapshots of the store, in an unspecified order. */
export function eventsBetween({ before, now }: StorePictures, store: StoreState): StoreEvent[] {
  const contracts = [...store.contracts.values()].flatMap((contract) =>
    contractEvents(
      before.contracts.get(contract.id),
      now.contracts.get(contract.id) as ContractFacts,
      contract,
    ),
  );
  const attempts = [...store.attempts.values()].flatMap((attempt) => {
    const state = stateOf(attempt);
    if (state === 'pending' || state === before.attempts.get(attempt.id)) return [];
    return [{ topic: `subscription_billing_attempts/${state}`, payload: attemptPayload(attempt) }];
  });
  const methods = [...store.paymentMethods.values()].flatMap((method) => {
    const known = before.paymentMethods.get(method.id);
    if (known === now.paymentMethods.get(method.id)) return [];
    const isRevoked = method.revokedAt !== null;
    const action = known === undefined ? 'create' : isRevoked ? 'revoke' : 'update';
    return [{ topic: `customer_payment_methods/${action}`, payload: paymentMethodPayload(method) }];
  });
  const shop = before.shop === now.shop ? [] : [{ topic: 'shop/update', payload: shopPayload(store) }];
  return [...contracts, ...attempts, ...methods, ...shop];
}

const TOPIC_OF_STATUS: Readonly<Record<string, string>> = {
  ACTIVE: 'activate',
  CANCELLED: 'cancel',
  EXPIRED: 'expire',
  FAILED: 'fail',
  PAUSED: 'pause',
};

function contractEvents(
  before: ContractFacts | undefined,
  now: ContractFacts,
  contract: ContractRecord,
): StoreEvent[] {
  const of = (action: string) => ({
    topic: `subscription_contracts/${action}`,
    payload: contractPayload(contract),
  });
  if (before === undefined) return [of('create')];
  const indexes = [...new Set([...before.edits.keys(), ...now.edits.keys()])];
  return [
    ...(before.content === now.content ? [] : [of('update')]),
    ...(before.status === now.status ? [] : [of(TOPIC_OF_STATUS[now.status] ?? 'update')]),
    ...indexes.flatMap((index) =>
      editTopics(before.edits.get(index), now.edits.get(index)).map((topic) => ({
        topic,
        payload: cyclePayload(contract, Number(index)),
      })),
    ),
  ];
}

type CycleEditState = { readonly isSkipped: boolean; readonly rest: string };
const NO_EDIT: CycleEditState = { isSkipped: false, rest: '' };

function editTopics(before: CycleEditState = NO_EDIT, now: CycleEditState = NO_EDIT): string[] {
  const skips = before.isSkipped === now.isSkipped ? [] : [now.isSkipped ? 'skip' : 'unskip'];
  const action = before.rest === '' ? 'create' : now.rest === '' ? 'delete' : 'update';
  return [
    ...skips.map((each) => `subscription_billing_cycles/${each}`),
    ...(before.rest === now.rest ? [] : [`subscription_billing_cycle_edits/${action}`]),
  ];
}
