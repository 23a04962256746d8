/** The draft runner against answers that the emulated platform does not give, and the hooks of a drafted change. */
import { describe, expect, it, test } from '@jest/globals';
import { type CustomerId, parseCustomerId } from '../../../../lib/domain/customer-id.ts';
import { ServiceError } from '../../../../lib/errors/service-error.ts';
import { message } from '../../../../lib/messages/message.ts';
import type { AdminResponse } from '../../../../lib/platform/admin-api/admin-response.ts';
import { decideDraft } from '../../../../lib/subscriptions/draft/decide-draft.ts';
import type { DraftedChange, DraftOperation } from '../../../../lib/subscriptions/draft/draft-operation.ts';
import type { OperationDeps } from '../../../../lib/subscriptions/operation.ts';
import { createUserError } from '../../../../lib/subscriptions/operation-error.ts';
import type { ContractState } from '../../../../lib/subscriptions/read-contract-state.ts';
import { runOperation } from '../../../../lib/subscriptions/run-operation.ts';
import type { FactChange } from '../../../../lib/timeline/facts.ts';

const CONTRACT = 'gid://shopify/SubscriptionContract/11';
const DRAFT = 'gid://shopify/SubscriptionDraft/21';

type Step = Partial<AdminResponse> | ServiceError;

/** Answers one after another; an error is thrown. */
function world(steps: readonly Step[], actingCustomerId?: CustomerId) {
  const left = [...steps];
  const requests: { readonly document: string; readonly mutates: boolean }[] = [];
  const reported: string[] = [];
  const facts: (readonly FactChange[] | undefined)[] = [];
  const deps = {
    actingCustomerId,
    platformGidNamespace: 'shopify',
    now: () => Date.parse('2026-11-21T12:00:00Z'),
    async sendToPlatform({ document, mutates }: { document: string; mutates: boolean }) {
      requests.push({ document, mutates });
      const next = left.shift();
      if (next === undefined) throw new Error(`One request too many: ${document}`);
      if (next instanceof ServiceError) throw next;
      return { data: null, errors: [], cost: undefined, ...next };
    },
    beginChange: async () => ({
      settleAsDone: async (changes?: readonly FactChange[]) => {
        reported.push('done');
        facts.push(changes);
      },
      settleAsObserved: async () => void reported.push('seen'),
      settleAsNotDone: async () => void reported.push('not done'),
    }),
  } as unknown as OperationDeps;
  return { deps, requests, recorded: reported, facts };
}

const fact = (after: string): FactChange => ({
  coordinate: 'SubscriptionContract.note',
  field: 'note',
  before: null,
  after,
});
const state = (revisionId: string, note: string | null = null): Step => ({
  data: {
    _svcContract: { id: CONTRACT, status: 'ACTIVE', revisionId, customer: null, note },
    contract: { note },
  },
});
const openedAt = (revisionId: string): Step => ({
  data: { open: { draft: { id: DRAFT, _svcOrigin: { revisionId }, currencyCode: 'USD' }, userErrors: [] } },
});
const opened = openedAt('1');
const changed: Step = { data: { change0: { userErrors: [] } } };
const committed: Step = { data: { commit: { contract: { note: 'new' }, _svcErrors: [] } } };
const lost = new ServiceError('OUTCOME_UNKNOWN');

type State = ContractState & { readonly contract: { readonly note: string | null } };

const CHANGE: DraftedChange<State> = {
  kind: 'change',
  intent: { action: 'subscription_note_updated', details: {}, changes: [fact('new')] },
  mutations: [
    {
      mutation: 'subscriptionDraftUpdate',
      args: { input: ['SubscriptionDraftInput!', { note: 'new' }] },
      toClientField: () => ['note'],
    },
  ],
  showsChange: ({ contract }) => contract.note === 'new',
};

/** Runs the drafted change; resolves with the outcome, or with the code of what is thrown. */
async function run(
  steps: readonly Step[],
  drafted: Partial<DraftedChange<State>> = {},
  actingCustomerId?: CustomerId,
) {
  const one = world(steps, actingCustomerId);
  const selection = {
    payloadFields: [{ key: 'contract', field: 'contract', selection: '{ note }' }],
    declarations: [],
    variables: {},
    fragments: '',
  };
  const request = { args: { contractId: CONTRACT }, selection };
  const operation: DraftOperation<State> = {
    contractArgument: 'contractId',
    reads: { contractSelection: 'note' },
    decide: () => ({ ...CHANGE, ...drafted }),
  };
  const decide = () => decideDraft(one.deps, request, operation);
  const outcome = await runOperation(one.deps, decide).catch((error: unknown) => {
    if (!(error instanceof ServiceError)) throw error;
    return error.code;
  });
  return { ...one, outcome };
}

