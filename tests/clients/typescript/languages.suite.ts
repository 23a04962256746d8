/** The language that an app sets: it is sent with requests and with sign-ins. */
import { expect, test } from '@jest/globals';
import {
  createCustomerClient,
  createMemoryStorage,
  type Environment,
} from '../../../clients/typescript/src/client.ts';
import { createEnvironment } from '../../../clients/typescript/src/device/environment.ts';
import { createRequest } from '../../../clients/typescript/src/request/create-request.ts';
import { QUERY } from './world/ask-against.ts';

test.each([
  ['de', 'de'],
  ['pt_BR', 'pt-BR'],
  ['zh_Hant_TW', 'zh-Hant-TW'],
  ['PT_BR', 'PT-BR'],
  ['', undefined],
  ['German', undefined],
  ['de-', undefined],
  ['de_AT.UTF-8', undefined],
  ['de\nx-a: b', undefined],
])('the language %j goes with each request as %j', async (language, expected) => {
  let sent: Readonly<Record<string, string>> = {};
  const fetch: Environment['fetch'] = async (_url, { headers }) => {
    sent = headers;
    return Response.json({ data: { a: 1 } });
  };
  const request = createRequest({
    ...{ serviceUrl: 'https://service.example', path: '/', language, deadlineMs: 1000 },
    ...{ environment: createEnvironment({ fetch }), authorize: async () => 'SVC_AK_1' },
  });
  await request(QUERY);
  expect(sent['accept-language']).toBe(expected);
});

test.each([
  ['de_AT', { locale: 'de-AT' }],
  [() => 'ja', { locale: 'ja' }],
  [() => undefined, {}],
])('a sign-in asks for the pages in the language of the app: %p', async (language, expected) => {
  let sent: unknown;
  const fetch: Environment['fetch'] = async (_url, { body }) => {
    sent = JSON.parse(body);
    return Response.json({ error: { code: 'SHOP_NOT_INSTALLED' } }, { status: 401 });
  };
  const client = createCustomerClient({
    ...{ serviceUrl: 'https://service.example', shop: 'a.myshopify.com', storage: createMemoryStorage() },
    ...{ language, openBrowser: async () => null, environment: { fetch } },
  });
  await expect(client.signIn()).rejects.toMatchObject({ code: 'SHOP_NOT_INSTALLED' });
  expect(sent).toEqual({ shop: 'a.myshopify.com', ...expected });
});
