/** The topics that the emulated platform sends, and the scope of each. */

const CONTRACTS_SCOPE = 'read_own_subscription_contracts';
const PAYMENT_METHODS_SCOPE = 'read_customer_payment_methods';

const topicScopesUnderPrefix = (prefix: string, scope: string | undefined, names: readonly string[]) =>
  names.map((name) => [`${prefix}/${name}`, scope] as const);

/** The scope by topic; undefined when a topic needs no scope. */
const SCOPE_BY_TOPIC: ReadonlyMap<string, string | undefined> = new Map([
  ...topicScopesUnderPrefix('subscription_contracts', CONTRACTS_SCOPE, [
    ...['create', 'update', 'activate', 'pause', 'cancel', 'expire', 'fail'],
  ]),
  ...topicScopesUnderPrefix('subscription_billing_attempts', CONTRACTS_SCOPE, [
    'success',
    'failure',
    'challenged',
  ]),
  ...topicScopesUnderPrefix('subscription_billing_cycles', CONTRACTS_SCOPE, ['skip', 'unskip']),
  ...topicScopesUnderPrefix('subscription_billing_cycle_edits', CONTRACTS_SCOPE, [
    'create',
    'update',
    'delete',
  ]),
  ...topicScopesUnderPrefix('customer_payment_methods', PAYMENT_METHODS_SCOPE, [
    'create',
    'update',
    'revoke',
  ]),
  ...topicScopesUnderPrefix('app', undefined, ['uninstalled', 'scopes_update']),
  ...topicScopesUnderPrefix('shop', undefined, ['update']),
]);

/** Topics that only the app's TOML can subscribe to. */
export const COMPLIANCE_TOPICS = ['customers/data_request', 'customers/redact', 'shop/redact'] as const;
export type ComplianceTopic = (typeof COMPLIANCE_TOPICS)[number];

export const KNOWN_TOPICS: readonly string[] = [...SCOPE_BY_TOPIC.keys()];

export function findTopicScope(topic: string): string | undefined {
  return SCOPE_BY_TOPIC.get(topic);
}

/** Returns the enum value of the schema. */
export function formatTopicEnum(topic: string): string {
  return topic.replace('/', '_').toUpperCase();
}

/**
 * Returns the topic of an enum value.
 * @returns undefined when the emulated platform never sends the topic
 */
export function findTopicOfEnum(value: string): string | undefined {
  return KNOWN_TOPICS.find((topic) => formatTopicEnum(topic) === value);
}
