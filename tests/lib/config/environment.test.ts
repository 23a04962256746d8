import { describe, expect, test } from '@jest/globals';
import { readEnvironment } from '../../../lib/config/environment.ts';

const REQUIRED = { TABLE_NAME: 'subscriptions', SECRETS_PREFIX: 'subscriptions/dev' };

describe('readEnvironment', () => {
  test('names every variable that is missing or wrong, and repeats no value', () => {
    expect(() => readEnvironment({ LOG_LEVEL: 'LOUD', TABLE_NAME: 'x' })).toThrow(
      /SECRETS_PREFIX: is missing; LOG_LEVEL: /,
    );
    expect(() => readEnvironment({ ...REQUIRED, GID_NAMESPACE: 'Sec Ret' })).not.toThrow(/Sec Ret/);
    expect(() => readEnvironment({ ...REQUIRED, GID_NAMESPACE: 'Sec Ret' })).toThrow(/GID_NAMESPACE/);
  });

  test('tells what each variable must be', () => {
    const problems = (variables: Record<string, string>) => {
      try {
        return readEnvironment({ ...REQUIRED, ...variables }) && 'none';
      } catch (error) {
        return (error as Error).message.replace('The environment is not usable. ', '');
      }
    };
    expect(problems({ TABLE_NAME: '', PLATFORM_API_VERSION: 'latest', PUBLIC_BASE_URL: 'x' })).toBe(
      'TABLE_NAME: must not be empty; PLATFORM_API_VERSION: must look like 2026-07; ' +
        'PUBLIC_BASE_URL: must be an http(s) address.',
    );
    expect(problems({ GRAPHIQL: 'ON', LOG_LEVEL: 'INFO', VERSION: '' })).toBe(
      'GRAPHIQL: must be one of on, off; VERSION: must not be empty.',
    );
  });

  test('plain http is for loopback addresses', () => {
    expect(() => readEnvironment({ ...REQUIRED, PLATFORM_ORIGIN: 'http://{shop}' })).toThrow(
      /PLATFORM_ORIGIN/,
    );
    expect(() =>
      readEnvironment({ ...REQUIRED, PLATFORM_ORIGIN: 'http://127.0.0.1.evil.example/{shop}' }),
    ).toThrow();
    expect(
      readEnvironment({ ...REQUIRED, PLATFORM_ORIGIN: 'http://127.0.0.1:4000/{shop}' }).platformOrigin,
    ).toBe('http://127.0.0.1:4000/{shop}');
  });

  test('allows the origins of web views, and none that would allow more than one', () => {
    const read = (origins: string) =>
      readEnvironment({ ...REQUIRED, ALLOWED_ORIGINS: origins }).allowedOrigins;
    expect(read('capacitor://localhost, https://app.example')).toEqual([
      'capacitor://localhost',
      'https://app.example',
    ]);
    for (const origins of ['*', 'null', 'https://app.example,*', 'http://app.example'])
      expect(() => read(origins)).toThrow(/ALLOWED_ORIGINS: each must be an origin/);
  });

  test("takes hashes of the edge's secrets, and nothing that could be a secret itself", () => {
    const read = (hashes: string) =>
      readEnvironment({ ...REQUIRED, EDGE_SECRET_HASHES: hashes }).edgeSecretHashes;
    expect(read(`${'a'.repeat(64)},${'0'.repeat(64)}`)).toHaveLength(2);
    expect(read('')).toEqual([]);
    for (const hashes of ['my secret', 'A'.repeat(64), 'a'.repeat(63)])
      expect(() => read(hashes)).toThrow(/EDGE_SECRET_HASHES: each must be a SHA-256/);
  });

  test('has the documented defaults', () => {
    expect(readEnvironment(REQUIRED)).toMatchObject({
      platformOrigin: 'https://{shop}',
      platformApiVersion: '2026-07',
      gidNamespace: 'platform',
      platformGidNamespace: 'shopify',
      allowedOrigins: [],
      shopDomainSuffixes: ['.myshopify.com'],
      edgeSecretHashes: [],
      graphiql: false,
      logLevel: 'INFO',
    });
  });
});