describe('what the platform does not answer', () => {
  test.each<[string, Step[], string]>([
    ['the state fails', [{ data: null, errors: [{ message: 'broken' }] }], 'PLATFORM_UNAVAILABLE'],
    [
      'a part of the state fails',
      [{ ...state('1'), errors: [{ message: 'broken', path: ['_svcShop'] }] } as Step],
      'PLATFORM_UNAVAILABLE',
    ],
  ])('%s: nothing is concluded, no intent is written', async (_name, steps, code) => {
    const { outcome, recorded: reported } = await run(steps);
    expect([outcome, reported]).toEqual([code, []]);
  });

  test.each<[string, Step[]]>([
    ['the opening has no payload', [state('1'), { data: { open: null } }]],
    ['the opening has no draft', [state('1'), { data: { open: { draft: null, userErrors: [] } } }]],
    ['the change has no payload', [state('1'), opened, { data: { change0: null } }]],
    ["the change's answer is lost", [state('1'), opened, lost]],
  ])('%s: nothing has changed, and the intent goes', async (_name, steps) => {
    const { outcome, recorded: reported } = await run(steps);
    expect([outcome, reported]).toEqual(['PLATFORM_UNAVAILABLE', ['not done']]);
  });

  test.each<[string, Step]>([
    ['is lost', lost],
    ['has no payload', { data: { commit: null }, errors: [{ message: 'broken', path: ['commit'] }] }],
  ])('the answer to the commit %s: a read that shows the change settles it', async (_name, answer) => {
    const {
      outcome,
      recorded: reported,
      requests,
    } = await run([state('1'), opened, changed, answer, state('2', 'new')]);
    expect(outcome).toMatchObject({ selectedFields: { contract: { note: 'new' } }, userErrors: [] });
    expect(reported).toEqual(['seen']);
    expect(requests.at(-1)?.mutates).toBe(false);
  });

  test.each<[string, Step]>([
    ['the contract is as it was', state('1')],
    ['the wish was fulfilled before: the revision is the same', state('1', 'new')],
    ['somebody changed something else', state('2')],
    ['the read fails', new ServiceError('PLATFORM_UNAVAILABLE')],
  ])('a lost commit, and %s: unknown, and the intent stays open', async (_name, read) => {
    const { outcome, recorded: reported } = await run([state('1'), opened, changed, lost, read]);
    expect([outcome, reported]).toEqual(['OUTCOME_UNKNOWN', []]);
  });
});

describe('another commit shows before the commit', () => {
  const stale = { userErrors: [{ field: ['draftId'], message: 'stale', code: 'STALE_CONTRACT' }] };
  test.each<[string, Step[]]>([
    ['at the opening', [{ data: { open: { draft: null, ...stale } } }]],
    ['at the opening, which shows another revision', [openedAt('2')]],
    ['at the change', [opened, { data: { change0: stale } }]],
  ])('starts again from fresh state %s', async (_name, steps) => {
    const { outcome, recorded: reported } = await run([
      state('1'),
      ...steps,
      state('2'),
      openedAt('2'),
      changed,
      committed,
    ]);
    expect(outcome).toMatchObject({ selectedFields: { contract: { note: 'new' } } });
    expect(reported).toEqual(['not done', 'done']);
  });
});

describe('drafted changes', () => {
  test('changes that depend on the opened draft are made from what was selected of it', async () => {
    const seen: unknown[] = [];
    const { outcome, facts } = await run([state('1'), opened, changed, committed], {
      openingSelection: { selection: 'currencyCode', declarations: [], variables: {} },
      mutations: async ({ id, selectedFields }) => {
        seen.push(id, selectedFields.currencyCode);
        const mutations = Array.isArray(CHANGE.mutations) ? CHANGE.mutations : [];
        return { kind: 'prepared', mutations, changedFacts: [fact('really')], locals: { choices: [1] } };
      },
    });
    expect(seen).toEqual([DRAFT, 'USD']);
    expect(outcome).toMatchObject({ locals: { choices: [1] }, userErrors: [] });
    expect(facts).toEqual([[fact('really')]]);
  });

  test('a refusal at the opened draft commits nothing', async () => {
    const error = createUserError('DELIVERY_OPTION_REQUIRED', {
      field: ['optionCode'],
      message: message('codeMissing'),
    });
    const { outcome, recorded: reported } = await run([state('1'), opened], {
      mutations: async () => ({ kind: 'refused', userErrors: [error], locals: { choices: [1, 2] } }),
    });
    expect(outcome).toMatchObject({ selectedFields: null, userErrors: [error], locals: { choices: [1, 2] } });
    expect(reported).toEqual(['not done']);
  });

  test('never returns “not done” for a failure after the commit', async () => {
    const { outcome, recorded: reported } = await run([state('1'), opened, changed, committed], {
      afterCommit: () => Promise.reject(new ServiceError('PLATFORM_UNAVAILABLE')),
    });
    expect([outcome, reported]).toEqual(['OUTCOME_UNKNOWN', []]);
  });

  test("the platform's refusals of a commit stand at the contract's argument", async () => {
    const refused = { field: ['draftId'], message: 'no lines', code: 'INVALID_LINES' };
    const { outcome, recorded: reported } = await run([
      state('1'),
      opened,
      changed,
      { data: { commit: { contract: null, _svcErrors: [refused] } } },
    ]);
    expect(outcome).toMatchObject({
      userErrors: [{ field: ['contractId'], message: message('lineLast'), code: 'EMPTY_CONTRACT' }],
    });
    expect(reported).toEqual(['not done']);
  });
});

