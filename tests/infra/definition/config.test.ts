import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parseDeployOptions, rejectUnknownContext } from '../../../infra/cdk/constructs/deploy-options.ts';
import { findRegionProblems, rejectUnknownRegion } from '../../../infra/cdk/reject-unknown-region.ts';
import {
  ConfigError,
  ENVIRONMENTS,
  noReservedConcurrency,
  readEnvironmentConfig,
} from '../../../infra/definition/config.ts';
import { edgeSchema, listPlaceholderPaths } from '../../../infra/definition/edge-config.ts';
import { findUnfilledPaths } from '../../../infra/definition/environment-rules.ts';
import { everyOption, withValues } from '../cdk/template/config-options.ts';

/** The message of the refusal, for an environment `trial` with these values in place of dev's. */
function refusal(values: Record<string, unknown>): string {
  return messageOf(() =>
    readEnvironmentConfig('trial', { trial: { ...(ENVIRONMENTS.dev as object), ...values } }),
  );
}

function messageOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('an environment', () => {
  test.each(['nowhere', 'toString', 'DEV'])('refuses an unknown environment (%s) with the list', (name) => {
    expect(messageOf(() => readEnvironmentConfig(name))).toBe(
      `Environment "${name}" was not found; the known ones are dev, staging, prod.`,
    );
  });

  test.each([undefined, ''])('must be named (%j)', (name) => {
    expect(messageOf(() => readEnvironmentConfig(name))).toBe(
      'Which environment? Add -c env=NAME; the known ones are dev, staging, prod.',
    );
  });

  test.each(Object.keys(ENVIRONMENTS))('%s is usable', (name) => {
    expect(readEnvironmentConfig(name).config.secretsPrefix).toBe(`subscriptions/${name}`);
  });
});

describe('the name of an environment', () => {
  const named = (name: string) => messageOf(() => readEnvironmentConfig(name, { [name]: ENVIRONMENTS.dev }));

  test.each(['dev2', 'eu', 'production-of-the-european-shop', 'edge', 'Prod', 'p'])(
    '%s is accepted',
    (name) => {
      expect(named(name)).toBe('accepted');
    },
  );

  test.each(['local', 'prod-edge', 'prod_eu', '2nd', 'production-of-the-european-shops'])(
    '%s is refused: a stack, a function or the command line could not have it',
    (name) => {
      expect(named(name)).toMatch(/needs another name: at most 31 letters/);
    },
  );
});

describe('a deploy', () => {
  const read = (context: Record<string, unknown>) => parseDeployOptions((name) => context[name]);

  test('has canary and protection, unless they are off', () => {
    expect(read({})).toEqual({ canary: true, protection: true });
    expect(read({ canary: 'off' })).toEqual({ canary: false, protection: true });
    expect(read({ protection: 'off' })).toEqual({ canary: true, protection: false });
  });

  test.each(['on', 'false', 'OFF', '', true, 0])('rejects every other value (%j)', (word) => {
    expect(messageOf(() => read({ canary: word }))).toContain('leave it out or write -c canary=off');
    expect(messageOf(() => read({ protection: word }))).toContain('-c protection=off');
  });

  test.each(['canry', 'Canary', 'protect', 'environment', ''])('knows no other option (%j)', (name) => {
    expect(messageOf(() => rejectUnknownContext(['env', name]))).toBe(
      `There is no option ${JSON.stringify(name)}: -c takes env, canary, protection.`,
    );
  });

  test("leaves CDK's own context to it", () => {
    const own = Object.keys(JSON.parse(readFileSync('cdk.json', 'utf8')).context);
    const added = ['aws:cdk:enable-path-metadata', 'availability-zones:account=1:region=eu-central-1'];
    expect(messageOf(() => rejectUnknownContext([...own, ...added, 'env', 'canary', 'protection']))).toBe(
      'accepted',
    );
  });
});

describe('the logs that a restore is replayed from', () => {
  const capacity = { functions: 60, access: 1, operators: 60 };
  const alarmEmails = { page: ['night@shop.test'], ticket: ['ops@shop.test'] };
  const inProduction = (days: object) =>
    refusal({ production: true, alarmEmails, logRetentionDays: { ...capacity, ...days } });

  test.each(['functions', 'operators'])('outlast the 35 days of recovery in production (%s)', (log) => {
    expect(inProduction({})).toBe('accepted');
    expect(inProduction({ [log]: 30 })).toContain(
      `logRetentionDays.${log} must be at least 60 in production`,
    );
    expect(refusal({ logRetentionDays: { ...capacity, [log]: 1 } })).toBe('accepted');
  });
});

