/**
 * The common requirements of every operation on a contract: it works on each endpoint, is rejected for another
 * customer's, a missing and an ended contract, is correct after a stale commit, a lost response and throttling, and can
 * be retried safely.
 */
import { describe, expect, test } from '@jest/globals';
import type { Table } from '../../../lib/storage/table.ts';
import type { ContractRecord } from '../../../sandbox/platform/state/contract-records.ts';
import type { PlanRequest } from '../../graphql/world/harness.ts';
import { collectCase, isInterleaved } from './interleaved.ts';
import { externalBetween } from './observe.ts';
import {
  type Acting,
  createOperationWorld,
  gid,
  type OperationWorld,
  type Outcome,
} from './operation-world.ts';
import { readingOf } from './reading-of.ts';
import { missingIn, wholeDocuments } from './whole-payload.ts';

type Variables = Readonly<Record<string, unknown>>;

export type OperationCase = {
  /** The mutation's document; the contract's id is `$contractId`. */
  readonly query: string;
  /** Everything but `contractId`, for `contract`. */
  readonly variables: (contract: ContractRecord, world: OperationWorld) => Variables;
  /** The argument that names the contract. */
  readonly contractArgument: 'contractId' | 'subscriptionContractId';
  /** Numeric; Ada's weekly one by default. */
  readonly contract?: number;
  /** Sets the store up, for example pauses the contract. */
  readonly prepare?: (world: OperationWorld, contract: ContractRecord) => void;
  /** Reads the changed value from the platform's own records. */
  readonly fact: (contract: ContractRecord, world: OperationWorld) => unknown;
  /** The value of `fact` after the change. */
  readonly after: unknown;
  /** The payload after the change, with `userErrors: []`. */
  readonly payload: Variables;
  /** The allowed actors; all by default. */
  readonly actors?: readonly Acting[];
  /** The root of the request that changes the contract: `subscriptionDraftCommit` for drafts. */
  readonly changesBy: string;
  /** Platform requests of a change, by who acts where that counts, and of a repeat. */
  readonly requests: { readonly change: number | Readonly<Record<Acting, number>>; readonly retry: number };
  /** The timeline's name for it. */
  readonly action: string;
  /**
   * The code of userErrors in the response to a retry; the same response by default. The contract is unchanged in
   * either case.
   */
  readonly retryCode?: string;
  /** The table that it writes to; without one it must not write. */
  readonly table?: () => Table;
  /** Whether a lost answer can be settled by a read; true by default. */
  readonly isSettled?: boolean;
  /** Whether the read that settles it identifies the change's request; false by default. */
  readonly isCertain?: boolean;
  /** How the contract ended that it is refused for; `CANCELLED` by default. */
  readonly endedStatus?: 'CANCELLED' | 'EXPIRED';
  /** The code at an absent contract; INVALID by default. */
  readonly absentCode?: string;
  /** The code for an ended contract. */
  readonly terminatedCode?: string;
};

/** A code that no catalogue has. */
export const FOREIGN = 'Words of the platform’s.';
const EVERYBODY: readonly Acting[] = ['customer', 'store', 'store for a customer'];
const WEEKLY = 9_101_001;
const BENS = 9_101_004;
const ABSENT = 1;

/** Describes the common behaviour of one operation. */
export function describeOperation(name: string, operation: OperationCase): void {
  const actors = operation.actors ?? EVERYBODY;
  describe(name, () => {
    describe.each(actors)('as a %s', (as) => {
      testHappy(operation, as);
      testAbsent(operation, as);
      // The rest once on each endpoint: a key with the customer header is on the store's.
      if (as === 'store for a customer') return;
      testWhole(operation, as);
      testTerminated(operation, as);
      testPlatformMessages(operation, as);
      testFaults(operation, as);
      if (operation.changesBy === 'subscriptionDraftCommit') testStale(operation, as);
      testRetry(operation, as);
    });
    for (const as of EVERYBODY.filter((one) => !actors.includes(one))) {
      define({ operation, as }, `is not for a ${as}`, async () => {
        const outcome = await begin(operation).run(as);
        expect(outcome).toMatchObject({ payload: null, code: 'FIELD_NOT_AVAILABLE', sent: [] });
      });
    }
  });
}

type TestSubject = { readonly operation: OperationCase; readonly as: Acting };

