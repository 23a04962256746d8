/** The topics that the emulated platform sends, and the scope of each. */

const CONTRACTS_SCOPE = 'read_own_subscription_contracts';
const PAYMENT_METHODS_SCOPE = 'read_customer_payment_methods';

const topicsUnderPrefix = (family: string, scope: string | undefined, names: readonly string[]) =>
  names.map((name) => [`${family}/${name}`, scope] as const);

/** The scope by topic; undefined when a topic needs no scope. */
const scopeByTopic: ReadonlyMap<string, string | undefined> = new Map([
  ...topicsUnderPrefix('subscription_contracts', CONTRACTS_SCOPE, [
    ...['create', 'update', 'activate', 'pause', 'cancel', 'expire', 'fail'],
  ]),
  ...topicsUnderPrefix('subscription_billing_attempts', CONTRACTS_SCOPE, [
    'success',
    'failure',
    'challenged',
  ]),
  ...topicsUnderPrefix('subscription_billing_cycles', CONTRACTS_SCOPE, ['skip', 'unskip']),
  ...topicsUnderPrefix('subscription_billing_cycle_edits', CONTRACTS_SCOPE, ['create', 'update', 'delete']),
  ...topicsUnderPrefix('customer_payment_methods', PAYMENT_METHODS_SCOPE, ['create', 'update', 'revoke']),
  ...topicsUnderPrefix('app', undefined, ['uninstalled', 'scopes_update']),
  ...topicsUnderPrefix('shop', undefined, ['update']),
]);

/** Topics that only the app's TOML can subscribe to. */
export const complianceTopics = ['customers/data_request', 'customers/redact', 'shop/redact'] as const;
export type ComplianceTopic = (typeof complianceTopics)[number];

export const knownTopics: readonly string[] = [...scopeByTopic.keys()];

export function topicScope(topic: string): string | undefined {
  return scopeByTopic.get(topic);
}

/** Returns the enum value of the schema. */
export function topicEnum(topic: string): string {
  return topic.replace('/', '_').toUpperCase();
}

/**
 * Returns the topic of an enum value.
 * @returns undefined when the emulated platform never sends the topic
 */
export function topicOfEnum(value: string): string | undefined {
  return knownTopics.find((topic) => topicEnum(topic) === value);
}