describe('instances set aside', () => {
  const reservedConcurrency = { 'headless-auth': 100, 'admin-graphql': 500 };

  test.each([
    [700, 'accepted'],
    [699, 'needs an accountConcurrency of 700'],
    [10, 'needs an accountConcurrency of 700'],
  ])('must leave 100 of the account to others: of %d', (accountConcurrency, expected) => {
    expect(refusal({ reservedConcurrency, accountConcurrency })).toContain(expected);
  });

  test('are not needed: a small account may do without, and a refusal says so', () => {
    const small = { accountConcurrency: 10 };
    expect(refusal({ ...small, reservedConcurrency: noReservedConcurrency })).toBe('accepted');
    expect(refusal({ ...small, reservedConcurrency })).toContain('noReservedConcurrency');
  });
});

describe('the addresses for alarms', () => {
  const prod = (values: object) =>
    messageOf(() => readEnvironmentConfig('prod', { prod: { ...(ENVIRONMENTS.prod as object), ...values } }));
  const needed = (severity: string) =>
    `alarmEmails.${severity} is empty: production needs an address for alarms (docs/deploying.md, step 3)`;
  const [page, ticket] = [['night@shop.test'], ['ops@shop.test']];

  test.each([
    ['no edge', { edge: undefined }],
    ['an edge that is filled in', { edge: withValues('prod', everyOption().values).config.edge }],
    ['an account', { account: '123456789012' }],
    ['a region', { region: 'eu-central-1' }],
  ])('production needs them with %s, because it could be deployed', (_what, values) => {
    for (const alarmEmails of [
      { page: [], ticket },
      { page: [], ticket: [] },
    ])
      expect(prod({ ...values, alarmEmails })).toContain(needed('page'));
    expect(prod({ ...values, alarmEmails: { page, ticket: [] } })).toContain(needed('ticket'));
    expect(prod({ ...values, alarmEmails: { page, ticket } })).not.toContain('alarmEmails');
  });

  test('synthesis names them as missing in production as shipped; other environments need none', () => {
    const shipped = findUnfilledPaths(readEnvironmentConfig('prod').config);
    expect(shipped).toEqual(expect.arrayContaining(['alarmEmails.page', 'alarmEmails.ticket']));
    expect(refusal({ account: '123456789012', region: 'eu-central-1' })).toBe('accepted');
    expect(findUnfilledPaths(readEnvironmentConfig('dev').config)).toEqual([]);
  });

  test('the same address twice in a list is refused', () => {
    const message = refusal({ alarmEmails: { page: [...page, ...ticket, ...page], ticket } });
    expect(message).toContain('alarmEmails.page.2 is in the list twice: leave it out');
    expect(refusal({ alarmEmails: { page, ticket: page } })).toBe('accepted');
  });
});

describe('a throttle', () => {
  const throttling = { ...readEnvironmentConfig('dev').config.throttling };

  test.each(Object.keys(ENVIRONMENTS))(
    '%s names what API Gateway gives an account in every region',
    (name) => {
      // An account's quota in Milan, Zurich and eleven others.
      const { accountThrottling } = readEnvironmentConfig(name).config;
      expect(accountThrottling).toEqual({ ratePerSecond: 2500, burst: 1250 });
    },
  );

  test.each([
    [{ ratePerSecond: 2501, burst: 1250 }, 'throttling.refresh.ratePerSecond is 2501, above the 2500 of'],
    [{ ratePerSecond: 2500, burst: 1251 }, 'throttling.refresh.burst is 1251, above the 1250 of'],
    [{ ratePerSecond: 2500, burst: 1250 }, 'accepted'],
  ])('a limit above what the account has is refused (%j)', (refresh, expected) => {
    expect(refusal({ throttling: { ...throttling, refresh } })).toContain(expected);
  });

  test('a higher limit is accepted where the account has more', () => {
    const refresh = { ratePerSecond: 9000, burst: 5000 };
    const accountThrottling = { ratePerSecond: 10_000, burst: 5000 };
    expect(refusal({ throttling: { ...throttling, refresh }, accountThrottling })).toBe('accepted');
  });
});

