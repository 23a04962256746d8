import { gunzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import middy from '@middy/core';
import { gzipResponse } from '../../../../lib/http/compression/compress-response.ts';
import type { HttpEvent, HttpResult } from '../../../../lib/http/exchange.ts';
import { toApiGatewayResult } from '../../../../lib/http/http-response.ts';
import { readRequest } from '../../../../lib/http/read-request.ts';
import { context, httpEvent } from '../../../http-event.ts';

const LONG = { text: 'Grüße '.repeat(1_000) };

async function respond(body: object, headers: Readonly<Record<string, string>>): Promise<HttpResult> {
  const handler = middy<HttpEvent, HttpResult>()
    .use([readRequest({ now: () => 0 }), gzipResponse])
    .handler(({ exchange }) => toApiGatewayResult(exchange, { status: 200, body }));
  return handler(httpEvent({ headers }) as HttpEvent, context);
}

test('a response is compressed for a client that accepts gzip', async () => {
  const { headers, body = '', isBase64Encoded } = await respond(LONG, { 'accept-encoding': 'br, gzip' });
  expect([headers?.['content-encoding'], isBase64Encoded]).toEqual(['gzip', true]);
  expect(JSON.parse(gunzipSync(Buffer.from(body, 'base64')).toString('utf8'))).toEqual(LONG);
});

test.each([
  ['for a client that names no coding', LONG, {}],
  ['for a client that refuses gzip', LONG, { 'accept-encoding': 'gzip;q=0, br' }],
  ['that fits into a packet', { text: 'short' }, { 'accept-encoding': 'gzip' }],
  ['whose compression would take long', { text: 'x'.repeat(300_000) }, { 'accept-encoding': 'gzip' }],
])('a response %s is sent as it is', async (_what, body, headers) => {
  const response = await respond(body, headers);
  expect(response.headers).not.toHaveProperty('content-encoding');
  expect(JSON.parse(response.body ?? '')).toEqual(body);
});
