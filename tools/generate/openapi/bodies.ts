/**
 * The schemas of the bodies of the REST routes and of GraphQL requests, by their names in docs/openapi.json. Requests
 * have the schemas that the functions parse with; tests compare real responses with the schemas of responses.
 */
import * as z from 'zod/mini';
import { claimRequestSchema } from '../../../functions/admin-graphql/claim/parse-claim.ts';
import {
  exchangeRequestSchema,
  startRequestSchema,
  storefrontTokenRequestSchema,
  tokenRequestSchema,
} from '../../../functions/headless-auth/request-schemas.ts';

/** Keywords for checks that only code can make. A parser counts bytes: every valid token is ASCII. */
const keywords = z.registry<Readonly<Record<string, unknown>>>();
keywords.add(tokenRequestSchema.shape.refreshToken, { maxLength: 2_048 });
keywords.add(tokenRequestSchema.shape.customerId, {
  anyOf: [
    { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    { type: 'string', pattern: '^[1-9][0-9]{0,15}$' },
  ],
});

const text = z.string();
const uri = z.string().register(keywords, { format: 'uri' });
const dateTime = z.string().register(keywords, { format: 'date-time' });
const anyObject = z.record(text, z.unknown());
const nullableObject = z.optional(z.nullable(anyObject));
const errorEntry = z.strictObject({
  message: text,
  path: z.optional(z.array(z.union([text, z.int()]))),
  locations: z.optional(z.array(z.strictObject({ line: z.int(), column: z.int() }))),
  extensions: z.looseObject({ code: text }),
});
const errors = z.optional(z.array(errorEntry));

export const bodies = {
  StartRequest: startRequestSchema,
  ExchangeRequest: exchangeRequestSchema,
  TokenRequest: tokenRequestSchema,
  StorefrontTokenRequest: storefrontTokenRequestSchema,
  ClaimRequest: claimRequestSchema,
  GraphqlRequest: z.object({
    query: text.check(z.regex(/\S/)),
    operationName: z.optional(z.nullable(text.check(z.regex(/^([A-Za-z_][A-Za-z0-9_]*)?$/)))),
    variables: nullableObject,
    extensions: nullableObject,
  }),
  StartedSignIn: z.strictObject({
    ...{ authUrl: uri, verifier: text, nonce: text, state: text, redirectUri: text },
  }),
  Tokens: z.strictObject({
    ...{
      accessToken: text,
      refreshToken: text,
      customerId: z.int().check(z.positive()),
      expiresAt: dateTime,
    },
  }),
  Revoked: z.strictObject({ revoked: z.literal(true) }),
  StorefrontToken: z.strictObject({ storefrontAccessToken: text, shop: text }),
  OpenedKey: z.strictObject({ sealedKey: text, keyId: text, label: text }),
  Health: z.strictObject({ status: z.literal('ok'), version: text }),
  // With an edge, its responses have `error` and `errors`.
  RestError: z.strictObject({
    error: z.strictObject({ code: text, message: text, requestId: z.optional(text) }),
    errors,
  }),
  GraphqlAnswer: z.strictObject({
    data: nullableObject,
    errors,
    extensions: z.optional(anyObject),
    error: z.optional(z.strictObject({ code: text, message: text })),
  }),
};
export type BodyName = keyof typeof bodies;

export type JsonSchema = {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
} & Readonly<Record<string, unknown>>;

/** Converts a body to JSON Schema (draft 2020-12, the dialect of OpenAPI 3.1). */
export function toJsonSchema(name: BodyName): JsonSchema {
  const options = { io: 'input', unrepresentable: 'any', metadata: keywords } as const;
  const { $schema: _dialect, ...schema } = z.toJSONSchema<z.ZodMiniType>(bodies[name], options);
  return schema as JsonSchema;
}
