/**
 * The HTTP API in two steps: first its address, which the functions need in their environment, then the routes that
 * lead to the functions. The API itself never refers to a function, so the deploy has no circular dependency.
 */
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { DomainName, HttpApi, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { findPublicBaseUrl, type NamedEnvironment } from '../../definition/config.ts';
import type { EnvironmentConfig } from '../../definition/environment-schema.ts';
import { DEFAULT_THROTTLE } from '../../definition/routes.ts';
import { createLogGroup } from './log-group.ts';

export type ServiceApi = {
  readonly api: HttpApi;
  readonly stage: HttpStage;
  readonly accessLog: LogGroup;
  /** The name that the DNS record of the domain must point to, if there is a domain. */
  readonly domainTarget: string | undefined;
  /** The address that clients use, without a slash at its end. */
  readonly baseUrl: string;
};

/**
 * The access log, one line for each request. It omits headers and the query string, which may contain a misplaced
 * credential. It has the route instead of the path, because callers choose the path, and no error message of a
 * function.
 */
const ACCESS_LOG_FIELDS = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  method: '$context.httpMethod',
  route: '$context.routeKey',
  status: '$context.status',
  latencyMs: '$context.responseLatency',
  integrationLatencyMs: '$context.integrationLatency',
  integrationStatus: '$context.integrationStatus',
  error: '$context.error.responseType',
  responseBytes: '$context.responseLength',
  sourceIp: '$context.identity.sourceIp',
};

/**
 * Creates API, stage and access log. There is no CORS setting: it would apply to every route, and the functions handle
 * CORS.
 */
export function createHttpApi(scope: Construct, { name, config }: NamedEnvironment): ServiceApi {
  const httpScope = new Construct(scope, 'Http');
  const api = new HttpApi(httpScope, 'Api', {
    apiName: `subscriptions-${name}`,
    description: 'Subscription management: sign-in, GraphQL for customers and for merchants',
    createDefaultStage: false,
    // With an edge, clients must not reach the API by its default address.
    ...(config.edge && { disableExecuteApiEndpoint: true }),
  });
  const domain = createDomain(httpScope, config);
  // API Gateway may write below this prefix without an entry in the account's single, small resource policy for logs.
  const accessLog = createLogGroup(httpScope, {
    name: `/aws/vendedlogs/subscriptions-${name}/access`,
    retentionKey: 'access',
    config,
  });
  const { ratePerSecond, burst } = config.throttling[DEFAULT_THROTTLE];
  const httpStage = new HttpStage(httpScope, 'Stage', {
    httpApi: api,
    stageName: '$default',
    autoDeploy: true,
    throttle: { rateLimit: ratePerSecond, burstLimit: burst },
    accessLogSettings: {
      destination: new LogGroupLogDestination(accessLog),
      format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG_FIELDS)),
    },
    ...(domain && { domainMapping: { domainName: domain } }),
  });
  return {
    api,
    stage: httpStage,
    accessLog,
    domainTarget: domain?.regionalDomainName,
    baseUrl: findPublicBaseUrl(config) ?? api.apiEndpoint,
  };
}

/**
 * Creates the API's domain name. With an edge, clients use the edge's domain instead, and only the edge uses this one.
 */
function createDomain(
  scope: Construct,
  { domain: ownDomain, edge }: EnvironmentConfig,
): DomainName | undefined {
  const domain = edge?.origin ?? ownDomain;
  if (domain === undefined) return undefined;
  return new DomainName(scope, 'Domain', {
    domainName: domain.name,
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', domain.certificateArn),
  });
}
