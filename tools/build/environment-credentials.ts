/**
 * What stands in the bundles for the SDK's chain of credential providers: Lambda puts a function's credentials into its
 * environment, and the other links of the chain (profiles, single sign-on, instance metadata) are a tenth of a bundle.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
