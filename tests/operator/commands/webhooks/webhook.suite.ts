/** Endpoints by the command line, each verb with success, with a server that answers and the worker that delivers to it. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { composeWebhookContext } from '../../../../functions/compose/compose-webhook-context.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { createSdkSecretsClient } from '../../../../lib/storage/sdk-client/sdk-secrets.ts';
import { createSdkTableClient } from '../../../../lib/storage/sdk-client/sdk-table.ts';
import { createWebhookDeliveryWork } from '../../../../lib/webhooks/deliver/create-webhook-delivery-work.ts';
import { emulatorClientSettings } from '../../../../sandbox/aws/local-client-settings.ts';
import { appendingOver } from '../../../appending.ts';
import type { OperatorWorld } from '../../operator-world.ts';

const HARBOR = 'harbor-coffee.myshopify.com';
const SHOP_ID = 81234567001 as ShopId;
const HOUR_MS = 3_600_000;

export function webhookSuite(getWorld: () => OperatorWorld): void {
  const run = (command: string, ...args: string[]) => getWorld().run(['webhook', command, HARBOR, ...args]);
  const json = (command: string, ...args: string[]) => getWorld().json(['webhook', command, HARBOR, ...args]);

  /** The events that the merchant's server received, and its response. */
  const got: { headers: IncomingHttpHeaders; body: string }[] = [];
  let status = 204;
  const server = createServer(async (request, response) => {
    got.push({ headers: request.headers, body: Buffer.concat(await request.toArray()).toString() });
    response.writeHead(status).end();
  });
  const url = (path = '') => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`;
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  let worker: ReturnType<typeof createWorker>;
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    // An earlier test may just have tested an endpoint of the store.
    await getWorld().control('clock', { advance: 11 });
    aheadMs = (await getWorld().clock()).offsetMs;
    worker = createWorker(getWorld(), now);
  });
  afterAll(() => {
    server.close();
    worker.close();
  });

  test('an endpoint is told, shown, disabled, enabled, replayed to, given a new secret, and gone', async () => {
    const types = 'order.upcoming,order.charged';
    const description = 'ERP\u001b[2J\nstatus  GONE\u202e';
    const made = await json('create', url(), '--types', types, '--description', description);
    const { id, secret } = made as { id: string; secret: string };
    expect(made).toMatchObject({
      url: url(),
      description,
      types: types.split(','),
      status: 'ENABLED',
    });
    const showEndpoint = () => json('show', id);
    const lines = (await run('show', id)).out.split('\n');
    expect(lines.filter((line) => line.startsWith('status ') || /\p{C}/u.test(line))).toEqual([
      expect.stringMatching(/^status +ENABLED$/),
    ]);
    expect(await showEndpoint()).toMatchObject({
      id,
      url: url(),
      status: 'ENABLED',
      waitingCount: 0,
      held: [],
    });

    await run('test', id);
    expect(JSON.parse(got.at(-1)?.body ?? '')).toMatchObject({ type: 'endpoint.test' });
    status = 410;
    await worker.place('e-1', '9101001');
    await worker.place('e-2', '9101001');
    await worker.turn();
    expect(await showEndpoint()).toMatchObject({
      status: 'DISABLED_BY_FAILURES',
      disabled: { reason: 'GONE', at: expect.stringMatching(/Z$/) },
      ...{ waitingCount: 2, failingSince: expect.any(String) },
      held: [{ contract: '9101001', state: 'RETRYING', count: 2, refusals: 1, answer: 410 }],
    });
    status = 204;
    expect(await json('update', id, '--enabled', 'yes')).toMatchObject({ status: 'ENABLED' });
    await worker.turn();
    expect(idsOf(got.slice(-2))).toEqual(['e-1', 'e-2']);
    const after = await showEndpoint();
    expect(after).toMatchObject({
      ...{ status: 'ENABLED', waitingCount: 0, held: [] },
      lastDeliveredAt: expect.any(String),
    });
    expect(after.disabled).toBeUndefined();
    expect(after.cursor).toBe(after.streamEnd + 1);

    const since = new Date(now() - HOUR_MS).toISOString();
    expect((await json('replay', id, '--since', since)).eventCount).toBeGreaterThanOrEqual(2);
    await worker.turn();
    expect(idsOf(got.slice(-2))).toEqual(['e-1', 'e-2']);
    // An endpoint that was created after the events can replay them, too.
    const young = (await json('create', url('young'), '--types', types)) as { id: string };
    expect((await run('replay', young.id, '--since', since)).out).toMatch(
      /The replay has [2-9]\d* events\. They are sent within about a minute/,
    );
    await worker.turn();
    expect(idsOf(got.slice(-2))).toEqual(['e-1', 'e-2']);
    await json('delete', young.id, '--yes');
    await json('resend', id, `${after.streamEnd}`);
    await worker.turn();
    expect(idsOf(got.slice(-2))).toEqual(['e-2', 'e-2']);

    const rotated = await json('rotate-secret', id);
    await json('resend', id, `${after.streamEnd}`);
    await worker.turn();
    // Not verified with the package, which only uses the machine's clock.
    const { headers, body } = got.at(-1) ?? { headers: {}, body: '' };
    const at = new Date(Number(headers['webhook-timestamp']) * 1000);
    const signed = [rotated.secret as string, secret].map((one) => new Webhook(one).sign('e-2', at, body));
    expect(headers['webhook-signature']).toBe(signed.join(' '));
    expect((await showEndpoint()).secrets).toEqual([
      { createdAt: expect.any(String) },
      { createdAt: expect.any(String), notAfter: expect.any(String) },
    ]);

    await json('update', id, '--url', url('new'), '--types', 'order.charged', '--description', 'Books');
    const changed = { id, url: url('new'), types: ['order.charged'], description: 'Books' };
    expect(await json('list')).toEqual([expect.objectContaining(changed)]);
    expect(await showEndpoint()).toMatchObject(changed);
    expect((await run('show', id)).out).toMatch(/description +Books/);
    await json('delete', id, '--yes');
    expect(await json('list')).toEqual([]);
    expect(await run('show', id)).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('endpoint was not found'),
    });
    // Only the output of `create` and `rotate-secret` contains a secret.
    const secrets =
      getWorld()
        .output()
        .match(/whsec_[\w+/=]+/g) ?? [];
    expect(secrets.filter((one) => [secret, rotated.secret].includes(one))).toHaveLength(2);
  });

  test('what is parked is shown with the number that sends it again, and goes', async () => {
    const { id } = await json('create', url());
    await worker.place('p-1', '9101002');
    await worker.place('p-2', '9101002');
    const { streamEnd } = await json('show', id);
    await run('update', id, '--enabled', 'no');
    expect((await json('show', id)).status).toBe('DISABLED_BY_STORE');
    await run('update', id, '--enabled', 'yes');
    await getWorld().putItem({
      ...{ pk: `DELIVERY#${SHOP_ID}`, sk: `${id}#PARKED#9101002`, shopId: SHOP_ID, endpointId: id },
      ...{ of: '9101002', state: 'PARKED', numbers: [streamEnd - 1, streamEnd], refusals: 6, version: 1 },
      ...{ isForgiven: false, nextAtMs: 0, notBeforeMs: 0, answer: 500 },
    });
    await getWorld().putItem({
      ...{ pk: `DELIVERY#${SHOP_ID}`, sk: id, shopId: SHOP_ID, endpointId: id, version: 1 },
      ...{ cursor: streamEnd + 1, mayHaveParked: true },
    });
    const parked = { contract: '9101002', state: 'PARKED', number: streamEnd - 1, count: 2, answer: 500 };
    expect((await json('show', id)).held).toEqual([{ ...parked, refusals: 6 }]);
    expect((await run('show', id)).out).toContain(`${streamEnd - 1}`);

    expect((await run('resend', id, `${streamEnd - 1}`)).out).toContain('within about a minute');
    await worker.turn();
    expect(idsOf(got.slice(-2))).toEqual(['p-1', 'p-2']);
    expect((await json('show', id)).held).toEqual([]);
    await json('delete', id, '--yes');
  });
}

