/**
 * A right that is taken out of the test files that hold rights, for example `customer-graphql PutItem COOLDOWN`:
 * taken-out/each-right.scale.test.ts takes out each in turn.
 */
export const { WITHOUT_RIGHT = '' } = process.env;
