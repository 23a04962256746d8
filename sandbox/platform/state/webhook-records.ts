/** Records of webhooks: the topics and addresses that a store's app subscribed to. */

/** Created by `webhookSubscriptionCreate`, for one shop. */
export type WebhookSubscriptionRecord = {
  __typename: 'WebhookSubscription';
  id: number;
  /** As in the schema's enum, for example `SUBSCRIPTION_CONTRACTS_PAUSE`. */
  topic: string;
  uri: string;
  format: 'JSON' | 'XML';
  filter: string | null;
  includeFields: string[];
  metafieldNamespaces: string[];
  name: string | null;
  createdAt: string;
  updatedAt: string;
};

/**
 * The subscriptions of `shopify.app.toml`, which apply to every shop of the app; here by shop, because each shop has
 * its own app.
 */
export type AppWebhooks = {
  uri: string;
  /** As in headers, for example `subscription_contracts/pause`. */
  topics: string[];
  complianceTopics: string[];
  apiVersion: string;
};