describe('a restored table', () => {
  test('the name of the table itself is refused', () => {
    const restoredTableName = readEnvironmentConfig('dev').config.tableName;
    expect(refusal({ restoredTableName })).toContain(
      'restoredTableName must be another table than tableName',
    );
    expect(refusal({ restoredTableName: `${restoredTableName}-restored` })).toBe('accepted');
  });

  test('refuses the label of a stream without its table, and an invalid label', () => {
    const restoredStreamLabel = '2026-07-01T09:30:00.000';
    expect(refusal({ restoredStreamLabel })).toContain('name the table as restoredTableName, too');
    const restoredTableName = 'subscriptions-restored';
    expect(refusal({ restoredTableName, restoredStreamLabel })).toBe('accepted');
    expect(refusal({ restoredTableName, restoredStreamLabel: 'latest' })).toContain(
      'must look like 2026-07-01',
    );
  });
});

describe('the names of two environments', () => {
  const apart = { tableName: 'second', secretsPrefix: 'subscriptions/second' };
  const second = (values: object, first: object = {}) =>
    messageOf(() =>
      readEnvironmentConfig('second', {
        first: { ...(ENVIRONMENTS.dev as object), ...first },
        second: { ...(ENVIRONMENTS.dev as object), ...apart, ...values },
      }),
    );
  const domain = (name: string) => ({
    domain: { name, certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/x' },
  });
  const { edge } = withValues('dev', everyOption().values).config;

  test('environments with names of their own are accepted', () => {
    expect(second({})).toBe('accepted');
    expect(second(domain('b.shop.test'), domain('a.shop.test'))).toBe('accepted');
    expect(second({ secretsPrefix: 'subscriptions/dev2' })).toBe('accepted');
  });

  test.each([
    ['tableName', { tableName: 'subscriptions-dev' }, {}],
    ['restoredTableName', { restoredTableName: 'subscriptions-dev' }, {}],
    ['tableName', {}, { restoredTableName: 'second' }],
    ['domain.name', domain('a.shop.test'), domain('a.shop.test')],
    ['edge.viewer.name', { edge }, domain(edge?.viewer.name ?? '')],
    ['edge.origin.name', { edge }, domain(edge?.origin.name ?? '')],
  ])('a shared %s is refused', (path, values, first) => {
    expect(second(values, first)).toMatch(
      new RegExp(
        `${path} is \\S+, which the environment "first" has: give each environment names of its own`,
      ),
    );
  });

  test.each(['subscriptions/dev', 'subscriptions/dev/eu'])(
    'a prefix of secrets is refused if rights would reach both environments (%s)',
    (secretsPrefix) => {
      const message = 'secretsPrefix must lie apart from subscriptions/dev, that of the environment "first"';
      expect(second({ secretsPrefix })).toContain(message);
      expect(second({ secretsPrefix: 'subscriptions/dev' }, { secretsPrefix })).toContain(
        'must lie apart from',
      );
    },
  );

  test('an environment that cannot be used takes no name', () => {
    expect(second({ tableName: 'subscriptions-dev' }, { logLevel: 'WARN' })).toBe('accepted');
  });
});

describe('a region', () => {
  const read = (region: unknown, values: object = {}) =>
    messageOf(() =>
      readEnvironmentConfig(
        'dev',
        { dev: { ...(ENVIRONMENTS.dev as object), ...(region !== undefined && { region }), ...values } },
        findRegionProblems,
      ),
    );

  test.each([undefined, 'eu-central-1', 'us-gov-west-1', 'cn-north-1', 'eusc-de-east-1'])(
    '%s is accepted',
    (region) => {
      expect(read(region)).toBe('accepted');
    },
  );

  test('the region of AWS_REGION is refused alike where the environment names none', () => {
    const set = (own: string | undefined, surrounding: string | undefined) =>
      messageOf(() =>
        rejectUnknownRegion(withValues('dev', own === undefined ? {} : { region: own }), surrounding),
      );
    expect(set(undefined, 'eu-nowhere-1')).toMatch(
      /^The region eu-nowhere-1, which AWS_REGION or your profile sets, is no region that CDK knows: eu-central-1, /,
    );
    expect(set(undefined, 'eu-central-1')).toBe('accepted');
    expect(set('eu-central-1', 'eu-nowhere-1')).toBe('accepted');
    expect(set(undefined, undefined)).toBe('accepted');
  });

  test('names a region that does not exist together with other mistakes', () => {
    expect(read('eu-nowhere-1', { logLevel: 'LOUD' })).toMatch(
      /logLevel .*; region is no region that CDK knows/,
    );
    expect(read('eu-nowhere-1', { restoredTableName: 'subscriptions-dev' })).toMatch(
      /restoredTableName .*; region is no region that CDK knows/,
    );
    expect(read('Frankfurt').match(/region /g)).toHaveLength(1);
  });

  test('a region that does not exist is refused with the ones nearby', () => {
    expect(read('eu-centrall-1')).toMatch(
      /^The environment "dev" in .* is not usable: region is no region that CDK knows: eu-central-1, .*eu-west-3\. A newer one/,
    );
    expect(read('eu-central-1')).not.toContain('us-east-1');
    expect(read('xx-central-1')).toContain('us-east-1');
  });
});

describe('an edge', () => {
  const arn = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/x`;
  const viewer = { name: 'api.example.com', certificateArn: arn('us-east-1') };
  const origin = { name: 'origin.example.com', certificateArn: arn('eu-central-1') };
  const secret = { sends: 'a', sha256: { a: 'a'.repeat(64), b: 'b'.repeat(64) } };

  test('with both names is taken', () => {
    expect(refusal({ edge: { viewer, origin, secret } })).toBe('accepted');
  });

  test.each([
    ['no viewer', { origin, secret }, 'edge.viewer is missing: an edge needs both'],
    ['no origin', { viewer, secret }, 'edge.origin is missing: an edge needs both'],
    [
      'no certificate',
      { viewer: { name: 'a.example.com' }, origin, secret },
      'edge.viewer.certificateArn is missing',
    ],
    [
      'a certificate of another region',
      { viewer: { ...viewer, certificateArn: arn('eu-central-1') }, origin, secret },
      'edge.viewer.certificateArn must be the ARN of a certificate in ACM, in us-east-1',
    ],
    [
      'one name for both',
      { viewer, origin: { ...origin, name: viewer.name }, secret },
      'must be another name',
    ],
    [
      'the secret itself',
      { viewer, origin, secret: { ...secret, sha256: { a: 'my secret', b: 'b' } } },
      'edge.secret.sha256.a must be a SHA-256',
    ],
    [
      'one secret for both',
      { viewer, origin, secret: { ...secret, sha256: { a: 'a'.repeat(64), b: 'a'.repeat(64) } } },
      "edge.secret.sha256.b must be another than a's",
    ],
    ['a third secret to send', { viewer, origin, secret: { ...secret, sends: 'c' } }, 'edge.secret.sends'],
  ])('is refused with a reason with %s', (_what, edge, message) => {
    expect(refusal({ edge })).toContain(message);
  });

  test('refuses a domain with an edge: the edge has the names', () => {
    const domain = { name: 'other.example.com', certificateArn: arn('eu-central-1') };
    expect(refusal({ domain, edge: { viewer, origin, secret } })).toContain(
      'domain is for an environment without',
    );
  });
});

describe('a place of the deploy', () => {
  const arn = (region: string, account = '123456789012') => `arn:aws:acm:${region}:${account}:certificate/x`;
  const edgeWith = (viewer: string, origin: string) => ({
    viewer: { name: 'api.example.org', certificateArn: viewer },
    origin: { name: 'origin.example.org', certificateArn: origin },
    secret: { sends: 'a', sha256: { a: 'a'.repeat(64), b: 'b'.repeat(64) } },
  });
  const place = { account: '123456789012', region: 'eu-south-1' };
  const there = arn('eu-south-1');

  test('takes certificates of its own account and region; one that is not said takes all', () => {
    const otherRegion = arn('eu-west-1', '210987654321');
    expect(refusal({ ...place, edge: edgeWith(arn('us-east-1'), there) })).toBe('accepted');
    expect(refusal({ edge: edgeWith(arn('us-east-1'), otherRegion) })).toBe('accepted');
    expect(refusal({ domain: { name: 'api.example.org', certificateArn: otherRegion } })).toBe('accepted');
  });

  test.each(['eu-west-1', 'us-east-1'])('refuses a certificate of another region (%s)', (region) => {
    const message = 'certificateArn must be of a certificate in eu-south-1, the region of the environment';
    const edge = edgeWith(arn('us-east-1'), arn(region));
    const domain = { name: 'api.example.org', certificateArn: arn(region) };
    expect(refusal({ ...place, edge })).toContain(`edge.origin.${message}`);
    expect(refusal({ ...place, domain })).toContain(`domain.${message}`);
  });

  test('refuses a certificate of another account', () => {
    const message = 'certificateArn must be of a certificate of 123456789012, the account of the environment';
    const other = arn('eu-south-1', '210987654321');
    const viewers = edgeWith(arn('us-east-1', '210987654321'), there);
    expect(refusal({ ...place, edge: viewers })).toContain(`edge.viewer.${message}`);
    expect(refusal({ ...place, edge: edgeWith(arn('us-east-1'), other) })).toContain(
      `edge.origin.${message}`,
    );
    const domain = { name: 'api.example.org', certificateArn: other };
    expect(refusal({ ...place, domain })).toContain(`domain.${message}`);
  });

  test('refuses what is still to be filled in, and without one synthesis names it', () => {
    const { edge } = readEnvironmentConfig('prod').config;
    const message = refusal({ account: '123456789012', edge });
    for (const path of listPlaceholderPaths(edgeSchema.parse(edge))) expect(message).toContain(`${path} `);
    expect(edge && listPlaceholderPaths(edge)).toEqual([
      ...['edge.viewer.name', 'edge.viewer.certificateArn', 'edge.origin.name', 'edge.origin.certificateArn'],
      ...['edge.secret.sha256.a', 'edge.secret.sha256.b'],
    ]);
    expect(listPlaceholderPaths(edgeSchema.parse(edgeWith(arn('us-east-1'), there)))).toEqual([]);
  });
});

describe('a value', () => {
  test('web views of apps may be allowed, whatever their scheme', () => {
    const allowedOrigins = ['capacitor://localhost', 'https://localhost', 'http://localhost'];
    expect(refusal({ allowedOrigins })).toBe('accepted');
  });

  test('names a missing value', () => {
    expect(refusal({ tableName: undefined })).toBe(
      'The environment "trial" in infra/definition/config.ts is not usable: tableName is missing.',
    );
  });

  test('names a value that is missing deep inside with its path', () => {
    const throttling = { refresh: { ratePerSecond: 1 } };
    const message = refusal({ throttling });
    expect(message).toContain('throttling.refresh.burst is missing');
    expect(message).toContain('throttling.customer-graphql is missing');
  });

  test.each([
    ['production', 'yes', 'production must be true or false.'],
    ['account', 123456789012, 'account must be a text, in quotes.'],
    ['account', '1234', 'account must be 12 digits, in quotes.'],
    ['region', 'Frankfurt', 'region must look like eu-central-1'],
    ['domain', null, 'domain must be an object: { … }, not null; an optional value is left out.'],
    ['allowedOrigins', 'https://shop.test', 'allowedOrigins must be a list: […].'],
    ['shopDomainSuffixes', [], 'shopDomainSuffixes must not be empty.'],
    ['accountConcurrency', '1000', 'accountConcurrency must be a whole number.'],
    ['accountConcurrency', 0, 'accountConcurrency must be at least 1.'],
    ['accountConcurrency', 0.5, 'accountConcurrency must be a whole number.'],
    [
      'reservedConcurrency',
      { 'headles-auth': 1 },
      'reservedConcurrency has no "headles-auth": it takes headless-auth,',
    ],
    ['logLevel', undefined, 'logLevel must be DEBUG or INFO'],
    ['platformApiVersion', '2026-08', "must be a version of the platform's Admin API, like 2026-07"],
    ['platformOrigin', 'https://{shop}:99999', 'platformOrigin must be an https address'],
    ['platformOrigin', 'https://ada@{shop}', 'platformOrigin must be an https address'],
    ['secretsPrefix', `subscriptions/${'a'.repeat(250)}`, 'secretsPrefix must have at most 255 characters'],
    [
      'allowedOrigins',
      Array.from({ length: 150 }, (_, index) => `https://${index}.shop.example`),
      'characters, more than the 3000 that fit',
    ],
    ['domain', { name: `${'a.'.repeat(200)}com`, certificateArn: '' }, 'domain.name must be a domain name'],
    ['domain', { name: '-a.example', certificateArn: '' }, 'domain.name must be a domain name'],
    [
      'logRetentionDays',
      { functions: 10, access: 30, operators: 400 },
      'functions must be one of 1, 3, 5, 7',
    ],
    ['logRetentionDays', { functions: 30 }, 'logRetentionDays.access is missing'],
    ['platformOrigin', 'http://{shop}', 'must be an https address'],
    ['platformOrigin', 'https://example.com', 'must contain {shop}'],
    ['allowedOrigins', ['https://example.com/path'], 'must be an origin as browsers send it'],
    ['allowedOrigins', ['*'], 'must be an origin as browsers send it'],
    ['allowedOrigins', ['https://a.example,https://b.example'], 'must be an origin as browsers send it'],
    ['secretsPrefix', 'Subscriptions', 'must be lower-case words joined by /'],
    ['shopDomainSuffixes', ['myshopify.com'], 'must look like .myshopify.com'],
    [
      'reservedConcurrency',
      { 'admin-graphql': 852, 'headless-auth': 49 },
      'needs an accountConcurrency of 1001',
    ],
    ['warmThroughput', { writeUnitsPerSecond: 8000 }, 'warmThroughput.readUnitsPerSecond is missing'],
    [
      'warmThroughput',
      { readUnitsPerSecond: 12_000, writeUnitsPerSecond: 3999 },
      'must be at least the 4,000 of a new table',
    ],
    [
      'warmThroughput',
      { readUnitsPerSecond: 11_999, writeUnitsPerSecond: 4000 },
      'must be at least the 12,000 of a new table',
    ],
    ['warmThroughput', { readUnitsPerSecond: 12_000, writeUnitsPerSecond: 40_001 }, 'must be at most 40,000'],
    ['tableNmae', 'x', 'it has no "tableNmae": it takes production, account, region,'],
    ['storesFromBefore', false, 'must be true or left out'],
    ['alarmEmails', ['ops@example.com'], '{ page: […], ticket: […] }'],
    ['alarmEmails', 'ops@example.com', '{ page: […], ticket: […] }'],
  ])('refuses a wrong value (%s: %j) with what it must be', (name, value, expected) => {
    const message = refusal({ [name]: value });
    expect(message).toContain(name);
    expect(message).toContain(expected);
  });

  test('refuses a wrong type at any place with the project’s own text, without the value', () => {
    const whole = { ...(withValues('prod', everyOption().values).config as object) };
    const places = pathsIn(whole);
    expect(places.length).toBeGreaterThan(70);
    for (const place of places) {
      for (const wrong of [undefined, null, -1, 0.5, Number.NaN, '', 'a b', true, {}, { a: 1 }, [null]]) {
        const message = messageOf(() =>
          readEnvironmentConfig('trial', { trial: replaced(whole, place, wrong) }),
        );
        expect(message).not.toMatch(/Invalid|expected|received|Unrecognized|Too (small|big)|a b/);
      }
    }
  });

  test.each([undefined, null, 'prod', []])('an environment that is no object (%j) is refused', (values) => {
    const message = messageOf(() => readEnvironmentConfig('trial', { trial: values }));
    expect(message).toMatch(/is not usable: it (is missing|must be an object)/);
  });
});

type Place = readonly [string, ...string[]];

/** Every place in a value, from the outside in. */
function pathsIn(value: object): Place[] {
  return Object.entries(value).flatMap(([name, part]): Place[] => [
    [name],
    ...(typeof part === 'object' && part !== null ? pathsIn(part).map((path): Place => [name, ...path]) : []),
  ]);
}

/** A copy with another value at one place. */
function replaced(value: object, [name, ...rest]: Place, other: unknown): unknown {
  const [next, ...further] = rest;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  copy[name] = next === undefined ? other : replaced(copy[name] as object, [next, ...further], other);
  return copy;
}
