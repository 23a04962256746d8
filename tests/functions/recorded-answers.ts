/**
 * Examples of the OpenAPI document are answers that tests have seen. A test notes every answer that it gets, and at its end
 * compares them with what is committed; with `RECORD=1` it writes them instead. Secrets, ids and times are made the same
 * for all runs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import {
  RECORDED,
  type RecordedAnswer,
  type RecordedAnswers,
} from '../../infra/tools/generate/openapi/recorded-answers.ts';
import { catalogue } from '../../lib/errors/catalogue.ts';

type Seen = {
  readonly operation: string;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>> | undefined;
  readonly body: unknown;
  /** What was sent. */
  readonly request?: unknown;
};

/**
 * The last answer of each kind that one test file gets, by operation, status and code: a busy machine answers 503 where a
 * test did not ask for it, and the one that was asked for comes at the end.
 */
export function createRecorder(name: string) {
  const file = `${RECORDED}/${name}.json`;
  const last = new Map<string, { operation: string; answer: RecordedAnswer }>();
  return {
    note(seen: Seen): void {
      const answer = recordedAnswer(seen);
      const key = [seen.operation, answer.status, answer.code, answer.headers['content-type']].join(' ');
      last.set(key, { operation: seen.operation, answer });
    },
    /** Of a run of the whole file: what is committed is what was answered. */
    expectRecorded(): void {
      const answers: Record<string, RecordedAnswer[]> = {};
      for (const key of [...last.keys()].sort()) {
        const { operation, answer } = last.get(key) ?? { operation: '', answer: undefined };
        if (answer) answers[operation] = [...(answers[operation] ?? []), answer];
      }
      if (process.env.RECORD === '1') writeFileSync(file, `${JSON.stringify(answers, null, 2)}\n`);
      expect(answers).toEqual(JSON.parse(readFileSync(file, 'utf8')) as RecordedAnswers);
    },
  };
}

const KEPT_HEADERS = ['allow', 'content-type', 'retry-after', 'www-authenticate', 'x-request-id'];

function recordedAnswer({ status = 0, headers = {}, body, request }: Seen): RecordedAnswer {
  const code = codeOf(body);
  const kept = KEPT_HEADERS.filter((name) => headers[name] !== undefined);
  return {
    status,
    ...(code !== undefined && { code }),
    ...(code === undefined && request !== undefined && { request: withoutSecrets(request) }),
    headers: Object.fromEntries(
      kept.map((name) => [name, name === 'retry-after' ? '1' : String(headers[name])]),
    ),
    body: withoutSecrets(body),
  };
}

function codeOf(body: unknown): string | undefined {
  const { error, errors } = (body ?? {}) as {
    error?: { code: string };
    errors?: readonly { extensions?: { code?: string } }[];
  };
  return error?.code ?? errors?.[0]?.extensions?.code;
}

/** What stands in place of a secret, or of what is another one each time, by the name of its field. */
const MADE_UP: Readonly<Record<string, string>> = {
  accessToken: 'SVC_CT_made-up-access-token',
  refreshToken: 'SVC_RT_made-up-refresh-token',
  shop: 'harbor-coffee.myshopify.com',
  domain: 'harbor-coffee.myshopify.com',
  verifier: 'made-up-verifier',
  nonce: 'made-up-nonce',
  state: 'made-up-state',
  code: 'made-up-code',
  authUrl:
    'https://accounts.example/oauth/authorize?client_id=client-1&response_type=code&state=made-up-state&nonce=made-up&code_challenge=made-up&code_challenge_method=S256',
  storefrontAccessToken: 'made-up-storefront-token',
  sealedKey: 'made-up-sealed-key',
  keyId: 'made-up-key-id',
  claimId: 'AAAAAAAAAAAAAAAAAAAAAA',
  proof: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  expiresAt: '2026-07-01T10:00:00.000Z',
  version: '1.2.3',
  requestId: 'request-1',
};

function withoutSecrets(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return isErrorCode(value) ? value : (MADE_UP[name] ?? sameTimes(value));
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutSecrets(each, key)]));
}

/** A sign-in's code and an error's have the same name. */
function isErrorCode(value: string): boolean {
  return Object.hasOwn(catalogue, value);
}

function sameTimes(text: string): string {
  return text.replace(/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/g, 'Wed, 01 Jul 2026 10:00:00 GMT');
}
