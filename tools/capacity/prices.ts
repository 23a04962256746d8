/** List prices that docs/costs.md counts with, and where each can be looked up again. */

export type Price = ReturnType<typeof price>;

const LAMBDA = 'https://aws.amazon.com/lambda/pricing/';
const DYNAMO_DB = 'https://aws.amazon.com/dynamodb/pricing/on-demand/';
const CLOUD_WATCH = 'https://aws.amazon.com/cloudwatch/pricing/';
const WAF = 'https://aws.amazon.com/waf/pricing/';
const CLOUD_FRONT = 'https://aws.amazon.com/cloudfront/pricing/';
const SECRETS = 'https://aws.amazon.com/secrets-manager/pricing/';
const API_GATEWAY = 'https://aws.amazon.com/api-gateway/pricing/';
const X_RAY = 'https://aws.amazon.com/xray/pricing/';
const KMS = 'https://aws.amazon.com/kms/pricing/';
const TRANSFER = 'https://aws.amazon.com/ec2/pricing/on-demand/';

/** `source` is AWS's page of the price, `seen` the youngest publication found that names the same price. */
function price(usd: number, per: string, source: string, seen?: string) {
  return { usd, per, source, seen };
}

/** The prices of each first tier, before any free tier. */
export const prices = {
  lambdaGbSecond: price(0.0000133334, 'GB-second of Lambda, arm64', LAMBDA, '2024'),
  lambdaMillion: price(0.2, 'million requests to Lambda', LAMBDA, '2024'),
  httpApiMillion: price(1, 'million requests to an HTTP API, each up to 512 KB', API_GATEWAY, 'May 2025'),
  readMillion: price(0.125, 'million read request units of DynamoDB', DYNAMO_DB, 'July 2025'),
  writeMillion: price(0.625, 'million write request units of DynamoDB', DYNAMO_DB, 'July 2025'),
  warmRead: price(0.00013, 'read unit a second that a table is warmed by, once', DYNAMO_DB),
  warmWrite: price(0.00065, 'write unit a second that a table is warmed by, once', DYNAMO_DB),
  tableGbMonth: price(0.25, 'GB in the table a month', DYNAMO_DB),
  recoveryGbMonth: price(0.2, 'GB of point-in-time recovery a month', DYNAMO_DB),
  logGb: price(0.5, 'GB of log', CLOUD_WATCH, 'June 2026'),
  metricMonth: price(0.3, 'metric of our own a month', CLOUD_WATCH, 'February 2026'),
  alarmMonth: price(0.1, "alarm's metric a month", CLOUD_WATCH),
  compositeAlarmMonth: price(0.5, 'composite alarm a month', CLOUD_WATCH),
  traceMillion: price(5, 'million traces recorded by X-Ray', X_RAY, '2026'),
  dashboardMonth: price(3, 'dashboard a month', CLOUD_WATCH, 'June 2026'),
  secretMonth: price(0.4, 'secret a month', SECRETS, '2026'),
  secretCalls10k: price(0.05, '10,000 calls to Secrets Manager', SECRETS, '2026'),
  keyMonth: price(1, 'key of KMS a month', KMS, 'June 2026'),
  webAclMonth: price(5, 'web ACL of WAF a month', WAF, '2026'),
  webAclRuleMonth: price(1, 'rule of a web ACL a month', WAF, '2026'),
  webAclMillion: price(0.6, 'million requests that a web ACL looks at', WAF, '2026'),
  // CloudFront charges nothing for what the firewall refuses, since 25 October 2024 (docs/costs.md).
  edgeMillion: price(1, 'million HTTPS requests to CloudFront, United States', CLOUD_FRONT),
  edgeGb: price(0.085, 'GB that CloudFront sends, United States and Europe', CLOUD_FRONT),
  transferGb: price(0.09, 'GB sent to the internet', TRANSFER, 'May 2025'),
} as const satisfies Readonly<Record<string, Price>>;
