/** The official audits of GraphQL over HTTP (graphql-http) on both endpoints, over HTTP. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type AuditResult, serverAudits } from 'graphql-http';
import { signIn } from './world/service-client.ts';
import { stack } from './world/shared-stack.ts';

/** The audits that do not apply, with the reason. All others must pass: MUST, SHOULD and MAY. */
const GET_ONLY = 'both endpoints take POST alone, as the standard allows';
const NOT_APPLICABLE: Readonly<Record<string, string>> = {
  '5A70': GET_ONLY,
  '9C48': GET_ONLY,
  D6D5: GET_ONLY,
  '6A70': GET_ONLY,
};
const INTROSPECTION = 'asks `__type`, which is closed to customers; variables are tested in graphql.suite.ts';
const NOT_FOR_CUSTOMERS: Readonly<Record<string, string>> = { '2EA1': INTROSPECTION, '28B9': INTROSPECTION };

const bearers = { customer: '', admin: '' };
describe('the audits of GraphQL over HTTP', () => {
  beforeAll(async () => {
    bearers.customer = (await signIn(stack, 'ada@example.com')).accessToken;
    bearers.admin = stack.adminKey;
  });

  const PATHS = {
    customer: '/api/storefront/unstable/graphql.json',
    admin: '/api/admin/unstable/graphql.json',
  } as const;

  function auditsOf(endpoint: keyof typeof PATHS) {
    return serverAudits({
      url: () => stack.baseUrl + PATHS[endpoint],
      // Each audit sends what it likes; the credential is the one thing it does not know.
      fetchFn: (url: string, init: RequestInit = {}) =>
        fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${bearers[endpoint]}` } }),
    });
  }

  async function textOf(result: AuditResult): Promise<string> {
    if (result.status === 'ok') return 'ok';
    return `${result.status}: ${result.reason}\n${await result.response.text().catch(() => '')}`;
  }

  describe.each(['customer', 'admin'] as const)('the %s endpoint', (endpoint) => {
    const exceptions = { ...NOT_APPLICABLE, ...(endpoint === 'customer' && NOT_FOR_CUSTOMERS) };
    const audits = auditsOf(endpoint);
    const applicable = audits.filter(({ id }) => !(id in exceptions));

    test.each(applicable.map((audit) => [audit.id, audit.name, audit] as const))(
      '%s: %s',
      async (_id, _name, audit) => expect(await textOf(await audit.fn())).toBe('ok'),
    );

    test('every exception is an audit that there is', () => {
      const ids = audits.map(({ id }) => id);
      expect(ids).toEqual(expect.arrayContaining(Object.keys(exceptions)));
    });
  });
});
