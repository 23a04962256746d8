/** The edge's stack, and what the service's has of it. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { writePatternUpTo } from '../../../../infra/cdk/edge/firewall-statements.ts';
import { ENVIRONMENTS, readEnvironmentConfig } from '../../../../infra/definition/config.ts';
import {
  doesRuleCountRequest,
  EDGE_RESPONSES,
  isRejectedForContentType,
  MAX_BODY_BYTES,
  RATE_RULES,
} from '../../../../infra/definition/edge-rules.ts';
import { ROUTES } from '../../../../infra/definition/routes.ts';
import { EDGE_PART_COUNTS } from '../../../../tools/capacity/request-costs.ts';
import { combinations, withValues } from '../template/config-options.ts';
import { type CheckedRequest, matches } from '../template/evaluate-statement.ts';
import { edgeTemplateOf, makeStack, templateOf } from '../template/synthesise.ts';
import { resourcesOf, theOne, type Values, variablesOf } from '../template/template.ts';

const template = edgeTemplateOf('prod');
const { edge: config } = readEnvironmentConfig('prod').config;
const firewall = theOne(template, 'AWS::WAFv2::WebACL').properties;
const rules = firewall.Rules as (Values & {
  Name: string;
  Statement: Record<string, Values>;
  Action?: Values;
})[];
const statementOf = (name: string) => rules.find(({ Name }) => Name === name)?.Statement ?? {};

test('only production has an edge, in the one region of CloudFront', () => {
  for (const name of Object.keys(ENVIRONMENTS)) {
    const environment = readEnvironmentConfig(name);
    expect(makeStack(environment).edge?.region).toBe(environment.config.edge && 'us-east-1');
  }
  expect(Object.keys(ENVIRONMENTS).filter((name) => readEnvironmentConfig(name).config.edge)).toEqual([
    'prod',
  ]);
});

test('each stack refers to nothing of the other, and looks nothing up', () => {
  for (const one of [template, templateOf('prod')]) {
    const text = JSON.stringify(one.toJSON());
    expect(text).not.toMatch(/ImportValue|Custom::|AWS::CloudFormation::CustomResource|"Export"/);
  }
});

describe('the distribution', () => {
  const { DistributionConfig } = theOne(template, 'AWS::CloudFront::Distribution').properties;
  const distribution = DistributionConfig as Values;
  const behavior = distribution.DefaultCacheBehavior as Values;
  const [origin] = distribution.Origins as Values[];

  test('keeps nothing, and passes on every method and every header but Host', () => {
    expect(behavior).toMatchObject({
      AllowedMethods: expect.arrayContaining(['GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE']),
      // AWS's own policies: CachingDisabled, AllViewerExceptHostHeader.
      CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
      ViewerProtocolPolicy: 'https-only',
    });
    expect(distribution).not.toHaveProperty('CacheBehaviors');
    for (const errorResponse of distribution.CustomErrorResponses as Values[])
      expect(errorResponse.ErrorCachingMinTTL).toBe(0);
  });

  test('stands at the viewer, asks the origin over TLS with the secret, and waits longer than API Gateway', () => {
    expect(distribution.Aliases).toEqual([config?.viewer.name]);
    expect(distribution.ViewerCertificate).toMatchObject({
      AcmCertificateArn: config?.viewer.certificateArn,
    });
    expect(origin).toMatchObject({
      DomainName: config?.origin.name,
      CustomOriginConfig: { OriginProtocolPolicy: 'https-only', OriginReadTimeout: 35 },
      OriginCustomHeaders: [
        {
          HeaderName: 'x-origin-secret',
          HeaderValue: '{{resolve:secretsmanager:subscriptions/prod/edge:SecretString:a::}}',
        },
      ],
    });
  });

  test('sends the other secret when configured, and makes CloudFormation read it again', () => {
    const { config: usual } = readEnvironmentConfig('prod');
    if (usual.edge === undefined) throw new Error('no edge');
    const secret = { ...usual.edge.secret, sends: 'b' as const };
    const { edge } = makeStack({ name: 'prod', config: { ...usual, edge: { ...usual.edge, secret } } });
    if (edge === undefined) throw new Error('no edge');
    const sent = JSON.stringify(Template.fromStack(edge).findResources('AWS::CloudFront::Distribution'));
    expect(sent).toContain(':SecretString:b::}}');
  });

  test('has no IPv6: the firewall counts by address', () => {
    expect(distribution.IPV6Enabled).toBe(false);
  });

  test('logs neither query string, nor path, cookie or referrer', () => {
    const { RecordFields } = theOne(template, 'AWS::Logs::Delivery').properties;
    expect(RecordFields).toEqual(expect.arrayContaining(['c-ip', 'sc-status', 'cs-method']));
    expect(String(RecordFields)).not.toMatch(/uri|query|cookie|referer/i);
  });
});

describe('the firewall', () => {
  test('uses two lists of AWS, and neither that of anonymous addresses nor the common rules', () => {
    const lists = rules.flatMap(({ Statement }) => Statement.ManagedRuleGroupStatement?.Name ?? []);
    expect(lists).toEqual(['AWSManagedRulesAmazonIpReputationList', 'AWSManagedRulesKnownBadInputsRuleSet']);
  });

  test('returns the service’s own refusals: 429 with Retry-After, 413 for bodies', () => {
    const bodies = firewall.CustomResponseBodies as Record<string, { Content: string; ContentType: string }>;
    const own: Readonly<Record<string, { readonly status: number }>> = {
      'body-beyond-limit': EDGE_RESPONSES.tooLarge,
      'not-json': EDGE_RESPONSES.notJson,
    };
    const refusing = rules.filter(({ Action }) => Action !== undefined);
    expect(refusing.length).toBe(rules.length - 2);
    for (const { Name, Action } of refusing) {
      const { CustomResponse } = (Action?.Block ?? {}) as { CustomResponse: Values };
      const headers = CustomResponse.ResponseHeaders as { Name: string; Value: string }[];
      const isBody = ['body-beyond-limit', 'not-json'].includes(Name);
      const { status } = own[Name] ?? EDGE_RESPONSES.tooMany;
      expect([Name, CustomResponse.ResponseCode]).toEqual([Name, status]);
      expect(headers).toContainEqual({ Name: 'access-control-allow-origin', Value: '*' });
      expect(headers.find(({ Name: header }) => header === 'retry-after')?.Value).toBe(
        isBody ? undefined : '60',
      );
      const body = bodies[String(CustomResponse.CustomResponseBodyKey)];
      expect(body?.ContentType).toBe('APPLICATION_JSON');
      const { error, errors } = JSON.parse(body?.Content ?? '');
      expect(errors[0].extensions.code).toBe(error.code);
      const codes: Readonly<Record<number, string>> = {
        413: 'PAYLOAD_TOO_LARGE',
        415: 'UNSUPPORTED_MEDIA_TYPE',
      };
      expect(error.code).toBe(codes[status] ?? 'THROTTLED');
    }
  });

  test('shows no samples: they have credentials in them', () => {
    for (const { VisibilityConfig } of [firewall, ...rules])
      expect(VisibilityConfig).toMatchObject({
        SampledRequestsEnabled: false,
        CloudWatchMetricsEnabled: true,
      });
  });

  const paths = [
    ...ROUTES.map(({ path }) => path.replace('{linkId}', 'x')),
    '/',
    '/admin-keys',
    '/x',
    '/api/admin',
  ];
  const request = (method: string, uriPath: string): CheckedRequest => ({
    ...{ method, uriPath, headers: {}, bodyBytes: 0 },
  });

  test.each(RATE_RULES)('counts for $name what the local gateway counts', (rule) => {
    const { name } = rule;
    const { RateBasedStatement: rate = {} } = statementOf(`rate-${name}`);
    expect(rate).toMatchObject({
      ...{ AggregateKeyType: 'IP', Limit: rule.maxRequests, EvaluationWindowSec: rule.windowSeconds },
    });
    for (const method of ['POST', 'GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])
      for (const path of paths) {
        const expected = doesRuleCountRequest(rule, { method, path });
        const encoded = path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
        for (const uriPath of [path, encoded]) {
          const counted = matches(rate.ScopeDownStatement as Values, request(method, uriPath));
          expect([method, uriPath, counted]).toEqual([method, uriPath, expected]);
        }
      }
  });

  test('refuses before it counts what no client sends: a body that is not JSON', () => {
    const names = rules.map(({ Name }) => Name);
    expect(names.indexOf('not-json')).toBeLessThan(names.findIndex((name) => name.startsWith('rate-')));
    const types = [
      'application/json',
      'Application/JSON; charset=utf-8',
      'application/json ;x',
      'text/plain',
    ];
    const others = ['', 'application/jsonp', 'text/plain, application/json', 'application/graphql'];
    for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS'])
      for (const type of [undefined, ...types, ...others]) {
        const headers = type === undefined ? {} : { 'content-type': type };
        const isMatched = matches(statementOf('not-json'), { ...request(method, '/x'), headers });
        expect([method, type, isMatched]).toEqual([method, type, isRejectedForContentType(method, type)]);
      }
  });

  test('bounds bodies by what they say of themselves', () => {
    const verdictFor = (contentLength: string | undefined, bodyBytes: number) =>
      matches(statementOf('body-beyond-limit'), {
        ...request('POST', '/x'),
        headers: contentLength === undefined ? {} : { 'content-length': contentLength },
        bodyBytes,
      });
    expect(verdictFor(undefined, 0)).toBe(false);
    expect(verdictFor('0', 0)).toBe(false);
    expect(verdictFor(`${MAX_BODY_BYTES}`, 16_384)).toBe(false);
    for (const contentLength of [undefined, '', `${MAX_BODY_BYTES + 1}`, '1e1', '-1', '5, 5', '9'.repeat(30)])
      expect([contentLength, verdictFor(contentLength, 1)]).toEqual([contentLength, true]);
  });

  test.each([262_144, 10, 11, 100, 99_999, 100_000, 65_536])(
    'matches numbers up to %d and none above',
    (limit) => {
      const pattern = new RegExp(writePatternUpTo(limit));
      const edges = [0, 1, 9, 10, 99, 100, 1000, 9999, 100_000, 999_999].flatMap((one) => [
        one - 1,
        one,
        one + 1,
      ]);
      for (const number of [...edges, limit - 1, limit, limit + 1].filter((one) => one >= 0))
        expect([number, pattern.test(`${number}`), pattern.test(`00${number}`)]).toEqual([
          number,
          number <= limit,
          number <= limit,
        ]);
    },
  );
});

describe('the service behind an edge', () => {
  const service = templateOf('prod');

  test('has the origin name only, and returns the viewer name to clients', () => {
    expect(theOne(service, 'AWS::ApiGatewayV2::Api').properties.DisableExecuteApiEndpoint).toBe(true);
    expect(theOne(service, 'AWS::ApiGatewayV2::DomainName').properties.DomainName).toBe(config?.origin.name);
    expect(service.findOutputs('BaseUrl').BaseUrl?.Value).toBe(`https://${config?.viewer.name}`);
    expect(variablesOf(service, 'admin-graphql').PUBLIC_BASE_URL).toBe(`https://${config?.viewer.name}`);
  });

  test('knows the edge by two hashes; without one it asks nothing', () => {
    const { a, b } = config?.secret.sha256 ?? {};
    for (const name of ['headless-auth', 'customer-graphql', 'admin-graphql'])
      expect(variablesOf(service, name).EDGE_SECRET_HASHES).toBe(`${a},${b}`);
    expect(JSON.stringify(service.toJSON())).not.toContain('resolve:secretsmanager');
  });

  test('has no edge and no secret in an environment that configures none', () => {
    for (const name of ['dev', 'staging']) {
      const without = templateOf(name);
      const types = Object.values(without.toJSON().Resources as Values[]).map(({ Type }) => String(Type));
      expect(types.filter((type) => /^AWS::(CloudFront|WAF|WAFv2|Logs::Delivery)/.test(type))).toEqual([]);
      expect(JSON.stringify(without.toJSON())).not.toMatch(/EDGE_SECRET|x-origin-secret|\/edge\b/i);
      const api = theOne(without, 'AWS::ApiGatewayV2::Api').properties;
      expect(api).not.toHaveProperty('DisableExecuteApiEndpoint');
    }
  });

  test('is not required: production may have none', () => {
    const without = withValues('prod', combinations.find(({ label }) => label === 'domain')?.values ?? {});
    expect(makeStack(without).edge).toBeUndefined();
  });
});

test('docs/costs.md counts its rules and alarms', () => {
  const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm').length;
  expect({ rules: rules.length, alarms }).toEqual(EDGE_PART_COUNTS);
});

test('every alarm of the edge has its entry in the runbook', () => {
  const runbook = readFileSync('docs/runbook.md', 'utf8');
  for (const { properties } of resourcesOf(template, 'AWS::CloudWatch::Alarm')) {
    const [, kind] = /#([a-z-]+)$/.exec(String(properties.AlarmDescription)) ?? [];
    expect(runbook).toContain(`\n### ${kind}\n`);
  }
});
