/** Variables of 240 KB that do not fit, each kind once: what is refused must not cost more than what is taken. */

type HostileVariables = { readonly query: string; readonly variables: Readonly<Record<string, unknown>> };

const BYTES = 240 * 1024;
const LINES = `mutation ($v: [SubscriptionLineChangeInput!]) { subscriptionContractLinesUpdate(
  contractId: "gid://platform/SubscriptionContract/1", update: $v) { userErrors { code } } }`;
const ADDRESS = `mutation ($v: MailingAddressInput!) { customerAddressUpdate(
  customerId: "gid://platform/Customer/1", addressId: "gid://platform/MailingAddress/1", address: $v) { userErrors { message } } }`;
const LANGUAGE = 'query ($v: LanguageCode!) @inContext(language: $v) { __typename }';
const NODES = 'query ($v: [ID!]!) { nodes(ids: $v) { id } }';

const list = (item: unknown) => Array(Math.floor(BYTES / (JSON.stringify(item).length + 1))).fill(item);
const names = Object.fromEntries(Array.from({ length: BYTES / 12 }, (_, index) => [`name${index}`, 1]));
/** Each quotation mark may start a text without an end. */
const endless = `${'\\"'.repeat(BYTES / 4)}\\`;

/** By kind. */
export const hostileVariables: Readonly<Record<string, HostileVariables>> = {
  'numbers for objects': { query: LINES, variables: { v: list(1) } },
  'lists for objects': { query: LINES, variables: { v: list([]) } },
  'objects without what they need': { query: LINES, variables: { v: list({}) } },
  'booleans for ids': { query: NODES, variables: { v: list(true) } },
  'objects for ids': { query: NODES, variables: { v: list({}) } },
  'nothing for ids': { query: NODES, variables: { v: list(null) } },
  'a large object for an id': { query: NODES, variables: { v: [names] } },
  'unknown names': { query: ADDRESS, variables: { v: names } },
  'an unknown name that does not end': { query: ADDRESS, variables: { v: { [endless]: 1 } } },
  'a long value of an enum': { query: LANGUAGE, variables: { v: 'x'.repeat(BYTES) } },
  'a value of an enum that does not end': { query: LANGUAGE, variables: { v: endless } },
};
