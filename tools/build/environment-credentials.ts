/**
 * Replaces the SDK's chain of credential providers in the bundles: Lambda puts a function's credentials into its
 * environment, and the other providers (profiles, single sign-on, instance metadata) would be a tenth of a bundle.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
