/** The registration of the service's endpoint for the platform's webhooks: its path, its topics and their scopes. */
import { PROCESSED_TOPICS } from './read-changed-object.ts';

/** The path of the endpoint. */
export const PLATFORM_WEBHOOKS_PATH = '/platform/webhooks';

/** Topics that can only be registered in an app's TOML: the API refuses them. */
export const COMPLIANCE_TOPICS: readonly string[] = [
  'customers/data_request',
  'customers/redact',
  'shop/redact',
];

/** The topics that are registered by the API: all processed topics, except those of the TOML. */
export const TOPICS_TO_REGISTER: readonly string[] = PROCESSED_TOPICS.filter(
  (topic) => !COMPLIANCE_TOPICS.includes(topic),
);

/**
 * Returns the scope that a topic requires.
 * @returns undefined when it requires none
 */
export function requiredScopeOfTopic(topic: string): string | undefined {
  if (topic.startsWith('subscription_')) return 'read_own_subscription_contracts';
  return topic.startsWith('customer_payment_methods/') ? 'read_customer_payment_methods' : undefined;
}

/** Returns the name of a topic in the platform's schema. */
export function topicEnumName(topic: string): string {
  return topic.replace('/', '_').toUpperCase();
}
