/** The topics for which a store's webhooks are registered, and the platform's requirements for each. */
import { knownTopics } from './read-changed-object.ts';

/** The path of the service's webhook endpoint. */
export const WEBHOOKS_PATH = '/platform/webhooks';

/** They can only be registered in an app's TOML: the API refuses them. */
export const complianceTopics: readonly string[] = [
  'customers/data_request',
  'customers/redact',
  'shop/redact',
];

/** All other topics, in the order of the table of topics. */
export const registeredTopics: readonly string[] = knownTopics.filter(
  (topic) => !complianceTopics.includes(topic),
);

/**
 * Returns the scope that a topic requires.
 * @returns undefined when it requires none
 */
export function scopeOfTopic(topic: string): string | undefined {
  if (topic.startsWith('subscription_')) return 'read_own_subscription_contracts';
  return topic.startsWith('customer_payment_methods/') ? 'read_customer_payment_methods' : undefined;
}

/** Returns the name of a topic in the platform's schema. */
export function topicEnum(topic: string): string {
  return topic.replace('/', '_').toUpperCase();
}
