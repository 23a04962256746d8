/**
 * Clients that retry changes with keys, against one emulated store. Each change of the platform is attributed to the
 * running request.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ContractNumber } from '../../../../lib/timeline/event-record.ts';
import { STORE_TIMELINE } from '../../../../lib/timeline/read-events.ts';
import { findCycleAt } from '../../../../sandbox/platform/state/billing-cycles.ts';
import { formatIsoInstant } from '../../../../sandbox/platform/state/instant.ts';
import { type Acting, gid, type Outcome, type WorldFault } from '../../../contract/world/operation-world.ts';
import { type Call, Crash, type Fault } from '../../../lib/stores/world/faults.ts';
import { createMemoryTable } from '../../../memory-table.ts';
import { createStoreWorld, HOUR_MS, runScheduledWork, WEEKLY } from '../../../world/store-world.ts';
import { ADA } from '../../world/harness.ts';
import { createIdempotencyModel, type SentRequest } from './idempotency-model.ts';

export const FIELDS = ['skip', 'pause', 'note', 'add', 'charge', 'attempt', 'date'] as const;
/**
 * Fields whose mutations are sent and recorded differently: with an additional draft, for all contracts of a customer,
 * for a store.
 */
export const ALL_FIELDS = [...FIELDS, 'interval', 'delivery', 'address', 'bulk'] as const;
export type Field = (typeof ALL_FIELDS)[number];

/** A request with or without a key. */
export type Request = {
  readonly as: Acting;
  readonly field: Field;
  /** The variant of the arguments: 0 or 1. */
  readonly choice: number;
  readonly key: string | undefined;
};

type Root = {
  readonly name: string;
  readonly args: string;
  readonly payload: string;
  readonly changesBy: string;
};

/** Fields that customers do not have. */
const STORES_OWN: ReadonlySet<Field> = new Set(['note', 'charge', 'attempt', 'date', 'bulk']);
/** An address that the emulated store delivers to, in two ways. */
export const BANGOR =
  '{ firstName: "Ada", lastName: "Brewer", address1: "1 Main Street", city: "Bangor", countryCode: US, provinceCode: "ME", zip: "04401" }';
const ERRORS = 'userErrors { field message code }';
const VARIANTS = [810100201, 810100102];

/** Returns the actual actor: a customer never requests a store's mutations. */
function actorOf({ as, field }: Pick<Request, 'as' | 'field'>): Acting {
  if (field === 'address' && as === 'store') return 'store for a customer';
  return STORES_OWN.has(field) ? 'store' : as;
}

export type IdempotencyWorld = ReturnType<typeof createIdempotencyWorld>;

