/** Records of webhooks: what a store's app wants to be told, and where. */

/** Made by `webhookSubscriptionCreate`, for one shop. */
export type WebhookSubscriptionRecord = {
  __typename: 'WebhookSubscription';
  id: number;
  /** As the schema's enum has it, for example `SUBSCRIPTION_CONTRACTS_PAUSE`. */
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

/** What `shopify.app.toml` names, for every shop of the app; here by shop, because each shop has an app of its own. */
export type AppWebhooks = {
  uri: string;
  /** As headers have them, for example `subscription_contracts/pause`. */
  topics: string[];
  complianceTopics: string[];
  apiVersion: string;
};
