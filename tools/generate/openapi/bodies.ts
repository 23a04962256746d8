/**
 * The bodies of the REST routes and of GraphQL requests, each with a description of every field. The schemas of requests are
 * those that the functions parse with. The schemas of responses are defined here; tests compare real responses with them.
 */
import * as z from 'zod/mini';
import { claimRequest } from '../../../functions/admin-graphql/claim/parse-claim.ts';
import {
  exchangeRequest,
  startRequest,
  storefrontTokenRequest,
  tokenRequest,
} from '../../../functions/headless-auth/request-schemas.ts';

export type JsonSchema = {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
} & Readonly<Record<string, unknown>>;

/** A field's description, or the description with keywords that the schema lacks. */
type Note = string | (Readonly<Record<string, unknown>> & { readonly description: string });
type Body = {
  readonly about: string;
  readonly schema: z.ZodMiniType;
  readonly notes: Readonly<Record<string, Note>>;
};

/** A response's field: a description of a string, or a schema with its description. */
type Field = string | readonly [schema: z.ZodMiniType, description: string, keywords?: object];

const text = z.string();

function request(schema: z.ZodMiniType, about: string, notes: Body['notes']): Body {
  return { about, schema, notes };
}

/** A response without other fields than these. */
function response(about: string, described: Readonly<Record<string, Field>>): Body {
  const fields = Object.entries(described).map(([name, field]) => {
    const [schema, description, keywords] = typeof field === 'string' ? [text, field] : field;
    return { name, schema, note: { description, ...keywords } };
  });
  const schema = z.strictObject(Object.fromEntries(fields.map((field) => [field.name, field.schema])));
  return { about, schema, notes: Object.fromEntries(fields.map(({ name, note }) => [name, note])) };
}

