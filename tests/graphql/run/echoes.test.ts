/**
 * An error repeats only a short part of a client's input: on both endpoints, in graphql-js's messages and in the
 * service's.
 */
import { describe, expect, test } from '@jest/globals';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import { ADA, type PlanRequest, runPlan } from '../world/harness.ts';

const LONG = 'q'.repeat(3_000);
/** A message can name two things, each with 100 characters at most. */
const MAX_LENGTH = 200;
const customer = `customer(id: "gid://platform/Customer/${ADA}")`;
const list = `[${Array.from({ length: 300 }, () => '"qqqqqqqqqq"').join(', ')}]`;

type TestRequest = Pick<PlanRequest, 'query' | 'variables' | 'operationName'>;

const DOCUMENTS: Readonly<Record<string, string>> = {
  'a field': `{ ${LONG} }`,
  'a field below': `{ ${customer} { ${LONG} } }`,
  'an argument': `{ customer(${LONG}: 1) { id } }`,
  'a type': `{ ${customer} { ... on ${LONG} { id } } }`,
  'a fragment': `{ ...${LONG} }`,
  'an unused fragment': `{ ${customer} { id } } fragment ${LONG} on Customer { id }`,
  'a fragment that leads to itself': `{ ${customer} { ...${LONG} } } fragment ${LONG} on Customer { ...${LONG} }`,
  'two fragments': `{ ${customer} { ...${LONG} } } fragment ${LONG} on Customer { id } fragment ${LONG} on Customer { id }`,
  'a directive': `{ ${customer} { id @${LONG} } }`,
  'an undefined variable': `{ customer(id: $${LONG}) { id } }`,
  'an unused variable': `query($${LONG}: ID) { ${customer} { id } }`,
  'two variables': `query($${LONG}: ID!, $${LONG}: ID!) { customer(id: $${LONG}) { id } }`,
  'a variable in a wrong place': `query($${LONG}: String) { customer(id: $${LONG}) { id } }`,
  'the type of a variable': `query($id: ${LONG}) { customer(id: $id) { id } }`,
  'two operations': `query ${LONG} { ${customer} { id } } query ${LONG} { ${customer} { id } }`,
  'aliases that clash': `{ ${customer} { ${LONG}: id ${LONG}: displayName } }`,
  'an alias of ours': `{ ${customer} { _svc${LONG}: id } }`,
  'an alias that needs fields': `{ ${LONG}: ${customer} }`,
  'a word for a number': `{ ${customer} { subscriptionContracts(first: ${LONG}) { nodes { id } } } }`,
  'a text for a number': `{ ${customer} { subscriptionContracts(first: "${LONG}") { nodes { id } } } }`,
  'a text with quotation marks': `{ ${customer} { subscriptionContracts(first: "${'qq\\"; Q '.repeat(400)}") { nodes { id } } } }`,
  'a block for a number': `{ ${customer} { subscriptionContracts(first: """${'qq"; Q\n'.repeat(400)}""") { nodes { id } } } }`,
  'a list for a number': `{ ${customer} { subscriptionContracts(first: ${list}) { nodes { id } } } }`,
  'an object for a number': `{ ${customer} { subscriptionContracts(first: { ${LONG}: "${LONG}" }) { nodes { id } } } }`,
  'a value of an enum': `{ ${customer} { subscriptionContracts(first: 1, sortKey: ${LONG}) { nodes { id } } } }`,
  'an id': `{ customer(id: "${LONG}") { id } }`,
  'an unowned id': `{ product(id: "${LONG}") { id } }`,
  ids: `{ nodes(ids: ${list}) { id } }`,
  'what is no GraphQL': `{ "${LONG}" }`,
  'a block that is no GraphQL': `{ """${'qq " '.repeat(500)}""" }`,
  'a name that is no GraphQL': `${LONG} { id }`,
  'an escape that is none': `{ a(b: "\\u{${'Q'.repeat(300)}}") }`,
};

const INPUT = 'mutation($v: CustomerInput!) { customerUpdate(input: $v) { userErrors { field } } }';
const PAGE = `query($v: Int!) { ${customer} { subscriptionContracts(first: $v) { nodes { id } } } }`;
const VARIABLES: Readonly<Record<string, TestRequest>> = {
  'a text for a number': { query: PAGE, variables: { v: LONG } },
  'a text with quotation marks': { query: PAGE, variables: { v: 'qq"; Q\n'.repeat(400) } },
  'an object for a number': { query: PAGE, variables: { v: { [LONG]: LONG, more: { q: [LONG] } } } },
  'a list for a number': { query: PAGE, variables: { v: Array.from({ length: 300 }, () => LONG) } },
  'an input field': { query: INPUT, variables: { v: { [LONG]: 1 } } },
  'a value of an input field': {
    query: INPUT,
    variables: { v: { id: `gid://platform/Customer/${ADA}`, tags: { [LONG]: LONG } } },
  },
  'an id': { query: 'query($v: ID!) { product(id: $v) { id } }', variables: { v: LONG } },
  'a page beyond the limit': { query: PAGE, variables: { v: 2_000_000_000 } },
  'a name': {
    query: `query($${LONG}: Int!) { ${customer} { subscriptionContracts(first: $${LONG}) { nodes { id } } } }`,
  },
  'the name of an operation': { query: `{ ${customer} { id } }`, operationName: LONG },
};

const REQUESTS = {
  ...Object.fromEntries(Object.entries(DOCUMENTS).map(([name, query]) => [name, { query }])),
};

async function messagesOf(as: PlanRequest['as'], request: TestRequest): Promise<string[]> {
  const standIn = () => ({ data: null, errors: [{ message: `no "${LONG}"`, path: ['customer'] }] });
  try {
    const { result } = await runPlan({ as, ...request, standIn });
    return (result.errors ?? []).map(({ message }) => message);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return [error.publicMessage];
  }
}

describe.each<PlanRequest['as']>(['customer', 'store', 'store for a customer'])('to a %s', (as) => {
  test.each([
    ...Object.entries<TestRequest>(REQUESTS).map(
      ([name, request]) => [`in the document: ${name}`, request] as const,
    ),
    ...Object.entries(VARIABLES).map(([name, request]) => [`in variables: ${name}`, request] as const),
  ])('%s', async (_place, request) => {
    const messages = await messagesOf(as, request);
    expect(messages).not.toEqual([]);
    for (const message of messages) {
      expect([...message.matchAll(/q/gi)].length).toBeLessThanOrEqual(MAX_LENGTH);
      expect(Math.max(0, ...[...message.matchAll(/q+/gi)].map(([run]) => run.length))).toBeLessThanOrEqual(
        100,
      );
    }
  });
});
