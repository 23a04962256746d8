import type { LookupAddress } from 'node:dns';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createRawServer } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { checkEndpointUrl, type EndpointUrl } from '../../../lib/webhooks/guard-address.ts';
import { createWebhookSender } from '../../../lib/webhooks/send-webhook.ts';

const PUBLIC = ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'];
const asAddresses = (addresses: readonly string[]) =>
  addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }));
const resolving = (...addresses: readonly string[]) => ({
  resolve: async () => asAddresses(addresses),
  allowsLoopback: false,
});
const send = (deps: Parameters<typeof createWebhookSender>[0], url: string) => {
  const sender = createWebhookSender(deps);
  const request = { url: url as EndpointUrl, headers: { 'content-type': 'application/json' }, body: '{}' };
  return sender.send(request).finally(sender.close);
};

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});
async function listen(handleRequest: RequestListener) {
  const server = createServer(handleRequest);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
const own = { resolve: async () => asAddresses(['127.0.0.1']), allowsLoopback: true };

describe('an address that turns inward is refused when it is named and when it is sent to', () => {
  test.each([
    // This machine, in the spellings that clients know.
    'https://127.0.0.1/',
    'https://127.1/',
    'https://127.255.255.254/',
    'https://0x7f.1/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://00000000177.1/',
    'https://2130706433/',
    'https://127.0.0.1./',
    'https://１２７.0.0.1/',
    'https://127。0。0。1/',
    'https://①②⑦.⓪.⓪.①/',
    'https://%31%32%37.0.0.1/',
    'https:\\\\127.0.0.1\\',
    'https:///127.0.0.1/',
    'https://127.0.0.1\\@example.com/',
    '\thttps://127.0.0.\n1/',
    'https://0/',
    'https://0.0.0.0/',
    'https://[::]/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    // Networks of its own, and the metadata of the cloud.
    'https://10.0.0.1/',
    'https://100.64.0.1/',
    'https://100.127.255.255/',
    'https://169.254.169.254/latest/meta-data/',
    'https://0xa9fea9fe/',
    'https://169.254.170.2/',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.0.0.1/',
    'https://192.168.0.1/',
    'https://0300.0250.1/',
    'https://198.18.0.1/',
    'https://198.19.255.255/',
    'https://224.0.0.1/',
    'https://239.255.255.255/',
    'https://240.0.0.1/',
    'https://255.255.255.255/',
    'https://192.0.2.1/',
    'https://192.88.99.1/',
    'https://[fc00::1]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
    'https://[febf::1]/',
    'https://[fec0::1]/',
    'https://[ff02::1]/',
    // IPv4 within IPv6.
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::ffff:169.254.169.254]/',
    'https://[::ffff:93.184.215.14]/',
    'https://[::127.0.0.1]/',
    'https://[::ffff:0:127.0.0.1]/',
    'https://[64:ff9b::10.0.0.1]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://[64:ff9b:1::a00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[2002:a9fe:a9fe::1]/',
    'https://[2001:0:7f00:1::]/',
    'https://[2001:db8::1]/',
    'https://[3fff::1]/',
    'https://[100::1]/',
    // ISATAP (RFC 5214, section 6.1), in any network.
    'https://[2606:2800:21f::5efe:a00:1]/',
    'https://[2606:2800:21f::200:5efe:10.0.0.1]/',
    'https://[2606:2800:21f:1::5efe:169.254.169.254]/',
    'https://[2606:2800:21f:1:100:5efe:a9fe:a9fe]/',
    'https://[2606:2800:21f:1:300:5efe::]/',
    'https://[2606:0:0:0:0:5EFE:0:0]/',
  ])('%j', async (url) => {
    expect(await checkEndpointUrl(resolving(...PUBLIC), url)).toEqual({ refused: 'NOT_PUBLIC' });
    expect(await send(resolving(...PUBLIC), url)).toEqual({ failed: 'ADDRESS_REFUSED' });
  });

  test.each([
    ['a name of this machine', ['127.0.0.1']],
    ['the same in IPv6', ['::1']],
    ['a name in which an address stands', ['10.0.0.1']],
    ['one bad address among good ones', [...PUBLIC, '169.254.169.254']],
    ['a good IPv4 and a bad IPv6 address', ['93.184.215.14', 'fd00:ec2::254']],
    ['IPv4 within IPv6', ['::ffff:10.0.0.1']],
    ['the same with the prefix of translation', ['64:ff9b::a00:1']],
    ['the same with a tunnel', ['2002:a00:1::']],
    ['the same with a tunnel within a site', ['2606:2800:21f::5efe:10.0.0.1']],
    ['the same with a tunnel within a site, marked as unique', ['2606:2800:21f:1:200:5efe:a00:1']],
    ['an address with a zone', ['2606:2800:21f::1%eth0']],
    ['an answer that is no address', ['example.com']],
  ])('%s', async (_, addresses) => {
    for (const url of ['https://hooks.example.com/', 'https://localhost./', 'https://localhost/']) {
      expect(await checkEndpointUrl(resolving(...addresses), url)).toEqual({ refused: 'NOT_PUBLIC' });
      expect(await send(resolving(...addresses), url)).toEqual({ failed: 'ADDRESS_REFUSED' });
    }
  });

  test('a name whose answer changes between the check and the connection', async () => {
    const answers = [PUBLIC, ['127.0.0.1']];
    const changing = { resolve: async () => asAddresses(answers.shift() ?? []), allowsLoopback: false };
    expect(await checkEndpointUrl(changing, 'https://hooks.example.com/')).toHaveProperty('url');
    expect(await send(changing, 'https://hooks.example.com/')).toEqual({ failed: 'ADDRESS_REFUSED' });
    expect(answers).toEqual([]);
  });

  test('a name that has no address, or whose name servers fail', async () => {
    const failing = { resolve: () => Promise.reject(new Error('SERVFAIL')), allowsLoopback: false };
    for (const deps of [resolving(), failing]) {
      expect(await checkEndpointUrl(deps, 'https://hooks.example.com/')).toEqual({ refused: 'UNRESOLVED' });
      expect(await send(deps, 'https://hooks.example.com/')).toEqual({ failed: 'UNRESOLVED' });
    }
  });
});