function idsOf(all: readonly { readonly headers: IncomingHttpHeaders }[]) {
  return all.map(({ headers }) => headers['webhook-id']);
}

/** The worker over the world's table, with what the function is put together of. */
function createWorker({ state }: OperatorWorld, now: () => number) {
  const dynamoDb = new DynamoDBClient(emulatorClientSettings(state.dynamoDbUrl));
  const secretsManager = new SecretsManagerClient(emulatorClientSettings(state.secretsManagerUrl));
  const table = createSdkTableClient({ client: dynamoDb, tableName: state.tableName });
  const quiet = () => undefined;
  const logger = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  const parts = composeWebhookContext(
    { secretsPrefix: state.secretsPrefix, platformOrigin: state.platformUrl },
    { secrets: createSdkSecretsClient({ client: secretsManager }), now, logger },
  );
  const serve = createWebhookDeliveryWork({
    ...{ ...parts, table, logger, now, random: () => 0, gidNamespace: 'platform' },
    send: (request) => parts.send(request, 5000),
  });
  return {
    turn: () => serve({ shopId: SHOP_ID, endAtMs: now() + 20_000, signal: new AbortController().signal }),
    place: (id: string, contract: string) =>
      appendingOver({ table, now })({
        ...{ shopId: SHOP_ID, id, contract },
        event: {
          type: 'order.upcoming',
          atMs: now(),
          order: { cycleIndex: 1, date: '2026-12-01T09:00:00Z' },
        },
      }),
    close() {
      dynamoDb.destroy();
      secretsManager.destroy();
    },
  };
}
