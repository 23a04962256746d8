/** List prices that docs/costs.md counts with, and where each can be looked up again. */

export type UnitPrice = ReturnType<typeof createPrice>;

/** The services with several pages of prices. */
const SERVICES_WITH_ON_DEMAND_PAGE = ['dynamodb', 'ec2'];

/** `source` is AWS's page of the price, `seen` the youngest publication found that names the same price. */
function createPrice(usd: number, per: string, service: string, seen?: string) {
  const page = `${service}/pricing/${SERVICES_WITH_ON_DEMAND_PAGE.includes(service) ? 'on-demand/' : ''}`;
  return { usd, per, source: `https://aws.amazon.com/${page}`, seen };
}

/** The prices of each first tier, before any free tier. */
export const prices = {
  lambdaGbSecond: createPrice(0.0000133334, 'GB-second of Lambda, arm64', 'lambda', '2024'),
  lambdaMillion: createPrice(0.2, 'million requests to Lambda', 'lambda', '2024'),
  httpApiMillion: createPrice(
    1,
    'million requests to an HTTP API, each up to 512 KB',
    'api-gateway',
    'May 2025',
  ),
  readMillion: createPrice(0.125, 'million read request units of DynamoDB', 'dynamodb', 'July 2025'),
  writeMillion: createPrice(0.625, 'million write request units of DynamoDB', 'dynamodb', 'July 2025'),
  warmRead: createPrice(0.00013, 'read unit a second that a table is warmed by, once', 'dynamodb'),
  warmWrite: createPrice(0.00065, 'write unit a second that a table is warmed by, once', 'dynamodb'),
  tableGbMonth: createPrice(0.25, 'GB in the table a month', 'dynamodb'),
  recoveryGbMonth: createPrice(0.2, 'GB of point-in-time recovery a month', 'dynamodb'),
  logGb: createPrice(0.5, 'GB of log', 'cloudwatch', 'June 2026'),
  metricMonth: createPrice(0.3, 'metric of our own a month', 'cloudwatch', 'February 2026'),
  alarmMonth: createPrice(0.1, "alarm's metric a month", 'cloudwatch'),
  compositeAlarmMonth: createPrice(0.5, 'composite alarm a month', 'cloudwatch'),
  dashboardMonth: createPrice(3, 'dashboard a month', 'cloudwatch', 'June 2026'),
  secretMonth: createPrice(0.4, 'secret a month', 'secrets-manager', '2026'),
  secretCalls10k: createPrice(0.05, '10,000 calls to Secrets Manager', 'secrets-manager', '2026'),
  keyMonth: createPrice(1, 'key of KMS a month', 'kms', 'June 2026'),
  webAclMonth: createPrice(5, 'web ACL of WAF a month', 'waf', '2026'),
  webAclRuleMonth: createPrice(1, 'rule of a web ACL a month', 'waf', '2026'),
  webAclMillion: createPrice(0.6, 'million requests that a web ACL looks at', 'waf', '2026'),
  // CloudFront charges nothing for what the firewall refuses, since 25 October 2024 (docs/costs.md).
  edgeMillion: createPrice(1, 'million HTTPS requests to CloudFront, United States', 'cloudfront'),
  edgeGb: createPrice(0.085, 'GB that CloudFront sends, United States and Europe', 'cloudfront'),
  transferGb: createPrice(0.09, 'GB sent to the internet', 'ec2', 'May 2025'),
} as const satisfies Readonly<Record<string, UnitPrice>>;
