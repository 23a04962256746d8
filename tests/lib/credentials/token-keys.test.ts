import { describe, expect, test } from '@jest/globals';
import { parseKeyRing, parseRingEntries, type RingEntry } from '../../../lib/credentials/key-ring.ts';
import { createTokenKeyReader } from '../../../lib/credentials/token-keys.ts';
import type { KeyId } from '../../../lib/domain/tokens/key-id.ts';
import { ServiceError } from '../../../lib/errors/service-error.ts';

const SECRET = Buffer.alloc(32, 1).toString('base64url');
const entry = (kid: string, use: RingEntry['use'], since = '2026-01-01T00:00:00Z'): RingEntry => ({
  kid,
  use,
  since,
  secret: SECRET,
});
const kidOf = (text: string) => text as KeyId;

function reader(json: unknown) {
  // Secrets Manager returns the value of the moment at which it receives the request.
  const state = { json, isDown: false, reads: 0, nowMs: 0, response: Promise.resolve() };
  const tokenKeys = createTokenKeyReader({
    secrets: {
      async read() {
        state.reads++;
        if (state.isDown) throw new ServiceError('TEMPORARILY_UNAVAILABLE');
        const answer = { versionId: '1', json: state.json };
        await state.response;
        return answer;
      },
    },
    secretsPrefix: 'test',
    now: () => state.nowMs,
    logger: { error: () => undefined },
  });
  return { state, tokenKeys };
}

describe('the ring of token keys', () => {
  test.each([
    ['no keys', { keys: [] }],
    ['no signing key', { keys: [entry('1', 'verify')] }],
    ['a key named twice', { keys: [entry('1', 'sign'), entry('1', 'verify')] }],
    ['a short secret', { keys: [{ ...entry('1', 'sign'), secret: 'short' }] }],
    ['a short seed', { seed: 'short' }],
    ['a use that there is not', { keys: [{ ...entry('1', 'sign'), use: 'seal' }] }],
    ['an entry without its time', { keys: [{ ...entry('1', 'sign'), since: undefined }] }],
    ['an entry that is none', { keys: [null] }],
    ['a list', [entry('1', 'sign')]],
    ['nothing', undefined],
  ])('refuses %s', (_what, json) => {
    expect(() => parseKeyRing(json)).toThrow();
  });

  test('the seed is key 0, and the same key once it is written as an entry', () => {
    const seed = { seed: 'a random string of the stack' };
    const rotated = { keys: [...parseRingEntries(seed), entry('1', 'publish')] };
    expect(parseKeyRing(seed).signingKey.kid).toBe('0');
    expect(parseKeyRing(rotated).signingKey.macKey).toEqual(parseKeyRing(seed).signingKey.macKey);
  });

  test('the newest signing key signs; published and retired ones are known', () => {
    const keys = [
      entry('1', 'verify'),
      entry('2', 'sign'),
      entry('3', 'sign', '2026-02-01T00:00:00Z'),
      entry('4', 'publish'),
    ];
    const ring = parseKeyRing({ keys });
    expect(ring.signingKey.kid).toBe('3');
    expect(['1', '2', '3', '4', '5'].map((kid) => ring.keys.has(kid))).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });
});

