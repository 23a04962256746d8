/**
 * Checks that no secret of a whole run occurs in a log line, in the table, or on the terminal, except in the banner and
 * the mailbox.
 */
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { emulatorClientSettings } from '../../sandbox/aws/local-client-settings.ts';
import { ask, authorize, send, start, type Tokens } from './world/service-client.ts';
import { stack } from './world/shared-stack.ts';

/** The whole journey, faults and refusals in it; returns every secret that occurred. */
async function runJourney(): Promise<string[]> {
  const started = await start(stack);
  const code = await authorize(stack, started, 'ada@example.com');
  const oneTimeCode = await stack.control.oneTimeCode('ada@example.com').catch(() => '');
  const { verifier, nonce, state } = started;
  const body = { shop: stack.shop, code, verifier, nonce };
  await stack.control.faults({
    target: 'sign-in',
    operation: 'token',
    count: 1,
    status: 520,
    body: 'broken',
  });
  await send(stack, '/headless-auth/exchange', { body });
  const tokens = (await send(stack, '/headless-auth/exchange', { body })).body as Tokens;
  const query = '{ __typename }';
  await ask(stack, 'customer', { bearer: tokens.accessToken, query });
  await ask(stack, 'customer', { bearer: tokens.refreshToken, query });
  await ask(stack, 'admin', { bearer: tokens.accessToken, query });
  await ask(stack, 'admin', { bearer: stack.adminKey, query: '{ shop { name } }' });
  await ask(stack, 'customer', { bearer: stack.adminKey, query });
  const session = { shop: stack.shop, customerId: tokens.customerId };
  const next = (
    await send(stack, '/headless-auth/refresh', { body: { ...session, refreshToken: tokens.refreshToken } })
  ).body as Tokens;
  await send(stack, '/headless-auth/refresh', { body: { ...session, refreshToken: next.accessToken } });
  await send(stack, '/headless-auth/revoke', {
    method: 'DELETE',
    body: { ...session, refreshToken: next.refreshToken },
  });
  return [
    ...[code, verifier, nonce, state, oneTimeCode].filter((secret) => secret.length > 5),
    ...[tokens.accessToken, tokens.refreshToken, next.accessToken, next.refreshToken, stack.adminKey],
  ];
}

test('no secret of a whole run is in a log line, on the terminal or in the table', async () => {
  const secrets = await runJourney();
  expect(secrets.length).toBeGreaterThan(8);
  const log = stack.rawLog();
  expect(log).toContain('/headless-auth/exchange');
  // The banner and the mailbox lines are for people, and indented.
  const terminal = stack
    .terminal()
    .split('\n')
    .filter((line) => !line.startsWith('  '))
    .join('\n');
  const client = new DynamoDBClient(emulatorClientSettings(stack.dynamoDbUrl));
  const table = JSON.stringify((await client.send(new ScanCommand({ TableName: stack.tableName }))).Items);
  client.destroy();
  expect(table).toContain('SESSION');
  const places = { log, terminal, table };
  for (const [name, text] of Object.entries(places)) {
    const found = secrets.filter((secret) => text.includes(secret)).map((secret) => secret.slice(0, 10));
    expect([name, found]).toEqual([name, []]);
    // A JSON Web Token where a word begins: what is sealed is random, and holds any three letters somewhere.
    expect(text).not.toMatch(/shpat_\w|(?<![\w-])eyJ[\w-]{20,}|SVC_(AT|CT|RT)_\w/);
  }
});
