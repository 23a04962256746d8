/**
 * Finds the events that the platform sends webhooks for: all changes of a store since the last check, from any source.
 * It compares two snapshots of the store, so that resolvers need not report their changes.
 */
import type { AttemptRecord, ContractRecord } from '../state/contract-records.ts';
import type { PaymentMethodRecord } from '../state/customer-records.ts';
import type { StoreState } from '../state/state.ts';
import {
  createAttemptPayload,
  createContractPayload,
  createCyclePayload,
  createPaymentMethodPayload,
  createShopPayload,
  type WebhookPayload,
} from './payloads.ts';

export type StoreEvent = { readonly topic: string; readonly payload: WebhookPayload };

type ContractSnapshot = {
  readonly status: string;
  readonly content: string;
  /** The edits by cycle index: whether the cycle is skipped, and as `rest` the other changes, serialized. */
  readonly edits: ReadonlyMap<string, { readonly isSkipped: boolean; readonly rest: string }>;
};

/** A snapshot of the facts that webhooks report. */
export type StoreSnapshot = {
  readonly contracts: Map<number, ContractSnapshot>;
  readonly attempts: Map<number, string>;
  readonly paymentMethods: Map<string, string>;
  readonly shop: string;
};

/** A store, or the records of it that may have changed. */
type SnapshotSource = Omit<StoreState, 'attempts' | 'contracts' | 'paymentMethods'> & {
  readonly contracts: ReadonlyMap<number, ContractRecord>;
  readonly attempts: ReadonlyMap<number, AttemptRecord>;
  readonly paymentMethods: ReadonlyMap<string, PaymentMethodRecord>;
};

/** Returns the store with only those records that may have changed since the last call. */
export function takeTouchedRecords(store: StoreState): SnapshotSource {
  return {
    ...store,
    contracts: store.contracts.takeTouched(),
    attempts: store.attempts.takeTouched(),
    paymentMethods: store.paymentMethods.takeTouched(),
  };
}

export function takeStoreSnapshot(store: SnapshotSource): StoreSnapshot {
  return {
    contracts: new Map([...store.contracts].map(([id, contract]) => [id, takeContractSnapshot(contract)])),
    attempts: new Map([...store.attempts].map(([id, attempt]) => [id, classifyAttempt(attempt)])),
    paymentMethods: new Map(
      [...store.paymentMethods].map(([id, method]) => [id, serializePaymentMethod(method)]),
    ),
    shop: JSON.stringify([createShopPayload(store), store.plan]),
  };
}

/** Serializes a payment method as webhooks report it: without the bank's responses to charges. */
function serializePaymentMethod(method: PaymentMethodRecord): string {
  const { declines: _answer, outcomes: _script, failuresInRow: _count, ...instrument } = method.instrument;
  return JSON.stringify({ ...method, instrument });
}

/** Takes a contract's snapshot, without the next order's date: its change alone causes no webhook, as observed. */
function takeContractSnapshot({ content, cycleEdits }: ContractRecord): ContractSnapshot {
  const { status, nextBillingDate: _unreported, ...reportedContent } = content;
  const editEntries = Object.entries(cycleEdits).map(([index, { skipped, ...edit }]) => {
    const isOnlySkip = edit.billingDate === null && edit.contract === null;
    return [index, { isSkipped: skipped, rest: isOnlySkip ? '' : JSON.stringify(edit) }] as const;
  });
  return { status, content: JSON.stringify(reportedContent), edits: new Map(editEntries) };
}

/** The platform reports a confirmation by the customer as `challenged` only when the customer has opened its page. */
function classifyAttempt({
  completedAt,
  isOpened,
  orderId,
}: AttemptRecord): 'challenged' | 'failure' | 'pending' | 'success' {
  if (completedAt === null) return isOpened === true ? 'challenged' : 'pending';
  return orderId === null ? 'failure' : 'success';
}

type StoreSnapshotPair = { readonly before: StoreSnapshot; readonly now: StoreSnapshot };

/**
 * Returns the events between two snapshots of the store, in an unspecified order. `now` has the records of `store`, and
 * `before` may have more.
 */
export function diffStoreSnapshots({ before, now }: StoreSnapshotPair, store: SnapshotSource): StoreEvent[] {
  const contractEvents = [...store.contracts.values()].flatMap((contract) =>
    listContractEvents(
      before.contracts.get(contract.id),
      now.contracts.get(contract.id) as ContractSnapshot,
      contract,
    ),
  );
  const attemptEvents = [...store.attempts.values()].flatMap((attempt) => {
    const newState = classifyAttempt(attempt);
    if (newState === 'pending' || newState === before.attempts.get(attempt.id)) return [];
    return [{ topic: `subscription_billing_attempts/${newState}`, payload: createAttemptPayload(attempt) }];
  });
  const methodEvents = [...store.paymentMethods.values()].flatMap((method) => {
    const methodBefore = before.paymentMethods.get(method.id);
    if (methodBefore === now.paymentMethods.get(method.id)) return [];
    const isMethodRevoked = method.revokedAt !== null;
    const action = methodBefore === undefined ? 'create' : isMethodRevoked ? 'revoke' : 'update';
    return [{ topic: `customer_payment_methods/${action}`, payload: createPaymentMethodPayload(method) }];
  });
  const shopEvents =
    before.shop === now.shop ? [] : [{ topic: 'shop/update', payload: createShopPayload(store) }];
  return [...contractEvents, ...attemptEvents, ...methodEvents, ...shopEvents];
}

const TOPIC_OF_STATUS: Readonly<Record<string, string>> = {
  ACTIVE: 'activate',
  CANCELLED: 'cancel',
  EXPIRED: 'expire',
  FAILED: 'fail',
  PAUSED: 'pause',
};

function listContractEvents(
  before: ContractSnapshot | undefined,
  now: ContractSnapshot,
  contract: ContractRecord,
): StoreEvent[] {
  const toEvent = (action: string) => ({
    topic: `subscription_contracts/${action}`,
    payload: createContractPayload(contract),
  });
  if (before === undefined) return [toEvent('create')];
  const editedIndexes = [...new Set([...before.edits.keys(), ...now.edits.keys()])];
  return [
    ...(before.content === now.content ? [] : [toEvent('update')]),
    ...(before.status === now.status ? [] : [toEvent(TOPIC_OF_STATUS[now.status] ?? 'update')]),
    ...editedIndexes.flatMap((index) =>
      listEditTopics(before.edits.get(index), now.edits.get(index)).map((topic) => ({
        topic,
        payload: createCyclePayload(contract, Number(index)),
      })),
    ),
  ];
}

type CycleEditState = { readonly isSkipped: boolean; readonly rest: string };
const NO_EDIT: CycleEditState = { isSkipped: false, rest: '' };

function listEditTopics(before: CycleEditState = NO_EDIT, now: CycleEditState = NO_EDIT): string[] {
  const skipTopics = before.isSkipped === now.isSkipped ? [] : [now.isSkipped ? 'skip' : 'unskip'];
  const topicAction = before.rest === '' ? 'create' : now.rest === '' ? 'delete' : 'update';
  return [
    ...skipTopics.map((each) => `subscription_billing_cycles/${each}`),
    ...(before.rest === now.rest ? [] : [`subscription_billing_cycle_edits/${topicAction}`]),
  ];
}
