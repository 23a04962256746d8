/**
 * The bodies of the REST routes, and of a GraphQL request, as schemas of the document. Requests are the schemas that the
 * functions parse with; answers are described here, and a test holds what the handlers answer against them.
 */
import * as z from 'zod/mini';
import { claimRequest } from '../../../functions/admin-graphql/claim/parse-claim.ts';
import {
  exchangeRequest,
  startRequest,
  storefrontTokenRequest,
  tokenRequest,
} from '../../../functions/headless-auth/request-schemas.ts';

const errorEntry = z.strictObject({
  message: z.string(),
  path: z.optional(z.array(z.union([z.string(), z.int()]))),
  locations: z.optional(z.array(z.strictObject({ line: z.int(), column: z.int() }))),
  extensions: z.looseObject({ code: z.string() }),
});

/** By the name that each has in the document. */
export const bodySchemas = {
  StartRequest: startRequest,
  ExchangeRequest: exchangeRequest,
  TokenRequest: tokenRequest,
  StorefrontTokenRequest: storefrontTokenRequest,
  ClaimRequest: claimRequest,
  GraphqlRequest: z.object({
    query: z.string().check(z.regex(/\S/)),
    operationName: z.optional(z.nullable(z.string().check(z.regex(/^([A-Za-z_][A-Za-z0-9_]*)?$/)))),
    variables: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
    extensions: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
  }),
  StartedSignIn: z.strictObject({
    authUrl: z.string(),
    verifier: z.string(),
    nonce: z.string(),
    state: z.string(),
    redirectUri: z.string(),
  }),
  Tokens: z.strictObject({
    accessToken: z.string(),
    refreshToken: z.string(),
    customerId: z.int().check(z.positive()),
    expiresAt: z.string(),
  }),
  Revoked: z.strictObject({ revoked: z.literal(true) }),
  StorefrontToken: z.strictObject({ storefrontAccessToken: z.string(), shop: z.string() }),
  OpenedKey: z.strictObject({ sealedKey: z.string(), keyId: z.string(), label: z.string() }),
  Health: z.strictObject({ status: z.literal('ok'), version: z.string() }),
  RestError: z.strictObject({
    error: z.strictObject({ code: z.string(), message: z.string(), requestId: z.optional(z.string()) }),
    // The edge does not know which kind of body a client reads, and answers with both.
    errors: z.optional(z.array(errorEntry)),
  }),
  GraphqlAnswer: z.strictObject({
    data: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
    errors: z.optional(z.array(errorEntry)),
    extensions: z.optional(z.record(z.string(), z.unknown())),
    error: z.optional(z.strictObject({ code: z.string(), message: z.string() })),
  }),
} as const;

export type BodyName = keyof typeof bodySchemas;