/** `field`: the requested field. An interval cannot be changed while an order can be charged. */
export function createIdempotencyWorld(field?: Field) {
  const table = createMemoryTable();
  const world = createStoreWorld(table);
  const { platform } = world;
  const model = createIdempotencyModel();
  const current = new AsyncLocalStorage<{ hasTried: boolean; changes: number }>();
  let changes = 0;
  const contract = world.contract(WEEKLY);
  const beganAtMs = world.now();
  const index = findCycleAt(contract, beganAtMs)?.index ?? 0;
  const card = platform.store().paymentMethods.get(contract.content.paymentMethodId ?? '');
  if (card !== undefined) card.instrument.declines = 'CARD_DECLINED';
  if (field !== 'interval') {
    const billingDate = formatIsoInstant(beganAtMs + HOUR_MS);
    contract.cycleEdits[index] = { skipped: false, billingDate, contract: null };
  }
  const address = [...platform.store().addresses.values()].find(
    ({ customerId, model }) => customerId === ADA && model === 'CustomerAddress',
  );

  /** Whether the last process crashed. */
  let hasDied = false;
  const facts = () => {
    const { attempts, jobs } = platform.store();
    const { content, cycleEdits } = contract;
    return JSON.stringify({ content, cycleEdits, address, attempts: attempts.size, jobs: jobs.size });
  };
  const { send } = platform;
  let last: Promise<unknown> = Promise.resolve();
  async function watched(body: string) {
    const before = facts();
    const under = current.getStore();
    try {
      if (under && /"query":"\s*mutation/.test(body)) under.hasTried = true;
      return await send(body);
    } finally {
      if (facts() !== before) {
        changes += 1;
        if (under) under.changes += 1;
      }
    }
  }
  // Runs them sequentially in the order of arrival, so that each change is observed.
  platform.send = (body) => {
    const answer = last.then(() => watched(body));
    last = answer.catch(() => undefined);
    return answer;
  };

  function rootOf({ field: requests, choice }: Pick<Request, 'field' | 'choice'>): Root {
    const id = gid('SubscriptionContract', WEEKLY);
    const day = (days: number) => formatIsoInstant(beganAtMs + days * 24 * HOUR_MS);
    const cycle = '{ cycleIndex skipped }';
    switch (requests) {
      case 'skip':
        return {
          name: 'subscriptionBillingCycleSkip',
          args: `contractId: "${id}", billingCycleIndex: ${index + 3 + choice}`,
          payload: `billingCycle ${cycle}`,
          changesBy: 'subscriptionBillingCycleScheduleEdit',
        };
      case 'pause':
        return {
          name: 'subscriptionContractPause',
          // The service stores other terms of a pause and sends no request to the platform.
          args: `subscriptionContractId: "${id}"${choice === 0 ? '' : ', reason: null'}`,
          payload: 'contract { status }',
          changesBy: 'subscriptionContractPause',
        };
      case 'note':
        return {
          name: 'subscriptionContractNoteUpdate',
          args: `contractId: "${id}", note: "note ${choice}"`,
          payload: 'contract { note }',
          changesBy: 'subscriptionDraftCommit',
        };
      case 'add':
        return {
          name: 'subscriptionContractLinesUpdate',
          args: `contractId: "${id}", add: [{ productVariantId: "${gid('ProductVariant', VARIANTS[choice] ?? 0)}", quantity: 1 }]`,
          payload: 'contract { lines(first: 9) { nodes { variantId quantity } } }',
          changesBy: 'subscriptionDraftCommit',
        };
      case 'charge':
        return {
          name: 'subscriptionBillingCycleCharge',
          args: `subscriptionContractId: "${id}", billingCycleSelector: { index: ${index + choice} }`,
          payload: 'subscriptionBillingAttempt { id }',
          changesBy: 'subscriptionBillingAttemptCreate',
        };
      case 'attempt':
        return {
          name: 'subscriptionBillingAttemptCreate',
          args: `subscriptionContractId: "${id}", subscriptionBillingAttemptInput: { idempotencyKey: "own-${choice}", billingCycleSelector: { index: ${index} } }`,
          payload: 'subscriptionBillingAttempt { id }',
          changesBy: 'subscriptionBillingAttemptCreate',
        };
      case 'interval':
        return {
          name: 'subscriptionContractIntervalUpdate',
          args: `contractId: "${id}", interval: { interval: ${choice === 0 ? 'WEEK' : 'MONTH'}, intervalCount: ${2 - choice} }`,
          payload: 'contract { billingPolicy { interval intervalCount } } droppedEdits { reasonCode }',
          changesBy: 'subscriptionDraftCommit',
        };
      case 'delivery':
        return {
          name: 'subscriptionContractDeliveryUpdate',
          args: `contractId: "${id}", deliveryMethod: { shipping: ${BANGOR} }, optionCode: "${choice === 0 ? 'express' : 'standard'}"`,
          payload: 'contract { deliveryPrice { amount } } deliveryOptions { code }',
          changesBy: 'subscriptionDraftCommit',
        };
      case 'address':
        return {
          name: 'customerAddressUpdate',
          args: `customerId: "${gid('Customer', ADA)}", addressId: "${gid('MailingAddress', `${address?.id}?model_name=CustomerAddress`)}", address: { city: "Town ${choice}" }`,
          payload: 'address { city }',
          changesBy: 'customerAddressUpdate',
        };
      case 'bulk':
        return {
          name: 'subscriptionBillingCycleBulkCharge',
          args: `billingAttemptExpectedDateRange: { startDate: "${day(-8)}", endDate: "${day(-1 - choice)}" }`,
          payload: 'job { id }',
          changesBy: 'subscriptionBillingCycleBulkCharge',
        };
      case 'date':
        return {
          name: 'subscriptionContractSetNextBillingDate',
          args: `contractId: "${id}", date: "${day(30 + choice)}"`,
          payload: 'contract { nextBillingDate }',
          changesBy: 'subscriptionContractSetNextBillingDate',
        };
    }
  }

  type NetworkFaults = {
    readonly platform?: WorldFault['kind'] | undefined;
    readonly table?: ((call: Call) => Fault | undefined) | undefined;
    /** The delay of each table call after another request's. */
    readonly ticks?: number;
  };

  /**
   * Sends a request once, with its own network faults, and checks the result against the model.
   * @returns undefined when the process crashed.
   */
  async function ask(request: Request, networkFaults: NetworkFaults = {}): Promise<Outcome | undefined> {
    const { key, choice } = request;
    const as = actorOf(request);
    const { name, args, payload, changesBy } = rootOf(request);
    const { asFunction, faults } = world.process();
    let isUnreachable = false;
    faults.plan = (call) => {
      const fault = isUnreachable ? 'before' : networkFaults.table?.(call);
      // A crashed process sends nothing more, and its client gets no response.
      isUnreachable ||= fault === 'before' || fault === 'after';
      return fault;
    };
    faults.pause = async () => {
      for (let tick = 0; tick < (networkFaults.ticks ?? 0); tick++) await Promise.resolve();
    };
    if (networkFaults.platform !== undefined) world.fail({ kind: networkFaults.platform, at: changesBy });
    const under = { hasTried: false, changes: 0 };
    const startedRequest = { scope: `${as} ${name} ${key}`, args: `${choice}`, beganAtMs: world.now() };
    const observe = key === undefined ? undefined : model.begin(startedRequest);
    const outcome = await current.run(under, async () => {
      try {
        return await world.run({
          as,
          query:
            `mutation ($key: String!) { ${name}(${args}) ${key === undefined ? '' : '@idempotent(key: $key)'} { ${payload} ${request.field === 'address' ? ERRORS.replace('code', '') : ERRORS} } }`.replace(
              key === undefined ? '($key: String!) ' : '',
              '',
            ),
          variables: key === undefined ? {} : { key },
          ...asFunction,
          now: world.now,
          wait: async (ms) => world.later(ms),
        });
      } catch (error) {
        if (error instanceof Crash) return undefined;
        throw error;
      }
    });
    hasDied = isUnreachable;
    observe?.({
      endedAtMs: world.now(),
      hasTried: under.hasTried,
      hasChanged: under.changes > 0,
      received: isUnreachable || outcome === undefined ? undefined : receivedOf(outcome),
    });
    return outcome;
  }

  /** Undoes, without any key, what the field does. */
  async function undo(field: Field): Promise<Outcome | undefined> {
    const id = gid('SubscriptionContract', WEEKLY);
    const undoing: Partial<Record<Field, string>> = {
      skip: `a: subscriptionBillingCycleSkip(contractId: "${id}", billingCycleIndex: ${index + 3}, skip: false) { ${ERRORS} }`,
      pause: `a: subscriptionContractActivate(subscriptionContractId: "${id}") { ${ERRORS} }`,
      note: `a: subscriptionContractNoteUpdate(contractId: "${id}", note: "undone") { ${ERRORS} }`,
    };
    const query = undoing[field];
    if (query !== undefined) {
      const { asFunction } = world.process();
      return world.run({ ...asFunction, as: 'store', query: `mutation { ${query} }`, now: world.now });
    }
    return undefined;
  }

  async function entriesOf(contracts: readonly (ContractNumber | typeof STORE_TIMELINE)[]) {
    const { deps } = world.process();
    const pages = await deps.timeline.readEvents({
      shopId: world.store.shopId,
      contracts,
      args: { first: 250 },
    });
    return pages.flatMap(({ edges }) => edges.map(({ record }) => record));
  }

  const entries = () => entriesOf([field === 'bulk' ? STORE_TIMELINE : (String(WEEKLY) as ContractNumber)]);

  /**
   * Whether the outcome of some change is unknown. The change of an address is recorded on each contract of its
   * customer.
   */
  async function isSomeUnknown(): Promise<boolean> {
    const own = [...platform.store().contracts.values()].filter(({ content }) => content.customerId === ADA);
    const all = field === 'address' ? await entriesOf(own.map(({ id }) => String(id) as ContractNumber)) : [];
    return [...(await entries()), ...all].some(({ outcome }) => outcome === 'UNKNOWN');
  }

  return {
    ...world,
    table,
    model,
    ask,
    undo,
    work: () => runScheduledWork(world.process().deps),
    entries,
    isSomeUnknown,
    contract,
    index,
    rootOf,
    changes: () => changes,
    hasDied: () => hasDied,
  };
}

function receivedOf({ payload, code }: Outcome): SentRequest['received'] {
  if (payload === null) return { code: code ?? 'NOTHING' };
  const userErrors = payload.userErrors as readonly { readonly code?: string }[];
  return { userErrors: JSON.stringify(userErrors), codes: userErrors.map((one) => one.code ?? '') };
}