describe('reading the ring', () => {
  test('without a ring in memory an outage is 503', async () => {
    const { state, tokenKeys } = reader({ seed: 'a random string of the stack' });
    state.isDown = true;
    await expect(tokenKeys.signingKey()).rejects.toMatchObject({ code: 'TEMPORARILY_UNAVAILABLE' });
  });

  test('a ring in memory outlives an outage', async () => {
    const { state, tokenKeys } = reader({ seed: 'a random string of the stack' });
    await tokenKeys.signingKey();
    state.isDown = true;
    state.nowMs += 3_600_000;
    expect((await tokenKeys.signingKey()).kid).toBe('0');
    expect(await tokenKeys.find(kidOf('0'))).toBeDefined();
  });

  test('an unknown key is 503 while the ring cannot be read, and unknown when it can', async () => {
    const { state, tokenKeys } = reader({ seed: 'a random string of the stack' });
    await tokenKeys.signingKey();
    state.isDown = true;
    await expect(tokenKeys.find(kidOf('9'))).rejects.toMatchObject({ status: 503 });
    await expect(tokenKeys.find(kidOf('9'))).rejects.toMatchObject({ status: 503 });
    state.isDown = false;
    state.nowMs += 31_000;
    expect(await tokenKeys.find(kidOf('9'))).toBeUndefined();
  });

  test('an unknown key makes it read again, at most every 30 s', async () => {
    const { state, tokenKeys } = reader({ keys: [entry('1', 'sign')] });
    await tokenKeys.signingKey();
    state.json = { keys: [entry('1', 'verify'), entry('2', 'sign')] };
    state.nowMs += 30_000;
    expect(await tokenKeys.find(kidOf('2'))).toBeDefined();
    state.nowMs += 30_000;
    for (let i = 0; i < 10; i++) expect(await tokenKeys.find(kidOf('9'))).toBeUndefined();
    expect(state.reads).toBe(3);
    state.nowMs += 30_000;
    expect(await tokenKeys.find(kidOf('8'))).toBeUndefined();
    expect(state.reads).toBe(4);
  });

  test('a key made since the ring was read a moment ago is 503 first, and then found', async () => {
    const { state, tokenKeys } = reader({ keys: [entry('1', 'sign')] });
    state.nowMs += 1_000_000;
    await tokenKeys.signingKey();
    state.nowMs += 30_000;
    expect(await tokenKeys.find(kidOf('junk'))).toBeUndefined();
    state.json = { keys: [entry('2', 'sign')] };
    state.nowMs += 12_000;
    await expect(tokenKeys.find(kidOf('2'))).rejects.toMatchObject({
      status: 503,
      retryAfterSeconds: 18,
      causedBy: 'others',
    });
    expect(state.reads).toBe(2);
    state.nowMs += 18_000;
    expect(await tokenKeys.find(kidOf('2'))).toBeDefined();
  });

  test('what was asked for before the last reading is unknown for good, however much junk comes', async () => {
    const { state, tokenKeys } = reader({ keys: [entry('1', 'sign')] });
    await tokenKeys.signingKey();
    expect(await tokenKeys.find(kidOf('junk'))).toBeUndefined();
    state.nowMs += 5_000;
    await expect(tokenKeys.find(kidOf('old'))).rejects.toMatchObject({ status: 503 });
    for (let i = 0; i < 100; i++) {
      state.nowMs += 1_000;
      await Promise.resolve(tokenKeys.find(kidOf(`junk${i}`))).catch(() => undefined);
    }
    expect(await tokenKeys.find(kidOf('old'))).toBeUndefined();
    expect(state.reads).toBeLessThanOrEqual(6);
  });

  test('finds a new key for 64 concurrent requests that join a read from before the key', async () => {
    const { state, tokenKeys } = reader({ keys: [entry('1', 'sign')] });
    const response = Promise.withResolvers<void>();
    state.response = response.promise;
    const first = tokenKeys.signingKey();
    state.json = { keys: [entry('1', 'verify'), entry('2', 'sign')] };
    const found = Array.from({ length: 64 }, () => tokenKeys.find(kidOf('2')));
    state.nowMs += 100;
    response.resolve();
    expect((await first).kid).toBe('1');
    for (const key of await Promise.all(found)) expect(key?.kid).toBe('2');
    expect(state.reads).toBe(2);
  });

  test('finds a new key although a reread from before the key is in progress', async () => {
    const { state, tokenKeys } = reader({ keys: [entry('1', 'sign')] });
    state.isDown = true;
    await tokenKeys.signingKey().catch(() => undefined);
    Object.assign(state, { isDown: false, nowMs: 31_000 });
    const response = Promise.withResolvers<void>();
    state.response = response.promise;
    const junk = tokenKeys.find(kidOf('junk'));
    state.json = { keys: [entry('1', 'verify'), entry('2', 'sign')] };
    state.nowMs += 100;
    const found = Array.from({ length: 64 }, () => tokenKeys.find(kidOf('2')));
    response.resolve();
    expect(await junk).toBeUndefined();
    for (const key of await Promise.all(found)) expect(key?.kid).toBe('2');
    expect(state.reads).toBe(3);
  });

  test('it is read every 5 minutes', async () => {
    const { state, tokenKeys } = reader({ keys: [entry('1', 'sign')] });
    await tokenKeys.signingKey();
    state.json = { keys: [entry('1', 'verify'), entry('2', 'sign')] };
    state.nowMs += 299_000;
    expect((await tokenKeys.signingKey()).kid).toBe('1');
    state.nowMs += 1_000;
    expect((await tokenKeys.signingKey()).kid).toBe('2');
  });
});
