/** What the schemas of bodies cannot say: each field in words, with its format and its bounds. */
import type { BodyName } from './body-schemas.ts';

type Note = Readonly<Record<string, unknown>> & { readonly description: string };
type Notes = Readonly<Record<string, Note | string>>;

const SHOP = 'The domain of the store, such as `harbor-coffee.myshopify.com`; capitals do not matter.';
/** A length in bytes, which a schema counts as characters: nothing that serves has others than ASCII. */
const TOKEN_BYTES = { maxLength: 2_048 };
const VERIFIER = 'What `/start` gave, of the same sign-in.';
const REFRESH_TOKEN = { description: 'The newest refresh token that the app has stored.', ...TOKEN_BYTES };
const CUSTOMER_ID = {
  description: 'The number of the customer, as `/exchange` gave it; a text of its digits will do.',
  anyOf: [
    { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    { type: 'string', pattern: '^[1-9][0-9]{0,15}$' },
  ],
};

/** Of each body what it is, then its fields. */
export const fieldNotes: Readonly<Record<BodyName, readonly [about: string, fields: Notes]>> = {
  StartRequest: [
    'Which store the customer signs in at.',
    {
      shop: SHOP,
      locale: {
        description:
          "The language of the platform's pages, as a tag (BCP 47) such as `de-AT`. A text that is none is left out; what is no text is `MISSING_PARAMETERS`.",
        examples: ['de-AT'],
      },
    },
  ],
  ExchangeRequest: [
    'What came back from the browser, with what `/start` gave.',
    {
      shop: SHOP,
      code: { description: 'The code of the address that the browser came back to.', ...TOKEN_BYTES },
      verifier: { description: VERIFIER, ...TOKEN_BYTES },
      nonce: { description: VERIFIER, ...TOKEN_BYTES },
    },
  ],
  TokenRequest: [
    'Whose sign-in it is, with its refresh token.',
    { shop: SHOP, customerId: CUSTOMER_ID, refreshToken: REFRESH_TOKEN },
  ],
  StorefrontTokenRequest: ['Which store it is.', { shop: SHOP }],
  ClaimRequest: [
    'What the page of a link reads from its fragment, and the domain that a person types.',
    {
      claimId: 'One try to open the link: a repeat of it gets the same key.',
      proof: 'Shows that the whole link is known.',
      domain: 'The domain of the store that the link was made for, as it was typed.',
    },
  ],
  GraphqlRequest: [
    'A GraphQL request over HTTP.',
    {
      query: 'The document.',
      operationName: 'Which operation of the document; needed if it has several.',
      variables: 'The values of its variables.',
      extensions: 'Taken and not looked at.',
    },
  ],
  StartedSignIn: [
    'What the app opens in the browser, and what it keeps for `/exchange`, for 15 minutes.',
    {
      authUrl: { description: 'The sign-in page of the platform.', format: 'uri' },
      verifier: 'Secret of this sign-in: goes to `/exchange` and nowhere else.',
      nonce: 'Name of this sign-in: goes to `/exchange`.',
      state: 'The browser has to come back with this one.',
      redirectUri: 'Where the browser comes back to: `shop.<shop id>.app://callback`.',
    },
  ],
  Tokens: [
    'A pair of tokens. Store it before its first use.',
    {
      accessToken: 'The bearer of GraphQL requests.',
      refreshToken: 'Gives the next pair. Secret, and replaced by each refresh.',
      customerId: 'The number of the customer: `gid://platform/Customer/<customerId>`.',
      expiresAt: { description: 'The end of the access token, in UTC.', format: 'date-time' },
    },
  ],
  Revoked: ['The sign-in is over. A repeat is answered the same.', { revoked: 'Always true.' }],
  StorefrontToken: [
    'The store’s token for public catalogue data.',
    { storefrontAccessToken: 'Public: it opens nothing of a customer.', shop: 'The domain of the store.' },
  ],
  OpenedKey: [
    'The key, sealed for who knows the whole link.',
    {
      sealedKey: 'The page opens it with the fragment of the link.',
      keyId: 'The key’s public name.',
      label: 'What the key is for, in the words of whoever issued it.',
    },
  ],
  Health: [
    'That requests reach a function that starts. It reads neither table nor platform.',
    {
      status: 'Always `ok`.',
      version: 'The release.',
    },
  ],
  RestError: [
    'An error. Decide by `code`; a code that you do not know is treated by its status.',
    {
      error: 'The error.',
      errors: 'Only from the edge, which answers in both forms at once.',
    },
  ],
  GraphqlAnswer: [
    'A GraphQL answer. Errors beside `data` are about what their `path` names.',
    {
      data: 'By the names of the document; null or absent if nothing was run.',
      errors: 'Decide by `extensions.code`; other codes are the platform’s.',
      extensions: 'About the answer as a whole.',
      error: 'Only from the edge, which answers in both forms at once.',
    },
  ],
};
