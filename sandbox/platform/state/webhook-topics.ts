/** The topics that the emulated platform sends, and the scope of each. */

const CONTRACTS = 'read_own_subscription_contracts';
const PAYMENT_METHODS = 'read_customer_payment_methods';

const under = (family: string, scope: string | undefined, names: readonly string[]) =>
  names.map((name) => [`${family}/${name}`, scope] as const);

/** The scope by topic; undefined when a topic needs no scope. */
const scopes: ReadonlyMap<string, string | undefined> = new Map([
  ...under('subscription_contracts', CONTRACTS, [
    ...['create', 'update', 'activate', 'pause', 'cancel', 'expire', 'fail'],
  ]),
  ...under('subscription_billing_attempts', CONTRACTS, ['success', 'failure', 'challenged']),
  ...under('subscription_billing_cycles', CONTRACTS, ['skip', 'unskip']),
  ...under('subscription_billing_cycle_edits', CONTRACTS, ['create', 'update', 'delete']),
  ...under('customer_payment_methods', PAYMENT_METHODS, ['create', 'update', 'revoke']),
  ...under('app', undefined, ['uninstalled', 'scopes_update']),
  ...under('shop', undefined, ['update']),
]);

/** Topics that only the app's TOML can subscribe to. */
export const complianceTopics = ['customers/data_request', 'customers/redact', 'shop/redact'] as const;
export type ComplianceTopic = (typeof complianceTopics)[number];

export const knownTopics: readonly string[] = [...scopes.keys()];

export function topicScope(topic: string): string | undefined {
  return scopes.get(topic);
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
