/** A store's grant that expires: refusals first, then the renewal as a public app does it. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { askAdmin, harbor, type Json, startTestPlatform, type TestPlatform } from './running-platform.ts';

let platform: TestPlatform;
let grant: Json;

beforeAll(async () => {
  platform = await startTestPlatform();
});
beforeEach(async () => {
  grant = (await platform.control('POST', 'grant', { shop: harbor, expiring: true })).json;
});
afterAll(() => platform.close());

const query = '{ shop { name } }';

async function renew(changes: Record<string, string> = {}): Promise<{ status: number; json: Json }> {
  const { client_id, client_secret, refresh_token } = grant;
  const fields = { client_id, client_secret, refresh_token, grant_type: 'refresh_token', ...changes };
  const response = await fetch(`${platform.url}/${harbor}/admin/oauth/access_token`, {
    method: 'POST',
    body: new URLSearchParams(fields),
  });
  return { status: response.status, json: await response.json() };
}

test.each([
  [{ client_secret: 'wrong' }, 401, 'invalid_client'],
  [{ client_id: 'nobody' }, 401, 'invalid_client'],
  [{ refresh_token: 'none' }, 400, 'invalid_grant'],
  [{ grant_type: 'password' }, 400, 'unsupported_grant_type'],
])('%j is refused', async (changes: Record<string, string>, status, error) => {
  expect(await renew(changes)).toEqual({ status, json: { error } });
});

test('a store without an expiring grant has nothing to renew', async () => {
  await platform.control('POST', 'grant', { shop: harbor, expiring: false });
  expect((await renew()).status).toBe(401);
  expect((await askAdmin(platform, query)).status).toBe(200);
});

test('the token from before is void, the new one lives an hour', async () => {
  expect((await askAdmin(platform, query)).status).toBe(401);
  expect(grant).toMatchObject({ expires_in: 3600, refresh_token_expires_in: 7_776_000 });
  expect((await askAdmin(platform, query, grant.access_token)).status).toBe(200);
  await platform.control('POST', 'clock', { advance: 3601 });
  const { status, json } = await askAdmin(platform, query, grant.access_token);
  expect([status, typeof json.errors]).toEqual([401, 'string']);
});

test('renewal gives a new pair, in the form of a form or of JSON', async () => {
  const { status, json } = await renew();
  expect(status).toBe(200);
  expect(json).toMatchObject({ expires_in: 3600, scope: expect.any(String) });
  expect((await askAdmin(platform, query, json.access_token)).status).toBe(200);
  const response = await fetch(`${platform.url}/${harbor}/admin/oauth/access_token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...grant, refresh_token: json.refresh_token, grant_type: 'refresh_token' }),
  });
  expect(response.status).toBe(200);
});

test('the refresh token before stays good until its replacement is used', async () => {
  const lost = await renew();
  const again = await renew();
  expect(again.status).toBe(200);
  const next = await renew({ refresh_token: again.json.refresh_token });
  expect(next.status).toBe(200);
  expect((await renew()).json).toEqual({ error: 'invalid_grant' });
  expect((await renew({ refresh_token: lost.json.refresh_token })).json).toEqual({ error: 'invalid_grant' });
});

test('a refresh token ends after 90 days', async () => {
  await platform.control('POST', 'clock', { advance: 90 * 86_400 + 1 });
  expect((await renew()).json).toEqual({ error: 'invalid_grant' });
});
