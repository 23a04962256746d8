/** List prices that docs/costs.md counts with, and where each can be looked up again. */

export type Price = {
  readonly usd: number;
  readonly per: string;
  /** The page where AWS publishes the price. */
  readonly source: string;
  /** Date of the youngest publication seen that names the same price; absent: none was looked for. */
  readonly seen?: string;
};

const LAMBDA = 'https://aws.amazon.com/lambda/pricing/';
const DYNAMO_DB = 'https://aws.amazon.com/dynamodb/pricing/on-demand/';
const CLOUD_WATCH = 'https://aws.amazon.com/cloudwatch/pricing/';
const WAF = 'https://aws.amazon.com/waf/pricing/';
const CLOUD_FRONT = 'https://aws.amazon.com/cloudfront/pricing/';
const SECRETS = 'https://aws.amazon.com/secrets-manager/pricing/';

/** The prices of each first tier, before any free tier. */
export const prices = {
  lambdaGbSecond: { usd: 0.0000133334, per: 'GB-second of Lambda, arm64', seen: '2024', source: LAMBDA },
  lambdaMillion: { usd: 0.2, per: 'million requests to Lambda', seen: '2024', source: LAMBDA },
  httpApiMillion: {
    usd: 1,
    per: 'million requests to an HTTP API, each up to 512 KB',
    seen: 'May 2025',
    source: 'https://aws.amazon.com/api-gateway/pricing/',
  },
  readMillion: {
    usd: 0.125,
    per: 'million read request units of DynamoDB',
    seen: 'July 2025',
    source: DYNAMO_DB,
  },
  writeMillion: {
    usd: 0.625,
    per: 'million write request units of DynamoDB',
    seen: 'July 2025',
    source: DYNAMO_DB,
  },
  warmRead: {
    usd: 0.00013,
    per: 'read unit a second that a table is warmed by, once',
    source: DYNAMO_DB,
  },
  warmWrite: {
    usd: 0.00065,
    per: 'write unit a second that a table is warmed by, once',
    source: DYNAMO_DB,
  },
  tableGbMonth: { usd: 0.25, per: 'GB in the table a month', source: DYNAMO_DB },
  recoveryGbMonth: { usd: 0.2, per: 'GB of point-in-time recovery a month', source: DYNAMO_DB },
  logGb: { usd: 0.5, per: 'GB of log', seen: 'June 2026', source: CLOUD_WATCH },
  metricMonth: { usd: 0.3, per: 'metric of our own a month', seen: 'February 2026', source: CLOUD_WATCH },
  alarmMonth: { usd: 0.1, per: "alarm's metric a month", source: CLOUD_WATCH },
  compositeAlarmMonth: { usd: 0.5, per: 'composite alarm a month', source: CLOUD_WATCH },
  traceMillion: {
    usd: 5,
    per: 'million traces recorded by X-Ray',
    seen: '2026',
    source: 'https://aws.amazon.com/xray/pricing/',
  },
  dashboardMonth: { usd: 3, per: 'dashboard a month', seen: 'June 2026', source: CLOUD_WATCH },
  secretMonth: { usd: 0.4, per: 'secret a month', seen: '2026', source: SECRETS },
  secretCalls10k: { usd: 0.05, per: '10,000 calls to Secrets Manager', seen: '2026', source: SECRETS },
  keyMonth: {
    usd: 1,
    per: 'key of KMS a month',
    seen: 'June 2026',
    source: 'https://aws.amazon.com/kms/pricing/',
  },
  webAclMonth: { usd: 5, per: 'web ACL of WAF a month', seen: '2026', source: WAF },
  webAclRuleMonth: { usd: 1, per: 'rule of a web ACL a month', seen: '2026', source: WAF },
  webAclMillion: { usd: 0.6, per: 'million requests that a web ACL looks at', seen: '2026', source: WAF },
  // Not those that the firewall refuses, since 25 October 2024: https://aws.amazon.com/about-aws/whats-new/2024/11/amazon-cloudfront-charges-requests-blocked-aws-waf/
  edgeMillion: { usd: 1, per: 'million HTTPS requests to CloudFront, United States', source: CLOUD_FRONT },
  edgeGb: { usd: 0.085, per: 'GB that CloudFront sends, United States and Europe', source: CLOUD_FRONT },
  transferGb: {
    usd: 0.09,
    per: 'GB sent to the internet',
    seen: 'May 2025',
    source: 'https://aws.amazon.com/ec2/pricing/on-demand/',
  },
} as const satisfies Readonly<Record<string, Price>>;
