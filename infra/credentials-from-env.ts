/**
 * Stands in for `@aws-sdk/credential-provider-node` in the bundles. A Lambda finds its credentials in the
 * environment; profiles, SSO, containers and instance metadata would only be loaded, never used.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
