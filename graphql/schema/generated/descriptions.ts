// Generated from graphql/schema/*.graphql by `npm run generate`: change those.
import type { Descriptions } from '../build-schema.ts';

export const descriptions: Descriptions = JSON.parse(`{
"String":"The \`String\` scalar type represents textual data, represented as UTF-8 character sequences. The String type is most often used by GraphQL to represent free-form human-readable text.",
"Int":"The \`Int\` scalar type represents non-fractional signed whole numeric values. Int can represent values between -(2^31) and 2^31 - 1.",
"Boolean":"The \`Boolean\` scalar type represents \`true\` or \`false\`.",
"ID":"The \`ID\` scalar type represents a unique identifier, often used to refetch an object or as key for a cache. The ID type appears in a JSON response as a String; however, it is not intended to be human-readable. When expected as an input type, any string (such as \`\\"4\\"\`) or integer (such as \`4\`) input value will be accepted as an ID.",
"Float":"The \`Float\` scalar type represents signed double-precision fractional values as specified by [IEEE 754](https://en.wikipedia.org/wiki/IEEE_floating_point).",
"Owner":"How the owner of an object is found.",
"Owner.CUSTOMER":"The id names the customer.",
"Owner.NODE":"The object leads to its customer by itself.",
"Owner.ADDRESS":"An address of the customer that the same arguments name.",
"Owner.LINE":"A line of the contract or draft that the same arguments name.",
"Owner.DISCOUNT":"A discount of the contract or draft that the same arguments name.",
"Owner.NOBODY":"Nobody owns such objects: variants, locations, markets, plans."
}`);
