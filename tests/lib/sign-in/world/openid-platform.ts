/** A small OpenID provider for tests of one store: codes with PKCE, rotating refresh tokens, faults on demand. */
import { createHash, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Code = { nonce: string; challenge: string; clientId: string; redirectUri: string; subject: string };
export type Fault = {
  /** Answer this instead; with `consume`, the grant is made first and its answer lost. */
  status?: number;
  type?: string;
  body?: string;
  consume?: boolean;
  /** End the connection instead of answering. */
  cut?: boolean;
};

const ID_TOKEN_SECONDS = 3600;

export async function startOpenIdPlatform(now: () => number, random: (bytes: number) => Buffer) {
  const state = {
    codes: new Map<string, Code>(),
    refreshTokens: new Map<string, { clientId: string }>(),
    requests: [] as { path: string; grant?: string; clientId?: string; origin?: string }[],
    tokenFaults: [] as Fault[],
    faults: new Map<string, Fault>(),
    keys: [sharedKey('key-1')],
    /** The key set that is served; undefined: that of `keys`. */
    servedKeys: undefined as Key[] | undefined,
    claims: {} as Record<string, unknown>,
    header: {} as Record<string, unknown>,
    issuer: '',
    /** The customer that the Customer Account API returns; by default the subject's, or Ada if that is not a number. */
    customerId: undefined as string | null | undefined,
    subjects: new Map<string, string>(),
    accessSeconds: 3600,
    onGrant: undefined as (() => Promise<void>) | undefined,
  };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  state.issuer = `${origin}/authentication/1`;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', origin).pathname;
    const body = await text(request);
    const { origin: from } = request.headers;
    const sent = from === undefined ? {} : { origin: from };
    if (path.endsWith('/oauth/token')) return token(new URLSearchParams(body), response, sent);
    state.requests.push({ path, ...sent });
    const fault = state.faults.get(path.split('/').at(-1) ?? '');
    if (fault) return fail(response, fault);
    if (path.endsWith('openid-configuration')) return json(response, 200, discovery());
    if (path.endsWith('customer-account-api'))
      return json(response, 200, { graphql_api: `${origin}/customer` });
    if (path.endsWith('jwks.json')) {
      return json(response, 200, { keys: (state.servedKeys ?? state.keys).map(({ jwk }) => jwk) });
    }
    if (path === '/customer') {
      const subject = state.subjects.get(request.headers.authorization ?? '');
      const id = state.customerId === undefined ? customerOf(subject) : state.customerId;
      return json(response, 200, { data: { customer: { id } } });
    }
    json(response, 200, {});
  }

  async function token(form: URLSearchParams, response: ServerResponse, sent: object): Promise<void> {
    const [grant, clientId] = [form.get('grant_type') ?? '', form.get('client_id') ?? ''];
    state.requests.push({ path: '/oauth/token', grant, clientId, ...sent });
    const fault = state.tokenFaults.shift();
    if (fault && !fault.consume) return fail(response, fault);
    const answer = grant === 'authorization_code' ? grantCode(form) : grantRefresh(form);
    await state.onGrant?.();
    if (fault) return fail(response, fault);
    json(response, answer === undefined ? 400 : 200, answer ?? { error: 'invalid_grant' });
  }

  function grantCode(form: URLSearchParams) {
    const code = state.codes.get(form.get('code') ?? '');
    state.codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isGood =
      code?.challenge === challenge &&
      code.clientId === form.get('client_id') &&
      code.redirectUri === form.get('redirect_uri');
    if (!code || !isGood) return undefined;
    const seconds = Math.floor(now() / 1000);
    const claims = {
      iss: state.issuer,
      aud: code.clientId,
      sub: code.subject,
      nonce: code.nonce,
      iat: seconds,
      exp: seconds + ID_TOKEN_SECONDS,
      ...state.claims,
    };
    const granted = pair(code.clientId);
    state.subjects.set(granted.access_token, code.subject);
    return { ...granted, id_token: sign(state.keys.at(-1), claims, state.header) };
  }

  function grantRefresh(form: URLSearchParams) {
    const old = form.get('refresh_token') ?? '';
    const known = state.refreshTokens.get(old);
    state.refreshTokens.delete(old);
    return known?.clientId === form.get('client_id') ? pair(known?.clientId ?? '') : undefined;
  }

  function pair(clientId: string) {
    const refreshToken = random(16).toString('hex');
    state.refreshTokens.set(refreshToken, { clientId });
    const accessToken = random(16).toString('hex');
    return { access_token: accessToken, refresh_token: refreshToken, expires_in: state.accessSeconds };
  }

  function discovery() {
    return {
      issuer: state.issuer,
      authorization_endpoint: `${origin}/authentication/1/oauth/authorize`,
      token_endpoint: `${origin}/authentication/1/oauth/token`,
      jwks_uri: `${origin}/authentication/1/.well-known/jwks.json`,
      end_session_endpoint: `${origin}/authentication/1/logout`,
    };
  }

  return {
    state,
    origin,
    /** The customer signs in at `authUrl`; the code that the platform redirects with. */
    signIn(authUrl: string, subject = '7001001'): string {
      const query = new URL(authUrl).searchParams;
      const code = random(8).toString('hex');
      const of = (name: string) => query.get(name) ?? '';
      state.codes.set(code, {
        nonce: of('nonce'),
        challenge: of('code_challenge'),
        clientId: of('client_id'),
        redirectUri: of('redirect_uri'),
        subject,
      });
      return code;
    },
    codeGrants: () => state.requests.filter(({ grant }) => grant === 'authorization_code').length,
    refreshGrants: () => state.requests.filter(({ grant }) => grant === 'refresh_token').length,
    /** Ends every sign-in at the platform. */
    endAll: () => state.refreshTokens.clear(),
    rotateKeys: () => state.keys.push(sharedKey(`key-${state.keys.length + 1}`)),
    newKey,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function customerOf(subject = ''): string {
  return `gid://shopify/Customer/${/^(?:gid:.*\/)?(\d+)$/.exec(subject)?.[1] ?? 7001001}`;
}

type Key = ReturnType<typeof newKey>;

const sharedKeys = new Map<string, Key>();

/** The key of that name of every platform of a test file: making an RSA key takes longer than most tests. */
function sharedKey(kid: string): Key {
  const key = sharedKeys.get(kid) ?? newKey(kid);
  sharedKeys.set(kid, key);
  return key;
}

/** A key that no other platform has. */
function newKey(kid: string) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { kid, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' } };
}

function sign(
  key: { kid: string; privateKey: KeyObject } | undefined,
  claims: object,
  header: object,
): string {
  if (!key) throw new Error('no key');
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const head = `${part({ alg: 'RS256', kid: key.kid, ...header })}.${part(claims)}`;
  return `${head}.${createSign('RSA-SHA256').update(head).sign(key.privateKey, 'base64url')}`;
}

function fail(response: ServerResponse, { status = 500, type = 'text/html', body = '', cut }: Fault): void {
  if (cut) {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': type }).end(body);
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function text(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}
