/**
 * A right that is taken out, to see which test fails: for example `customer-graphql PutItem COOLDOWN`, or
 * `headless-auth GetSecretValue token-keys`. each-right.scale.test.ts takes out each in turn.
 */
export const { WITHOUT_RIGHT = '' } = process.env;
