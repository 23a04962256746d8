/** The order of writes in a change: intents, the change, the stored response, the settlement of the intents. */
import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import {
  type ApplyChangeResult,
  type ChangeIdempotencyKey,
  type ChangeIntent,
  type ChangeToRun,
  type DecidedChange,
  decideAndRunChange,
  type OpenChange,
  runChange,
} from '../../../lib/timeline/run-change.ts';

const lost = new ServiceError('TEMPORARILY_UNAVAILABLE');
const replay = { userErrors: [] };

type Failing = { readonly begin?: number; readonly store?: boolean };

/** Runs a change with two intents, of which the first has the key. */
async function run(applied: Omit<ApplyChangeResult<string>, 'result'> | ServiceError, failing: Failing = {}) {
  const writes: string[] = [];
  const begin = async (_intent: ChangeIntent, index: number): Promise<OpenChange> => {
    if (failing.begin === index) throw lost;
    writes.push(`begin ${index}`);
    const write = (what: string) => async () => void writes.push(`${what} ${index}`);
    const settled = {
      settleAsDone: write('done'),
      settleAsObserved: write('seen'),
      settleWithAttempt: write('attempted'),
    };
    const storeResponse = async () => {
      if (failing.store === true) throw lost;
      writes.push(`store ${index}`);
    };
    const open = { ...settled, settleAsNotDone: write('drop'), recordAlso: write('also') };
    return index === 0 ? { ...open, storeResponse } : open;
  };
  const intent = { action: 'subscription_paused', contractId: null, details: {}, changes: [] };
  const apply = async (): Promise<ApplyChangeResult<string>> => {
    writes.push('apply');
    if (applied instanceof ServiceError) throw applied;
    return { result: 'result', ...applied };
  };
  const outcome = await runChange({ begin }, { intents: [intent, intent], apply }).catch((error: unknown) => {
    if (error instanceof ServiceError) return error.code;
    throw error;
  });
  const openIntents = writes.filter((one) => one.startsWith('begin')).length;
  return { outcome, writes: writes.slice(openIntents) };
}

const recorded = { result: 'result', isRecorded: true };
const unrecorded = { result: 'result', isRecorded: false };

describe('runChange', () => {
  it.each([
    ['done', ['apply', 'store 0', 'done 0', 'done 1'], recorded],
    ['seen', ['apply', 'store 0', 'seen 0', 'seen 1'], recorded],
    ['refused', ['apply', 'store 0', 'drop 0', 'drop 1'], unrecorded],
    ['unchanged', ['apply', 'store 0', 'drop 0', 'drop 1'], unrecorded],
    ['unknown', ['apply'], unrecorded],
  ] as const)(
    'stores the response, then settles all intents, when the effect is %s',
    async (effect, writes, outcome) => {
      const given = effect === 'unknown' ? { effect } : { effect, retryResponse: replay };
      expect(await run(given)).toEqual({ outcome, writes });
    },
  );

  it('drops the written intents and changes nothing when another one cannot be written', async () => {
    expect(await run({ effect: 'done' }, { begin: 1 })).toEqual({
      outcome: 'TEMPORARILY_UNAVAILABLE',
      writes: ['drop 0'],
    });
  });

  it.each([
    ['done', recorded, ['apply', 'done 0', 'done 1']],
    ['seen', 'OUTCOME_UNKNOWN', ['apply']],
    ['refused', 'TEMPORARILY_UNAVAILABLE', ['apply', 'drop 0', 'drop 1']],
    ['unchanged', 'TEMPORARILY_UNAVAILABLE', ['apply', 'drop 0', 'drop 1']],
  ] as const)(
    'tells no client what its retry would not get, when the effect is %s',
    async (effect, outcome, writes) => {
      expect(await run({ effect, retryResponse: replay }, { store: true })).toEqual({ outcome, writes });
    },
  );

  it.each([
    ['PLATFORM_UNAVAILABLE', ['apply', 'drop 0', 'drop 1']],
    ['OUTCOME_UNKNOWN', ['apply']],
  ] as const)('leaves the intents open only after an unknown outcome, not after %s', async (code, writes) => {
    expect(await run(new ServiceError(code))).toEqual({ outcome: code, writes });
  });
});

type KeyFailure = 'claim' | 'store' | 'release' | 'taken';
type Keyed = { readonly claim: NonNullable<ChangeToRun<string>['claim']>; readonly failing?: KeyFailure };

