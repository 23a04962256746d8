/**
 * Counts the cost of a rejected value instead of timing it: the service creates no more errors and reads no more
 * elements than it reports.
 */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  getVariableValues,
  isEnumType,
  isInputObjectType,
  isListType,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { prepareVariableCoercion } from '../../../graphql/compile/coerce-variables.ts';
import { toResultError } from '../../../graphql/compile/to-result-error.ts';
import { createNotAvailableError } from '../../../graphql/policy/errors/document-errors.ts';
import { shortenMessage } from '../../../graphql/policy/errors/shorten-message.ts';
import { getSchema, type Surface } from '../../../graphql/schema/schema.ts';

const SURFACES: readonly Surface[] = ['customer', 'admin'];
const MANY = 250;
/** The service reports five errors, and a sixth that there are more. */
const MAX_REPORTED = 6;

/** The types of all arguments of a schema, each once. */
function argumentTypes(surface: Surface): ReadonlyMap<string, GraphQLInputType> {
  const types = Object.values(getSchema(surface).getTypeMap());
  const args = types
    .flatMap((type) => ('getFields' in type ? Object.values(type.getFields()) : []))
    .flatMap((field) => ('args' in field ? field.args : []));
  return new Map(args.map(({ type }) => [`${type}`, type]));
}

let reads = 0;
const count = jest.fn();
const { captureStackTrace } = Error;
beforeEach(() => {
  reads = 0;
  count.mockClear();
  // graphql-js calls it once for each of its errors.
  Error.captureStackTrace = (...of) => {
    count();
    captureStackTrace(...of);
  };
});
afterEach(() => {
  Error.captureStackTrace = captureStackTrace;
});

/** The value, with each read of one of its parts counted. */
function watched<T extends object>(value: T): T {
  return new Proxy(value, {
    get(target, key, receiver) {
      reads += 1;
      return Reflect.get(target, key, receiver);
    },
  });
}

const unknownNames = () =>
  Object.fromEntries(Array.from({ length: MANY }, (_, index) => [`unknown${index}`, index]));
const ITEMS: readonly unknown[] = [1.5, true, {}, [], null, { a: 1 }, 'x'.repeat(1_000)];

/** Values that do not fit at a place of the type, in every list and object that it holds. */
function hostileValues(type: GraphQLInputType, depth = 0): unknown[] {
  const bare = getNullableType(type);
  if (isListType(bare)) {
    const below = depth < 4 ? hostileValues(bare.ofType, depth + 1).slice(0, 4) : [];
    const many = [...ITEMS, ...below].map((item) => watched(Array<unknown>(MANY).fill(item)));
    return [...many, watched([watched(Array<unknown>(MANY).fill([]))])];
  }
  if (!isInputObjectType(bare)) return isEnumType(bare) ? ['x'.repeat(1_000), unknownNames()] : [{ a: 1 }];
  const inner = depth < 4 ? Object.values(bare.getFields()) : [];
  return [
    watched(unknownNames()),
    ...inner.flatMap(({ name, type: of }) =>
      hostileValues(of, depth + 1).map((value) => watched({ [name]: value })),
    ),
  ];
}

function prepared(surface: Surface, declared: string) {
  const document = parse(`query (${declared}) { __typename }`);
  const operation = document.definitions[0] as OperationDefinitionNode;
  return { operation, coerce: prepareVariableCoercion(surface, document, operation) };
}

