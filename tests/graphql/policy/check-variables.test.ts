import { describe, expect, test } from '@jest/globals';
import { Kind, parse } from 'graphql';
import { prepareVariableChecks } from '../../../graphql/policy/check-variables.ts';
import type { Surface } from '../../../graphql/schema/schema.ts';
import { checkText } from './harness.ts';

function prepare(surface: Surface, text: string) {
  const document = parse(text);
  const operation = document.definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION);
  if (!operation) throw new Error('The document of the test has no operation.');
  return prepareVariableChecks(surface, document, operation);
}

type Checks = ReturnType<typeof prepare>;
type Values = Readonly<Record<string, unknown>>;
const checkRaw = ({ raw }: Checks, values: Values) => raw.flatMap((check) => check(values));
const checkCoerced = ({ coerced }: Checks, values: Values) => coerced.flatMap((check) => check(values));
const messages = (errors: readonly { message: string }[]): string[] => errors.map(({ message }) => message);

describe('closed input fields in variables', () => {
  const document = `mutation($a: MailingAddressInput!, $lines: [SubscriptionLineChangeInput!]) {
    customerAddressUpdate(customerId: "1", addressId: "2", address: $a) { userErrors { message } } }`;

  test('are refused for customers, in lists too', () => {
    const checks = prepare('customer', document);
    const errors = checkRaw(checks, {
      a: { city: 'Ulm', id: '3' },
      lines: [{}, { lineId: '1', price: 1 }],
    });
    expect(messages(errors)).toEqual([
      'Field "id" is not available to customer accounts',
      'Field "price" is not available to customer accounts',
    ]);
    expect(errors[0]?.extensions.code).toBe('FIELD_NOT_AVAILABLE');
  });

  test('even if they are null or named like a part of every object', () => {
    const checks = prepare('customer', document);
    expect(checkRaw(checks, { a: { id: null } })).toHaveLength(1);
    expect(checkRaw(checks, { a: { constructor: 1 } })).toHaveLength(1);
  });

  test('leave what is open alone, and stores to the coercion', () => {
    expect(checkRaw(prepare('customer', document), { a: { city: 'Ulm' } })).toEqual([]);
    expect(checkRaw(prepare('admin', document), { a: { id: '3' } })).toEqual([]);
  });
});

describe('objects, counted with the values', () => {
  const document = `query($c: Int, $l: Int = 10) { customer(id: "1") { subscriptionContracts(first: $c) {
    nodes { id lines(first: $l) { nodes { id variantImage { url } } } } pageInfo { hasNextPage } } } }`;

  test('counts objects linearly: contracts, and lines and images of each', () => {
    // A customer, and for each contract itself with ten lines and their images.
    const [error] = checkCoerced(prepare('customer', document), { c: 200, l: 10 });
    expect(error?.message).toBe(
      `The query is too complex: the limit of objects is 2000, the query has ${1 + 200 * 21}.`,
    );
    expect(checkCoerced(prepare('customer', document), { c: 95, l: 10 })).toEqual([]);
  });

  test('are not counted for stores', () => {
    expect(checkCoerced(prepare('admin', document), { c: 250, l: 250 })).toEqual([]);
  });

  test('pages are bounded for both', () => {
    for (const surface of ['customer', 'admin'] as const) {
      const [error] = checkCoerced(prepare(surface, document), { c: 1, l: 300 });
      expect(error?.extensions).toMatchObject({ code: 'QUERY_TOO_COMPLEX', max: 250, actual: 300 });
    }
  });

  test('counts the owner that is selected for a check', () => {
    const foreign =
      '{ subscriptionContract(id: "1") { orders(first: 250) { nodes { customer { id } lineItems(first: 2) { nodes { id } } } } } }';
    // The contract and its owner; for each order itself, its owner, the customer and two lines.
    expect(checkText('customer', foreign)).toEqual([]);
    const more = foreign.replace('first: 2)', 'first: 6)');
    expect(checkText('customer', more)[0]?.message).toContain(`the query has ${2 + 250 * 9}.`);
  });

  test('counts a list without a size as 25', () => {
    const open =
      '{ customer(id: "1") { subscriptionContracts { nodes { lines(first: 80) { nodes { id } } } } } }';
    expect(checkText('customer', open)[0]?.message).toContain(`the query has ${1 + 25 * 81}.`);
  });

  test('a fragment bomb of lists is counted without being spread out', () => {
    const bomb = `{ customer(id: "1") { ...A } } fragment A on Customer { orders(first: 250) { nodes { customer { ...B } } } }
      fragment B on Customer { orders(first: 250) { nodes { customer { ...C } } } } fragment C on Customer { orders(first: 250) { nodes { id } } }`;
    expect(checkText('customer', bomb)[0]?.code).toBe('QUERY_TOO_COMPLEX');
  });
});

describe('bounds of images', () => {
  const document = `query($w: Int, $t: ImageTransformInput) { subscriptionContract(id: "1") { lines(first: 1) { nodes { variantImage {
    url(transform: { maxWidth: $w }) other: url(transform: $t) } } } } }`;

  test('checks bounds of images in values inside and as a whole', () => {
    const checks = prepare('customer', document);
    expect(messages(checkCoerced(checks, { w: 0, t: { scale: 4 } }))).toEqual([
      '"maxWidth" must be from 1 to 5760, not 0.',
      '"scale" must be from 1 to 3, not 4.',
    ]);
    expect(checkCoerced(checks, { w: 5760, t: { scale: 3, maxHeight: 1 } })).toEqual([]);
  });

  test('checks bounds of images in literals, on both endpoints', () => {
    const literal = (width: number) =>
      `{ subscriptionContract(id: "1") { lines(first: 1) { nodes { variantImage { transformedSrc(maxWidth: ${width}) } } } } }`;
    for (const surface of ['customer', 'admin'] as const) {
      expect(checkText(surface, literal(5761))[0]?.message).toBe(
        '"maxWidth" must be from 1 to 5760, not 5761.',
      );
      expect(checkText(surface, literal(5760))).toEqual([]);
    }
  });
});