/** Runs a change without intents, with an idempotency key. */
async function runKeyed(
  applied: Omit<ApplyChangeResult<string>, 'result'> | ServiceError,
  { claim, failing }: Keyed,
) {
  const writes: string[] = [];
  const write = async (what: string) => {
    if (failing === what) throw lost;
    writes.push(what);
  };
  const records: ChangeIdempotencyKey['records'] = {
    async claim(_key, { storedResponse, mayRunAgain }) {
      if (failing === 'taken') return false;
      writes.push(storedResponse === undefined ? `claim, may run again: ${mayRunAgain}` : 'claim as done');
      return true;
    },
    storeResponse: async (_key, response) =>
      write(failing === 'store' ? 'store' : `store ${JSON.stringify(response)}`),
    release: async () => write('release'),
  };
  const claimableKey = {} as ChangeIdempotencyKey['claimableKey'];
  const key = { claimableKey, records, logFailure: () => void writes.push('log') };
  const begin = async () => Promise.reject(new Error('a change without intents begins none'));
  const apply = async (): Promise<ApplyChangeResult<string>> => {
    writes.push('apply');
    if (applied instanceof ServiceError) throw applied;
    return { result: 'result', ...applied };
  };
  const outcome = await runChange({ begin, key }, { intents: [], claim, apply }).catch((error: unknown) => {
    if (error instanceof ServiceError) return error.code;
    throw error;
  });
  return { outcome, writes };
}

describe('runChange without intents, with an idempotency key', () => {
  const once = 'claim, may run again: false';
  const stored = 'store {"userErrors":[]}';

  it.each([
    ['done', { retryResponse: replay }, [once, 'apply', stored]],
    ['unchanged', { retryResponse: replay }, [once, 'apply', stored]],
    ['refused', { retryResponse: replay }, [once, 'apply', stored]],
    ['refused', {}, [once, 'apply', 'release']],
    ['unknown', {}, [once, 'apply']],
  ] as const)(
    'claims the key, then stores the response of a change that is %s with %j',
    async (effect, given, writes) => {
      expect(await runKeyed({ effect, ...given }, { claim: 'once' })).toEqual({
        outcome: unrecorded,
        writes,
      });
    },
  );

  it('lets a retry run again after a crash when the change is repeatable', async () => {
    const { writes } = await runKeyed({ effect: 'done' }, { claim: 'repeatable' });
    expect(writes).toEqual(['claim, may run again: true', 'apply', 'store {}']);
  });

  it.each([
    ['done', { retryResponse: replay }, ['claim as done', 'apply']],
    ['refused', {}, ['claim as done', 'apply', 'release']],
    ['refused', { retryResponse: replay }, ['claim as done', 'apply', stored]],
  ] as const)(
    'claims a change that changes nothing as done; it is %s with %j',
    async (effect, given, writes) => {
      expect(await runKeyed({ effect, ...given }, { claim: 'no-op' })).toEqual({
        outcome: unrecorded,
        writes,
      });
    },
  );

  it('changes nothing when another request has the key', async () => {
    expect(await runKeyed({ effect: 'done' }, { claim: 'once', failing: 'taken' })).toEqual({
      outcome: 'IDEMPOTENCY_CONCURRENT_REQUEST',
      writes: [],
    });
  });

  it.each([
    ['PLATFORM_UNAVAILABLE', [once, 'apply', 'release']],
    ['OUTCOME_UNKNOWN', [once, 'apply']],
  ] as const)('releases the key only when nothing was changed, after %s', async (code, writes) => {
    expect(await runKeyed(new ServiceError(code), { claim: 'once' })).toEqual({ outcome: code, writes });
  });

  it('returns the response of a change that cannot be stored, but no such refusal', async () => {
    const failing = { claim: 'once', failing: 'store' } as const;
    expect(await runKeyed({ effect: 'done', retryResponse: replay }, failing)).toEqual({
      outcome: unrecorded,
      writes: [once, 'apply', 'log'],
    });
    expect(await runKeyed({ effect: 'refused', retryResponse: replay }, failing)).toEqual({
      outcome: 'TEMPORARILY_UNAVAILABLE',
      writes: [once, 'apply'],
    });
  });
});

describe('decideAndRunChange', () => {
  const begin = async () => Promise.reject(new Error('no intent'));

  it('decides again as long as the change is stale', async () => {
    const results = ['stale', 'stale', { name: 'third' }] as const;
    let tries = 0;
    const decide = async (): Promise<DecidedChange<{ readonly name: string }>> => {
      const result = results[tries++] ?? 'stale';
      return { intents: [], apply: async () => ({ result, effect: 'refused' }), restart: decide };
    };
    expect(await decideAndRunChange({ begin }, decide)).toEqual({ name: 'third' });
    expect(tries).toBe(3);
  });

  it('returns the result of a decision without a change', async () => {
    expect(await decideAndRunChange({ begin }, async () => ({ result: { name: 'kept' } }))).toEqual({
      name: 'kept',
    });
  });
});