/** Defines a test; in a file that interleaves its tests, it is run with the others. */
function define({ operation, as }: TestSubject, title: string, run: () => Promise<void>): void {
  if (isInterleaved) collectCase({ title: `${operation.action} as a ${as}: ${title}`, run });
  else test(title, run);
}

/** A fresh world with the case's contract in it. */
function begin(operation: OperationCase) {
  const world = createOperationWorld();
  const contract = world.contract(operation.contract ?? WEEKLY);
  operation.prepare?.(world, contract);
  const before = operation.fact(contract, world);
  const variables = operation.variables(contract, world);
  const table = operation.table?.();
  const run = (as: Acting, contractId = contract.id, more: Partial<PlanRequest> = {}) =>
    world.run({
      as,
      ...more,
      ...(table && { table }),
      query: operation.query,
      variables: { ...variables, contractId: gid('SubscriptionContract', contractId) },
    });
  return { world, contract, before, run, fact: () => operation.fact(contract, world) };
}

const changing = ({ sent }: Outcome, root: string) => sent.filter((roots) => roots.includes(root));
const outcomes = ({ recorded }: Outcome) => recorded.map(({ outcome }) => outcome);

function testHappy(operation: OperationCase, as: Acting): void {
  define({ operation, as }, 'it is done, at once and with one entry', async () => {
    const { world, contract, run, before, fact } = begin(operation);
    expect(before).not.toEqual(operation.after);
    const read = () => readingOf(world, contract.id);
    const readBefore = await read();
    const outcome = await run(as);
    expect(outcome).toMatchObject({ code: undefined, payload: { ...operation.payload, userErrors: [] } });
    expect(fact()).toEqual(operation.after);
    const { change } = operation.requests;
    expect(outcome.sent).toHaveLength(typeof change === 'number' ? change : change[as]);
    expect(changing(outcome, operation.changesBy)).toHaveLength(1);
    expect(outcome.recorded).toMatchObject([{ action: operation.action, outcome: 'done' }]);
    // The change does not look like an external one.
    expect(await externalBetween(readBefore, await read(), outcome.recorded)).toEqual([]);
  });
}

function testWhole(operation: OperationCase, as: Acting): void {
  define({ operation, as }, 'its payload has everything to depth 4, as a query shows it', async () => {
    for (const { mutation, query } of wholeDocuments(operation.query, as)) {
      const { world, contract, run } = begin({ ...operation, query: mutation });
      const { payload, code } = await run(as);
      expect({ code, missing: missingIn(mutation, payload) }).toEqual({ code: undefined, missing: [] });
      if (query === undefined) continue;
      const variables = { contractId: gid('SubscriptionContract', contract.id) };
      const visible = await world.run({ as, query, variables });
      expect(payload.contract).toEqual(visible.payload);
    }
  });
}

function testAbsent(operation: OperationCase, as: Acting): void {
  define(
    { operation, as },
    'a foreign and an absent contract are refused, and nothing is changed',
    async () => {
      const { world, run, before, fact } = begin(operation);
      const foreign = world.contract(BENS);
      const content = structuredClone(foreign);
      const absent = await run(as, ABSENT);
      const refused = as === 'store' ? undefined : await run(as, BENS);
      if (as === 'store') {
        const code = operation.absentCode ?? 'INVALID';
        const userErrors = [{ field: [operation.contractArgument], code }];
        expect(absent).toMatchObject({ code: undefined, payload: { userErrors } });
      } else {
        expect(absent).toMatchObject({ code: 'FORBIDDEN', payload: null, recorded: [] });
        expect(refused).toMatchObject({ code: 'FORBIDDEN', payload: null, recorded: [] });
      }
      expect(foreign).toEqual(content);
      expect(fact()).toEqual(before);
    },
  );
}

function testTerminated(operation: OperationCase, as: Acting): void {
  define({ operation, as }, 'an ended contract is refused', async () => {
    const { contract, run } = begin(operation);
    contract.content.status = operation.endedStatus ?? 'CANCELLED';
    const content = structuredClone(contract);
    const outcome = await run(as);
    const code = operation.terminatedCode ?? 'CONTRACT_TERMINATED';
    expect(outcome.payload.userErrors).toMatchObject([{ field: [operation.contractArgument], code }]);
    expect(contract).toEqual(content);
    expect(outcomes(outcome)).toEqual([]);
  });
}

