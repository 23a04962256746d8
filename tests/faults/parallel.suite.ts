/** The same request many times at once, over HTTP and many containers: one outcome. */
import { expect, test } from '@jest/globals';
import { type Answer, again, type Tokens } from '../contract/world/service-client.ts';
import { stack } from '../contract/world/shared-stack.ts';
import { exchange, signedInApp, toCode } from './app.ts';
import { listSessions } from './stored-sessions.ts';

const MANY = 50;
const concurrently = (request: () => Promise<Answer>) => Promise.all(Array.from({ length: MANY }, request));
const refreshTokens = (answers: readonly Answer[]) =>
  new Set(answers.filter(({ status }) => status === 200).map(({ body }) => (body as Tokens).refreshToken));
const statuses = (answers: readonly Answer[]) => [...new Set(answers.map(({ status }) => status))].sort();

test('returns tokens or 503 to 50 exchanges of one code, with one session and one code grant', async () => {
  const body = await toCode(stack, 'ben@example.com');
  await stack.control.clearRequests();
  const answers = await concurrently(() => exchange(stack, body));
  expect(statuses(answers).filter((status) => status !== 200 && status !== 503)).toEqual([]);
  const refused = answers.filter(({ status }) => status === 503);
  expect(refused.every(({ headers }) => Number(headers.get('retry-after')) > 0)).toBe(true);
  const repeated = await again(() => exchange(stack, body));
  expect(refreshTokens([...answers, repeated]).size).toBe(1);
  const requests = await stack.control.requests();
  expect(requests.filter(({ path }) => path.endsWith('/oauth/token'))).toHaveLength(1);
  const ben = Number((repeated.body as Tokens).customerId);
  expect(await listSessions(stack, ben)).toHaveLength(1);
});

test('returns one pair of the next generation to 50 refreshes with one token', async () => {
  const app = await signedInApp(stack, 'dan@example.com');
  const first = app.tokens();
  const answers = await concurrently(() => again(() => app.refresh(first)));
  expect(statuses(answers)).toEqual([200]);
  expect(refreshTokens(answers).size).toBe(1);
  // The newest is this one: others leave sign-ins of the same customer.
  const sessions = await listSessions(stack, first.customerId);
  const [newest] = sessions.toSorted((a, b) => b.createdAtMs - a.createdAtMs);
  expect(newest).toMatchObject({ generation: 2, status: 'active' });
});