const SHOP = 'The domain of the store, such as `harbor-coffee.myshopify.com`; capitals do not matter.';
/** The parser counts bytes, a schema characters: every valid value is ASCII. */
const TOKEN_BYTES = { maxLength: 2_048 };
const VERIFIER = { description: 'What `/start` gave, of the same sign-in.', ...TOKEN_BYTES };
const CUSTOMER_ID = {
  description: 'The number of the customer, as `/exchange` gave it; a text of its digits will do.',
  anyOf: [
    { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    { type: 'string', pattern: '^[1-9][0-9]{0,15}$' },
  ],
};
const FROM_EDGE = 'Only from the edge, which answers in both forms at once.';

const anyObject = z.record(text, z.unknown());
const nullableObject = z.optional(z.nullable(anyObject));
const customerId = z.int().check(z.positive());
const errorEntry = z.strictObject({
  message: text,
  path: z.optional(z.array(z.union([text, z.int()]))),
  locations: z.optional(z.array(z.strictObject({ line: z.int(), column: z.int() }))),
  extensions: z.looseObject({ code: text }),
});
const errors = z.optional(z.array(errorEntry));
const graphqlRequest = z.object({
  query: text.check(z.regex(/\S/)),
  operationName: z.optional(z.nullable(text.check(z.regex(/^([A-Za-z_][A-Za-z0-9_]*)?$/)))),
  variables: nullableObject,
  extensions: nullableObject,
});

const bodies = {
  StartRequest: request(startRequest, 'Which store the customer signs in at.', {
    shop: SHOP,
    locale: {
      description:
        "The language of the platform's pages, as a tag (BCP 47) such as `de-AT`. A text that is none is left out; what is no text is `MISSING_PARAMETERS`.",
      examples: ['de-AT'],
    },
  }),
  ExchangeRequest: request(exchangeRequest, 'What came back from the browser, with what `/start` gave.', {
    shop: SHOP,
    code: { description: 'The code of the address that the browser came back to.', ...TOKEN_BYTES },
    verifier: VERIFIER,
    nonce: VERIFIER,
  }),
  TokenRequest: request(tokenRequest, 'Whose sign-in it is, with its refresh token.', {
    shop: SHOP,
    customerId: CUSTOMER_ID,
    refreshToken: { description: 'The newest refresh token that the app has stored.', ...TOKEN_BYTES },
  }),
  StorefrontTokenRequest: request(storefrontTokenRequest, 'Which store it is.', { shop: SHOP }),
  ClaimRequest: request(
    claimRequest,
    'What the page of a link reads from its fragment, and the domain that a person types.',
    {
      claimId: 'One try to open the link: a repeat of it gets the same key.',
      proof: 'Shows that the whole link is known.',
      domain: 'The domain of the store that the link was made for, as it was typed.',
    },
  ),
  GraphqlRequest: request(graphqlRequest, 'A GraphQL request over HTTP.', {
    query: 'The document.',
    operationName: 'Which operation of the document; needed if it has several.',
    variables: 'The values of its variables.',
    extensions: 'Taken and not looked at.',
  }),
  StartedSignIn: response(
    'What the app opens in the browser, and what it keeps for `/exchange`, for 15 minutes.',
    {
      authUrl: [text, 'The sign-in page of the platform.', { format: 'uri' }],
      verifier: 'Secret of this sign-in: goes to `/exchange` and nowhere else.',
      nonce: 'Name of this sign-in: goes to `/exchange`.',
      state: 'The browser has to come back with this one.',
      redirectUri: 'Where the browser comes back to: `shop.<shop id>.app://callback`.',
    },
  ),
  Tokens: response('A pair of tokens. Store it before its first use.', {
    accessToken: 'The bearer of GraphQL requests.',
    refreshToken: 'Gives the next pair. Secret, and replaced by each refresh.',
    customerId: [customerId, 'The number of the customer: `gid://platform/Customer/<customerId>`.'],
    expiresAt: [text, 'The end of the access token, in UTC.', { format: 'date-time' }],
  }),
  Revoked: response('The sign-in is over. A repeat is answered the same.', {
    revoked: [z.literal(true), 'Always true.'],
  }),
  StorefrontToken: response('The store’s token for public catalogue data.', {
    storefrontAccessToken: 'Public: it opens nothing of a customer.',
    shop: 'The domain of the store.',
  }),
  OpenedKey: response('The key, sealed for who knows the whole link.', {
    sealedKey: 'The page opens it with the fragment of the link.',
    keyId: 'The key’s public name.',
    label: 'What the key is for, in the words of whoever issued it.',
  }),
  Health: response('That requests reach a function that starts. It reads neither table nor platform.', {
    status: [z.literal('ok'), 'Always `ok`.'],
    version: 'The release.',
  }),
  RestError: response('An error. Decide by `code`; a code that you do not know is treated by its status.', {
    error: [z.strictObject({ code: text, message: text, requestId: z.optional(text) }), 'The error.'],
    errors: [errors, FROM_EDGE],
  }),
  GraphqlAnswer: response('A GraphQL answer. Errors beside `data` are about what their `path` names.', {
    data: [nullableObject, 'By the names of the document; null or absent if nothing was run.'],
    errors: [errors, 'Decide by `extensions.code`; other codes are the platform’s.'],
    extensions: [z.optional(anyObject), 'About the answer as a whole.'],
    error: [z.optional(z.strictObject({ code: text, message: text })), FROM_EDGE],
  }),
};

export type BodyName = keyof typeof bodies;

/**
 * The schema of a body, by its name in the document.
 * @internal Tests validate requests and responses with it.
 */
export function bodySchema(name: BodyName): z.ZodMiniType {
  return bodies[name].schema;
}

/**
 * Converts every body to JSON Schema (draft 2020-12, the dialect of OpenAPI 3.1), with the descriptions.
 * @throws Error that names a field without a description, or a description without a field.
 */
export function schemaComponents(): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    Object.entries<Body>(bodies).map(([name, body]) => [name, component(name, body)]),
  );
}

function component(name: string, { about, schema, notes }: Body): JsonSchema {
  // Checks that only code can make are written as keywords of the notes.
  const json: JsonSchema = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const { $schema: _dialect, ...rest } = json;
  const { properties = {} } = rest;
  const names = new Set([...Object.keys(properties), ...Object.keys(notes)]);
  const fields = [...names].map((field) => {
    const [own, note] = [properties[field], notes[field]];
    if (!own || !note) throw new Error(`${name}.${field} needs a schema and a description.`);
    return [field, { ...(typeof note === 'string' ? { description: note } : note), ...own }];
  });
  return { description: about, ...rest, properties: Object.fromEntries(fields) };
}