function testPlatformMessages(operation: OperationCase, as: Acting): void {
  define(
    { operation, as },
    'what the platform refuses is told in the reader’s language; a merchant hears the platform',
    async () => {
      const { world, run } = begin(operation);
      const refusal = { field: null, message: FOREIGN, code: 'INVALID' };
      world.fail({ kind: 'refused', at: operation.changesBy, refusal });
      const { payload } = await run(as, undefined, { acceptLanguage: 'de' });
      const [{ message = undefined } = {}] = payload.userErrors;
      const serviceMessage =
        'Der Shop hat diese Änderung nicht angenommen. Einzelheiten erfahren Sie beim Shop.';
      expect(message).toBe(as === 'store' ? FOREIGN : serviceMessage);
      expect(JSON.stringify(payload).includes(FOREIGN)).toBe(as === 'store');
    },
  );
}

function testStale(operation: OperationCase, as: Acting): void {
  define({ operation, as }, 'after a stale commit it starts again and is done', async () => {
    const { world, run, fact } = begin(operation);
    world.fail({ kind: 'stale', at: operation.changesBy });
    const outcome = await run(as);
    expect(outcome.payload).toMatchObject({ ...operation.payload, userErrors: [] });
    expect(fact()).toEqual(operation.after);
    expect(outcomes(outcome)).toEqual(['not done', 'done']);
  });

  define({ operation, as }, 'after four it is CONCURRENT_UPDATE, and nothing is changed', async () => {
    const { world, run, before, fact } = begin(operation);
    world.fail({ kind: 'stale', at: operation.changesBy, times: 4 });
    const outcome = await run(as);
    const field = [operation.contractArgument];
    expect(outcome.payload.userErrors).toMatchObject([{ field, code: 'CONCURRENT_UPDATE' }]);
    expect(fact()).toEqual(before);
    expect(outcomes(outcome)).toEqual(Array.from({ length: 4 }, () => 'not done'));
  });
}

function testFaults(operation: OperationCase, as: Acting): void {
  define(
    { operation, as },
    'the answer is lost after the change: the true result, or that it is unknown',
    async () => {
      const { world, run, fact } = begin(operation);
      world.fail({ kind: 'lost after', at: operation.changesBy });
      const outcome = await run(as);
      expect(fact()).toEqual(operation.after);
      if (operation.isSettled ?? true) {
        expect(outcome).toMatchObject({ code: undefined, payload: { ...operation.payload, userErrors: [] } });
        expect(outcomes(outcome)).toEqual([operation.isCertain ? 'done' : 'seen']);
      } else {
        expect(outcome).toMatchObject({ code: 'OUTCOME_UNKNOWN', payload: null });
        expect(outcomes(outcome)).toEqual(['open']);
      }
    },
  );

  define(
    { operation, as },
    'the request is lost: the outcome is unknown and the intent stays open, never both',
    async () => {
      const { world, run, before, fact } = begin(operation);
      world.fail({ kind: 'lost before', at: operation.changesBy });
      const outcome = await run(as);
      expect(outcome).toMatchObject({ code: 'OUTCOME_UNKNOWN', payload: null });
      expect(fact()).toEqual(before);
      expect(outcomes(outcome)).toEqual(['open']);
    },
  );

  define(
    { operation, as },
    'throttled now and then it is done; throttled for good it is THROTTLED, and nothing is changed',
    async () => {
      const once = begin(operation);
      once.world.throttle(1);
      const { payload } = await once.world.withTranslation(() => once.run(as));
      expect(payload).toMatchObject({ ...operation.payload, userErrors: [] });
      expect(once.fact()).toEqual(operation.after);
      const always = begin(operation);
      always.world.throttle(1000);
      expect(await always.run(as)).toMatchObject({ code: 'THROTTLED', payload: null });
      expect(always.fact()).toEqual(always.before);
    },
  );
}

function testRetry(operation: OperationCase, as: Acting): void {
  define({ operation, as }, 'a repeat changes nothing', async () => {
    const { contract, run, fact } = begin(operation);
    await run(as);
    const content = structuredClone(contract);
    const again = await run(as);
    expect(contract).toEqual(content);
    expect(fact()).toEqual(operation.after);
    expect(outcomes(again)).toEqual([]);
    expect(changing(again, operation.changesBy)).toEqual([]);
    const userErrors = operation.retryCode === undefined ? [] : [{ code: operation.retryCode }];
    expect(again.payload).toMatchObject({
      ...(operation.retryCode === undefined && operation.payload),
      userErrors,
    });
    expect(again.sent).toHaveLength(operation.requests.retry);
  });
}