describe.each(SURFACES)('%s: a value that does not fit', (surface) => {
  const structured = [...argumentTypes(surface)].filter(
    ([, type]) => isListType(getNullableType(type)) || isInputObjectType(getNamedType(type)),
  );

  test('is looked at until enough is known, at each list and object of the schema', () => {
    expect(structured.length).toBeGreaterThan(10);
    // Valid elements are read as in a valid value: one list between two reported errors. A customer's names come first.
    const maximum = (MAX_REPORTED + 1) * MANY + 400;
    const excessive: string[] = [];
    let refused = 0;
    for (const [reference, type] of structured) {
      const { coerce } = prepared(surface, `$v: ${reference}`);
      for (const v of hostileValues(type)) {
        reads = 0;
        count.mockClear();
        const outcome = coerce({ v });
        if (!('errors' in outcome)) continue;
        refused += 1;
        const made = count.mock.calls.length;
        const message = Math.max(...outcome.errors.map(({ message }) => message.length));
        if (
          made > 3 * MAX_REPORTED ||
          reads > maximum ||
          outcome.errors.length > MAX_REPORTED ||
          message > 501
        ) {
          excessive.push(`${reference}: ${made} errors, ${reads} looks, ${message} characters`);
        }
      }
    }
    expect(excessive).toEqual([]);
    expect(refused).toBeGreaterThan(structured.length);
  });

  test('has as few errors where many variables have one', () => {
    const all = Array.from({ length: MANY }, (_, index) => `v${index}`);
    for (const type of ['Int!', 'MailingAddressInput']) {
      const { coerce } = prepared(surface, all.map((name) => `$${name}: ${type}`).join(' '));
      for (const value of [{ unknown: 1 }, undefined]) {
        count.mockClear();
        const given = value === undefined ? [] : all.map((name) => [name, value] as const);
        const outcome = coerce(Object.fromEntries(given));
        if (type.endsWith('!') || value) expect(outcome).toHaveProperty('errors');
        if ('errors' in outcome) expect(outcome.errors.length).toBeLessThanOrEqual(MAX_REPORTED);
        expect(count.mock.calls.length).toBeLessThanOrEqual(3 * MAX_REPORTED);
      }
    }
  });

  test('is told in the words of graphql-js', () => {
    const values = [
      null,
      1,
      -1.5,
      true,
      'a"b\\',
      '',
      [],
      [1, 'x', null],
      {},
      { a: { b: [[1]] } },
      [[{}], { c: {} }],
    ];
    const more: readonly unknown[] = [
      Array(11).fill(0),
      Array(12).fill('x'),
      { id: 'x', constructor: 1 },
      { first: { b: { c: {} } } },
    ];
    const named = new Set([...argumentTypes(surface).values()].map((type) => getNamedType(type)));
    // Few kinds of types have different messages; every fifth type covers them all.
    for (const type of [...named].filter((_, index) => index % 5 === 0)) {
      const reference = `${type}!`;
      // Types that are closed to customers have their own message.
      if (surface === 'customer' && isInputObjectType(type)) continue;
      for (const declared of [`${type}`, `[${reference}]`]) {
        const { operation, coerce } = prepared(surface, `$a: ${declared}, $b: ${reference}`);
        for (const value of [...values, ...more]) {
          const given = { a: value, ...(value === '' ? {} : { b: value }) };
          const { errors = [] } = getVariableValues(
            getSchema(surface),
            operation.variableDefinitions ?? [],
            given,
            { maxErrors: 5, hideSuggestions: surface === 'customer' },
          );
          const outcome = coerce(given);
          const reported = 'errors' in outcome ? outcome.errors : [];
          expect(reported.map(({ locations }) => locations)).toEqual(
            errors.map(({ locations }) => locations),
          );
          // Longer ones are cut, and not at the same place.
          const short = (message: string) => (message.length < 100 ? message : '');
          expect(
            reported.map(({ message }, index) => short(errors[index]?.message ?? '') && message),
          ).toEqual(errors.map(({ message }) => short(message)));
        }
      }
    }
  });
});

describe('a long text in a message', () => {
  /** Each quotation mark may start a text without an end. */
  const endless = `${'\\"'.repeat(50_000)}\\`;

  test('is read once, however many quotation marks it has', () => {
    // A second reading of each half would take minutes: the test would not end in time.
    for (const message of [`Field "${endless}`, endless, `"${endless} and "a"`, `"${'x'.repeat(200)}\\`]) {
      expect(shortenMessage(message).length).toBeLessThanOrEqual(501);
    }
    expect(toResultError(createNotAvailableError(endless)).message).toContain(
      `Field "${endless.slice(0, 100)}…`,
    );
  });

  test('is quoted by its first hundred characters', () => {
    const long = 'x'.repeat(200_000);
    const { coerce } = prepared('admin', '$a: CountryCode, $b: [ID!], $c: MailingAddressInput');
    const outcome = coerce({ a: long, b: [{ [long]: 1 }], c: { [long]: 1 } });
    const cut = 'x'.repeat(100);
    expect('errors' in outcome && outcome.errors.map(({ message }) => message)).toEqual([
      `Variable "$a" got invalid value "${'x'.repeat(99)}…"; Value "${cut}…" does not exist in "CountryCode" enum.`,
      `Variable "$b" got invalid value { ${'x'.repeat(98)}… at "b[0]"; ID cannot represent value: { ${'x'.repeat(98)}…`,
      `Variable "$c" got invalid value { ${'x'.repeat(98)}…; Field "${cut}…" is not defined by type "MailingAddressInput".`,
    ]);
  });
});