test.each([
  ['http://hooks.example.com/', 'NOT_HTTPS'],
  ['http://127.0.0.1/', 'NOT_HTTPS'],
  ['ftp://hooks.example.com/', 'NOT_HTTPS'],
  ['file:///etc/passwd', 'NOT_HTTPS'],
  ['javascript:alert(1)', 'NOT_HTTPS'],
  ['https://hooks.example.com:8443/', 'OTHER_PORT'],
  ['https://hooks.example.com:80/', 'OTHER_PORT'],
  ['https://hooks.example.com:0/', 'OTHER_PORT'],
  ['https://user@hooks.example.com/', 'USER_IN_URL'],
  ['https://user:word@hooks.example.com/', 'USER_IN_URL'],
  ['https://:word@hooks.example.com/', 'USER_IN_URL'],
  ['https://example.com@127.0.0.1/', 'USER_IN_URL'],
  ['hooks.example.com', 'NOT_A_URL'],
  ['//hooks.example.com/', 'NOT_A_URL'],
  ['https://', 'NOT_A_URL'],
  ['https://127.0.0.1%00.example.com/', 'NOT_A_URL'],
  ['https://256.256.256.256/', 'NOT_A_URL'],
  ['https://[fe80::1%25eth0]/', 'NOT_A_URL'],
  ['', 'NOT_A_URL'],
  [`https://hooks.example.com/${'a'.repeat(2048)}`, 'TOO_LONG'],
  [`https://hooks.example.com/${'ü'.repeat(400)}`, 'TOO_LONG'],
])('%s is refused as %s', async (url, refused) => {
  expect(await checkEndpointUrl(resolving(...PUBLIC), url)).toEqual({ refused });
  expect(await send(resolving(...PUBLIC), url)).toEqual({ failed: 'ADDRESS_REFUSED' });
});

