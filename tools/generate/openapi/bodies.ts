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
const keywordRegistry = z.registry<Readonly<Record<string, unknown>>>();
keywordRegistry.add(tokenRequestSchema.shape.refreshToken, { maxLength: 2_048 });
keywordRegistry.add(tokenRequestSchema.shape.customerId, {
  anyOf: [
    { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    { type: 'string', pattern: '^[1-9][0-9]{0,15}$' },
  ],
});

const textSchema = z.string();
const uriSchema = z.string().register(keywordRegistry, { format: 'uri' });
const dateTimeSchema = z.string().register(keywordRegistry, { format: 'date-time' });
const anyObjectSchema = z.record(textSchema, z.unknown());
const nullableObjectSchema = z.optional(z.nullable(anyObjectSchema));
const errorEntrySchema = z.strictObject({
  message: textSchema,
  path: z.optional(z.array(z.union([textSchema, z.int()]))),
  locations: z.optional(z.array(z.strictObject({ line: z.int(), column: z.int() }))),
  extensions: z.looseObject({ code: textSchema }),
});
const errorsSchema = z.optional(z.array(errorEntrySchema));

export const bodySchemas = {
  StartRequest: startRequestSchema,
  ExchangeRequest: exchangeRequestSchema,
  TokenRequest: tokenRequestSchema,
  StorefrontTokenRequest: storefrontTokenRequestSchema,
  ClaimRequest: claimRequestSchema,
  GraphqlRequest: z.object({
    query: textSchema.check(z.regex(/\S/)),
    operationName: z.optional(z.nullable(textSchema.check(z.regex(/^([A-Za-z_][A-Za-z0-9_]*)?$/)))),
    variables: nullableObjectSchema,
    extensions: nullableObjectSchema,
  }),
  StartedSignIn: z.strictObject({
    ...{
      authUrl: uriSchema,
      verifier: textSchema,
      nonce: textSchema,
      state: textSchema,
      redirectUri: textSchema,
    },
  }),
  Tokens: z.strictObject({
    ...{
      accessToken: textSchema,
      refreshToken: textSchema,
      customerId: z.int().check(z.positive()),
      expiresAt: dateTimeSchema,
    },
  }),
  Revoked: z.strictObject({ revoked: z.literal(true) }),
  StorefrontToken: z.strictObject({ storefrontAccessToken: textSchema, shop: textSchema }),
  OpenedKey: z.strictObject({ sealedKey: textSchema, keyId: textSchema, label: textSchema }),
  Health: z.strictObject({ status: z.literal('ok'), version: textSchema }),
  // With an edge, its responses have `error` and `errors`.
  RestError: z.strictObject({
    error: z.strictObject({ code: textSchema, message: textSchema, requestId: z.optional(textSchema) }),
    errors: errorsSchema,
  }),
  GraphqlAnswer: z.strictObject({
    data: nullableObjectSchema,
    errors: errorsSchema,
    extensions: z.optional(anyObjectSchema),
    error: z.optional(z.strictObject({ code: textSchema, message: textSchema })),
  }),
};
export type BodyName = keyof typeof bodySchemas;

export type JsonSchema = {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
} & Readonly<Record<string, unknown>>;

/** Converts a body to JSON Schema (draft 2020-12, the dialect of OpenAPI 3.1). */
export function toJsonSchema(name: BodyName): JsonSchema {
  const schemaOptions = { io: 'input', unrepresentable: 'any', metadata: keywordRegistry } as const;
  const { $schema: _dialect, ...schema } = z.toJSONSchema<z.ZodMiniType>(bodySchemas[name], schemaOptions);
  return schema as JsonSchema;
}
