/** The demo's retries and their times. `fetch` emulates the service. */
import { afterEach, expect, jest, test } from '@jest/globals';
import { sendRequest } from '../../../sandbox/demo/send-request.ts';

afterEach(() => void jest.restoreAllMocks());

/** The seconds before the demo's first three retries. */
async function waitsFor(answer: () => Response): Promise<number[]> {
  jest.spyOn(globalThis, 'fetch').mockImplementation(async () => answer());
  const request = { method: 'POST', url: 'http://service.example/headless-auth/refresh' } as const;
  const tried = [1, 2, 3].map(async (tries) => (await sendRequest(request, tries)).retryAfterSeconds);
  return await Promise.all(tried);
}

const busy = (headers: Record<string, string> = {}) =>
  Response.json({ message: 'Too Many Requests' }, { status: 429, headers });

test("the gateway's 429, which names no time: in a second, doubling", async () => {
  expect(await waitsFor(() => busy())).toEqual([1, 2, 4]);
  expect(await waitsFor(() => busy({ 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }))).toEqual([1, 2, 4]);
});

test('a time that is named is waited for', async () => {
  expect(await waitsFor(() => busy({ 'retry-after': '60' }))).toEqual([60, 60, 60]);
});

test('what is final is not sent again', async () => {
  expect(await waitsFor(() => Response.json({}, { status: 200 }))).toEqual([0, 0, 0]);
  const final = { errors: [{ extensions: { code: 'STORE_DISCONNECTED' } }] };
  expect(await waitsFor(() => Response.json(final, { status: 503 }))).toEqual([0, 0, 0]);
});