test.each([
  ['https://hooks.example.com', 'https://hooks.example.com/'],
  ['https://HOOKS.example.com:443/a?b=c#d', 'https://hooks.example.com/a?b=c'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ['https://93.184.215.14/hooks', 'https://93.184.215.14/hooks'],
  ['https://172.32.0.1/', 'https://172.32.0.1/'],
  ['https://[2606:2800:21f::1]/', 'https://[2606:2800:21f::1]/'],
  ['https://[2606:2800:21f::5eff:a00:1]/', 'https://[2606:2800:21f::5eff:a00:1]/'],
  ['https://[2606:2800:5efe::a00:1]/', 'https://[2606:2800:5efe::a00:1]/'],
  ['https://[2606:2800:21f:1:400:5efe:a00:1]/', 'https://[2606:2800:21f:1:400:5efe:a00:1]/'],
])('%s is taken as %s', async (given, url) => {
  expect(await checkEndpointUrl(resolving(...PUBLIC), given)).toEqual({ url });
});

describe('where the platform is on this machine, endpoints may be too', () => {
  test.each(['http://127.0.0.1:4567/hooks', 'http://localhost:80/', 'https://[::1]:3000/'])(
    '%s',
    async (url) => {
      expect(await checkEndpointUrl(own, url)).toHaveProperty('url');
    },
  );

  test.each([
    ['http://10.0.0.1/', 'NOT_HTTPS'],
    ['https://10.0.0.1/', 'NOT_PUBLIC'],
    ['https://hooks.example.com/', 'NOT_PUBLIC'],
    ['https://127.0.0.2/', 'NOT_PUBLIC'],
  ])('%s is refused as before', async (url, refused) => {
    expect(await checkEndpointUrl(own, url)).toEqual({ refused });
  });

  test('the status is kept, and when to come again; a redirect is an answer', async () => {
    const paths: string[] = [];
    const port = await listen(({ url = '' }, response) => {
      paths.push(url);
      if (url === '/moved') response.writeHead(307, { location: '/elsewhere' }).end();
      else response.writeHead(503, { 'retry-after': '120' }).end('words of the merchant');
    });
    expect(await send(own, `http://localhost:${port}/moved`)).toEqual({ status: 307 });
    expect(await send(own, `http://127.0.0.1:${port}/busy`)).toEqual({ status: 503, retryAfter: '120' });
    expect(paths).toEqual(['/moved', '/busy']);
  });

  test('a connection goes to the address that was judged: the name is asked for once, and not for a kept one', async () => {
    const port = await listen((_, response) => response.end());
    const answers = [asAddresses(['127.0.0.1']), asAddresses(['10.0.0.1'])];
    const sender = createWebhookSender({ ...own, resolve: async () => answers.shift() ?? [] });
    const request = { url: `http://localhost:${port}/` as EndpointUrl, headers: {}, body: '{}' };
    for (let times = 0; times < 3; times++) expect(await sender.send(request)).toEqual({ status: 200 });
    sender.close();
    expect(answers).toHaveLength(1);
  });

  test('an answer without end is cut, and its status counts', async () => {
    const port = await listen((_, response) => {
      response.writeHead(200);
      const more = () => {
        while (response.write(Buffer.alloc(16_384)));
      };
      response.on('drain', more);
      more();
    });
    expect(await send(own, `http://127.0.0.1:${port}/`)).toEqual({ status: 200 });
  });

  test('no answer in time, none at all, and a connection that breaks off', async () => {
    const silent = await listen(() => undefined);
    expect(await send({ ...own, timeoutMs: 20 }, `http://127.0.0.1:${silent}/`)).toEqual({
      failed: 'TIMEOUT',
    });
    const breaking = await listen(({ socket }) => socket.destroy());
    expect(await send(own, `http://127.0.0.1:${breaking}/`)).toEqual({ failed: 'UNREACHABLE' });
    servers.at(-1)?.close();
    expect(await send(own, 'http://127.0.0.1:1/')).toEqual({ failed: 'UNREACHABLE' });
  });

  test('a kept connection that the other side has closed is not held against the endpoint', async () => {
    const sockets = new Set<unknown>();
    const port = await listen(({ socket }, response) => {
      const isFirst = !sockets.has(socket);
      sockets.add(socket);
      if (isFirst) response.end();
      else socket.destroy();
    });
    const sender = createWebhookSender(own);
    const request = { url: `http://127.0.0.1:${port}/` as EndpointUrl, headers: {}, body: '{}' };
    expect(await sender.send(request)).toEqual({ status: 200 });
    expect(await sender.send(request)).toEqual({ status: 200 });
    expect(sockets.size).toBe(2);
    sender.close();
  });
});

describe('whatever an endpoint says without end, of one request a bounded part is read', () => {
  /** Says `first` once, and then `again` for ever, in so many writes a turn as small ones are read. */
  async function flood(first: string, again: string) {
    const totals = { bytes: 0, connections: 0 };
    const { promise: cut, resolve } = Promise.withResolvers<void>();
    const server = createRawServer((socket) => {
      totals.connections++;
      socket.on('error', () => undefined).on('close', () => resolve());
      socket.setNoDelay(true).once('data', () => {
        const more = () => {
          if (socket.destroyed) return;
          totals.bytes += again.length;
          socket.write(again, () => setImmediate(more));
        };
        socket.write(first, more);
      });
    });
    servers.push(Object.assign(server, { closeAllConnections: () => undefined }) as unknown as Server);
    await new Promise<void>((resolved) => server.listen(0, '127.0.0.1', resolved));
    const { port } = server.address() as AddressInfo;
    const sender = createWebhookSender(own);
    const answer = await sender.send({
      url: `http://127.0.0.1:${port}/` as EndpointUrl,
      headers: {},
      body: '{}',
    });
    await cut;
    sender.close();
    return { answer, ...totals };
  }
  const OK = 'HTTP/1.1 200 OK\r\n';
  const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;
  const cut = { failed: 'ANSWER_WITHOUT_END' };

  test.each([
    ['interim answers', '', 'HTTP/1.1 103 E\r\nA: b\r\n\r\n', cut],
    ['"go on"', '', 'HTTP/1.1 100 Continue\r\n\r\n', cut],
    ['a field of an interim answer', 'HTTP/1.1 103 E\r\nA: ', 'b', cut],
    ['a field, byte by byte', `${OK}A: `, 'b', cut],
    ['fields', OK, 'A: b\r\n', cut],
    ['spaces before the answer', '', '\r\n', cut],
    ['a body of single bytes', CHUNKED, '1\r\na\r\n', { status: 200 }],
    ['an extension of a chunk', `${CHUNKED}1;`, 'aaaaaaaa', { status: 200 }],
    ['chunks with extensions', CHUNKED, '1;aaaaaaaaaaaaaaaaaaaa\r\na\r\n', { status: 200 }],
    ['trailers', `${CHUNKED}0\r\n`, 'A: b\r\n', { status: 200 }],
    ['more than the answer', `${OK}content-length: 0\r\n\r\n`, OK, { status: 200 }],
    [
      'another protocol',
      'HTTP/1.1 101 S\r\nconnection: upgrade\r\nupgrade: a\r\n\r\n',
      'b',
      { failed: 'UNREACHABLE' },
    ],
  ])('%s', async (_, first, again, answer) => {
    const totals = await flood(first, again);
    expect(totals.answer).toEqual(answer);
    expect(totals.connections).toBe(1);
    expect(totals.bytes).toBeLessThan(131_072);
  });

  test('an answer after two interim ones counts', async () => {
    const port = await listen((_, response) => {
      response.writeProcessing();
      response.writeEarlyHints({ link: '</a>; rel=preload' }, () => response.writeHead(204).end());
    });
    expect(await send(own, `http://127.0.0.1:${port}/`)).toEqual({ status: 204 });
  });
});
