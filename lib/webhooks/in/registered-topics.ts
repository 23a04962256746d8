/** The topics that a store's webhooks are registered for, and what the platform wants for each. */
import { knownTopics } from './read-marked-object.ts';

/** Where the service takes webhooks, below its own address. */
export const WEBHOOKS_PATH = '/platform/webhooks';

/** They exist in an app's TOML alone: the API refuses them. */
export const complianceTopics: readonly string[] = [
  'customers/data_request',
  'customers/redact',
  'shop/redact',
];

/** All others, in the order of the table of topics. */
export const registeredTopics: readonly string[] = knownTopics.filter(
  (topic) => !complianceTopics.includes(topic),
);

/** The scope without which a topic cannot be registered; undefined: none is needed. */
export function scopeOfTopic(topic: string): string | undefined {
  if (topic.startsWith('subscription_')) return 'read_own_subscription_contracts';
  return topic.startsWith('customer_payment_methods/') ? 'read_customer_payment_methods' : undefined;
}

/** The name of a topic in the platform's schema. */
export function topicEnum(topic: string): string {
  return topic.replace('/', '_').toUpperCase();
}