describe('the lines of a draft that a customer causes', () => {
  const CUSTOMER = 'gid://shopify/Customer/31';
  const read: Step = {
    data: {
      _svcContract: {
        id: CONTRACT,
        status: 'ACTIVE',
        revisionId: '1',
        customer: { id: CUSTOMER },
        note: null,
      },
    },
  };
  /** One line, of that price in that currency. */
  const lines = (amount: string, currencyCode: string, more: object = {}) => {
    const price = { amount, currencyCode };
    const line = { id: 'a', title: 'Tea', variantTitle: null, variantId: 'v', quantity: 1 };
    const nodes = [{ ...line, currentPrice: price, lineDiscountedPrice: price, ...more }];
    const monthly = { interval: 'MONTH', intervalCount: 1 };
    const _svcLines = { nodes, pageInfo: { hasNextPage: false } };
    return { billingPolicy: monthly, deliveryPolicy: monthly, _svcLines };
  };
  const openedWith = (draft: object): Step => ({
    data: { open: { draft: { id: DRAFT, _svcOrigin: { revisionId: '1' }, ...draft }, userErrors: [] } },
  });
  const changedTo = (draft: object | null): Step => ({ data: { change0: { draft, userErrors: [] } } });
  const asCustomer = (steps: readonly Step[]) => run(steps, {}, parseCustomerId('31'));

  it.each([
    ['0.004', 'USD', 'free'],
    ['0.005', 'USD', 'paid'],
    ['0.4', 'JPY', 'free'],
    ['0.001', 'KWD', 'paid'],
    ['-1.0', 'USD', 'free'],
    ['0', 'USD', 'free'],
  ])('counts %s %s as %s', async (amount, currency, outcome) => {
    const steps = [read, openedWith(lines('5.0', currency)), changedTo(lines(amount, currency))];
    const { outcome: result, recorded: reported } = await asCustomer(
      outcome === 'free' ? steps : [...steps, committed],
    );
    expect(reported).toEqual([outcome === 'free' ? 'not done' : 'done']);
    if (outcome === 'free') {
      const fault = { field: ['note'], message: message('goodsWithoutPrice', { product: 'Tea' }) };
      expect(result).toMatchObject({
        userErrors: [createUserError('GOODS_WITHOUT_PRICE', fault, { lineIds: ['a'] })],
      });
    }
  });

  it.each<[string, Step[]]>([
    ['as it is opened', [openedWith({})]],
    ['after its changes', [openedWith(lines('5.0', 'USD')), changedTo(null)]],
  ])('commits nothing when the platform leaves them out of a draft %s', async (_when, steps) => {
    const { outcome, recorded: reported } = await asCustomer([read, ...steps]);
    expect([outcome, reported]).toEqual(['PLATFORM_UNAVAILABLE', ['not done']]);
  });

  it('refuses a line without a price that becomes another product', async () => {
    const gift = lines('0.0', 'USD');
    const { recorded: reported } = await asCustomer([read, openedWith(gift), changedTo(gift), committed]);
    expect(reported).toEqual(['done']);
    const { outcome } = await asCustomer([
      read,
      openedWith(gift),
      changedTo(lines('0.0', 'USD', { variantId: null })),
    ]);
    expect(outcome).toMatchObject({ userErrors: [{ code: 'GOODS_WITHOUT_PRICE' }] });
  });

  it('are not read for a key in the name of its store', async () => {
    const { requests } = await run([state('1'), opened, changed, committed]);
    expect(requests.map(({ document }) => document).join()).not.toContain('_svcLines');
  });
});
