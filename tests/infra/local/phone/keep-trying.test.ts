/** When the phone page sends again what was put off. Time is jest's. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';

/** The page's scripts, which the compiler knows by their own settings alone. */
const FOLDER = '../../../../infra/local/phone/app/service';
const { keepTrying } = (await import(`${FOLDER}/keep-trying.js`)) as {
  keepTrying: (request: () => Promise<unknown>) => Promise<unknown>;
};
const { ServiceError } = (await import(`${FOLDER}/service-error.js`)) as {
  ServiceError: new (facts: { code: string; status: number; retryAfterSeconds?: number }) => Error;
};

const deaf = { addEventListener: () => undefined, removeEventListener: () => undefined };
beforeAll(() => void Object.assign(globalThis, { window: deaf }));
afterAll(() => void jest.useRealTimers());

/** The seconds between the tries of a request that is always refused so. */
async function waitsFor(facts: { code: string; status: number; retryAfterSeconds?: number }) {
  jest.useFakeTimers();
  const triedAt: number[] = [];
  const ended = keepTrying(async () => {
    triedAt.push(Date.now());
    throw new ServiceError(facts);
  }).catch((error: unknown) => error);
  await jest.runAllTimersAsync();
  expect(await ended).toMatchObject(facts);
  return triedAt.slice(1).map((at, index) => (at - (triedAt[index] ?? 0)) / 1000);
}

test("the gateway's 429, which names no time: in a second, doubling", async () => {
  const waits = await waitsFor({ code: 'UNKNOWN', status: 429 });
  expect(waits).toHaveLength(4);
  waits.forEach((seconds, index) => {
    expect(seconds).toBeGreaterThanOrEqual(Math.min(0.75 * 2 ** index, 8));
    expect(seconds).toBeLessThanOrEqual(1.25 * 2 ** index);
  });
});

test('a time that is named is waited for, however long it is', async () => {
  expect(await waitsFor({ code: 'THROTTLED', status: 429, retryAfterSeconds: 60 })).toEqual([60, 60, 60, 60]);
});

test('what is final is not sent again', async () => {
  expect(await waitsFor({ code: 'STORE_DISCONNECTED', status: 503 })).toEqual([]);
});
