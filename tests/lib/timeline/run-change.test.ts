/** The order of writes in a change: intents, the change, the stored response, the settlement of the intents. */
import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import {
  type Applied,
  type ChangeIntent,
  type OpenChange,
  runChange,
} from '../../../lib/timeline/run-change.ts';

const lost = new ServiceError('TEMPORARILY_UNAVAILABLE');
const replay = { userErrors: [] };

type Failing = { readonly begin?: number; readonly store?: boolean };

/** Runs a change with two intents, of which the first has the key. */
async function run(applied: Omit<Applied<string>, 'result'> | ServiceError, failing: Failing = {}) {
  const writes: string[] = [];
  const begin = async (_intent: ChangeIntent, index: number): Promise<OpenChange> => {
    if (failing.begin === index) throw lost;
    writes.push(`begin ${index}`);
    const write = (what: string) => async () => void writes.push(`${what} ${index}`);
    const settled = { done: write('done'), seen: write('seen'), attempted: write('attempted') };
    const storeResponse = async () => {
      if (failing.store === true) throw lost;
      writes.push(`store ${index}`);
    };
    const open = { ...settled, notDone: write('drop'), recordAlso: write('also') };
    return index === 0 ? { ...open, storeResponse } : open;
  };
  const intent = { action: 'subscription_paused', contractId: null, details: {}, changes: [] };
  const apply = async (): Promise<Applied<string>> => {
    writes.push('apply');
    if (applied instanceof ServiceError) throw applied;
    return { result: 'result', ...applied };
  };
  const outcome = await runChange(begin, { intents: [intent, intent], apply }).catch((error: unknown) => {
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
    ['none', ['apply', 'store 0', 'drop 0', 'drop 1'], unrecorded],
    ['unknown', ['apply'], unrecorded],
  ] as const)(
    'stores the response, then settles all intents, when the effect is %s',
    async (effect, writes, outcome) => {
      const given = effect === 'unknown' ? { effect } : { effect, replay };
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
    ['none', 'TEMPORARILY_UNAVAILABLE', ['apply', 'drop 0', 'drop 1']],
  ] as const)(
    'tells no client what its retry would not get, when the effect is %s',
    async (effect, outcome, writes) => {
      expect(await run({ effect, replay }, { store: true })).toEqual({ outcome, writes });
    },
  );

  it.each([
    ['PLATFORM_UNAVAILABLE', ['apply', 'drop 0', 'drop 1']],
    ['OUTCOME_UNKNOWN', ['apply']],
  ] as const)('leaves the intents open only after an unknown outcome, not after %s', async (code, writes) => {
    expect(await run(new ServiceError(code))).toEqual({ outcome: code, writes });
  });
});
