/** List prices that docs/costs.md counts with, and where each can be looked up again. */

export type Price = ReturnType<typeof price>;

/** The services with several pages of prices. */
const ON_DEMAND = ['dynamodb', 'ec2'];

/** `source` is AWS's page of the price, `seen` the youngest publication found that names the same price. */
function price(usd: number, per: string, service: string, seen?: string) {
  const page = `${service}/pricing/${ON_DEMAND.includes(service) ? 'on-demand/' : ''}`;
  return { usd, per, source: `https://aws.amazon.com/${page}`, seen };
}

/** The prices of each first tier, before any free tier. */
export const prices = {
  lambdaGbSecond: price(0.0000133334, 'GB-second of Lambda, arm64', 'lambda', '2024'),
  lambdaMillion: price(0.2, 'million requests to Lambda', 'lambda', '2024'),
  httpApiMillion: price(1, 'million requests to an HTTP API, each up to 512 KB', 'api-gateway', 'May 2025'),
  readMillion: price(0.125, 'million read request units of DynamoDB', 'dynamodb', 'July 2025'),
  writeMillion: price(0.625, 'million write request units of DynamoDB', 'dynamodb', 'July 2025'),
  warmRead: price(0.00013, 'read unit a second that a table is warmed by, once', 'dynamodb'),
  warmWrite: price(0.00065, 'write unit a second that a table is warmed by, once', 'dynamodb'),
  tableGbMonth: price(0.25, 'GB in the table a month', 'dynamodb'),
  recoveryGbMonth: price(0.2, 'GB of point-in-time recovery a month', 'dynamodb'),
  logGb: price(0.5, 'GB of log', 'cloudwatch', 'June 2026'),
  metricMonth: price(0.3, 'metric of our own a month', 'cloudwatch', 'February 2026'),
  alarmMonth: price(0.1, "alarm's metric a month", 'cloudwatch'),
  compositeAlarmMonth: price(0.5, 'composite alarm a month', 'cloudwatch'),
  dashboardMonth: price(3, 'dashboard a month', 'cloudwatch', 'June 2026'),
  secretMonth: price(0.4, 'secret a month', 'secrets-manager', '2026'),
  secretCalls10k: price(0.05, '10,000 calls to Secrets Manager', 'secrets-manager', '2026'),
  keyMonth: price(1, 'key of KMS a month', 'kms', 'June 2026'),
  webAclMonth: price(5, 'web ACL of WAF a month', 'waf', '2026'),
  webAclRuleMonth: price(1, 'rule of a web ACL a month', 'waf', '2026'),
  webAclMillion: price(0.6, 'million requests that a web ACL looks at', 'waf', '2026'),
  // CloudFront charges nothing for what the firewall refuses, since 25 October 2024 (docs/costs.md).
  edgeMillion: price(1, 'million HTTPS requests to CloudFront, United States', 'cloudfront'),
  edgeGb: price(0.085, 'GB that CloudFront sends, United States and Europe', 'cloudfront'),
  transferGb: price(0.09, 'GB sent to the internet', 'ec2', 'May 2025'),
} as const satisfies Readonly<Record<string, Price>>;
