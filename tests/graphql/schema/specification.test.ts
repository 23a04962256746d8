import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  astFromValue,
  type GraphQLField,
  isEnumType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isUnionType,
  print,
} from 'graphql';
import { getAdminSchema, getSchema } from '../../../graphql/schema/schema.ts';
import { EXCEPTIONS, FIELDS, INTERFACES, MEMBERS, PAGE, SIGN_IN_CODES } from './specification-tables.ts';

const schema = getAdminSchema();

function fieldsOf(typeName: string) {
  const type = schema.getType(typeName);
  return isObjectType(type) || isInterfaceType(type) ? type.getFields() : {};
}

function describeField(field: GraphQLField<unknown, unknown>): string {
  const args = field.args.map(({ name, type, defaultValue }) => {
    const literal = defaultValue === undefined ? undefined : astFromValue(defaultValue, type);
    return `${name}: ${type}${literal ? ` = ${print(literal)}` : ''}`;
  });
  const inOrder = args.length > 0 ? `(${args.sort().join(', ')})` : '';
  return `${field.name}${inOrder}: ${field.type}${field.deprecationReason ? ' !deprecated' : ''}`;
}

/** A line of the table, its arguments in the order in which `shown` has them. */
function normal(line: string): string {
  return line.trim().replace(/\((.*)\)/, (_, args: string) => {
    const all = args.replace('@page', PAGE).split(', ');
    return `(${all.sort().join(', ')})`;
  });
}

type Answers = {
  readonly responses: Readonly<Record<string, { readonly 'x-error-codes'?: readonly string[] }>>;
};
type OpenApi = { readonly paths: Readonly<Record<string, Readonly<Record<string, Answers>>>> };
const openApi: OpenApi = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));

const LINES = Object.entries(FIELDS).flatMap(([type, table]) =>
  table
    .trim()
    .split('\n')
    .map((line) => [type, normal(line)] as const),
);

describe('every field of the platform document', () => {
  test.each(LINES)('%s.%s', (type, line) => {
    const name = /^\w+/.exec(line)?.[0] ?? '';
    const field = fieldsOf(type)[name];
    const coordinate = `${type}.${name}`;
    expect(field ? describeField(field) : `no field ${coordinate}`).toBe(EXCEPTIONS[coordinate] ?? line);
  });

  test('every exception is one: without it the table would fail', () => {
    const lines = new Map(LINES.map(([type, line]) => [`${type}.${/^\w+/.exec(line)?.[0]}`, line]));
    for (const [coordinate, platform] of Object.entries(EXCEPTIONS)) {
      expect(lines.get(coordinate)).toBeDefined();
      expect(lines.get(coordinate)).not.toBe(platform);
    }
  });
});

describe('every interface, union and enum of the platform document', () => {
  test.each(Object.entries(INTERFACES))('%s has its interfaces', (name, interfaces) => {
    const type = schema.getType(name);
    const actual = isObjectType(type) ? type.getInterfaces().map((each) => each.name) : [];
    expect(actual.sort()).toEqual(interfaces.split(' ').sort());
  });

  test.each(Object.entries(MEMBERS))('%s has its members', (name, members) => {
    const type = schema.getType(name);
    const actual = isEnumType(type) ? type.getValues() : isUnionType(type) ? type.getTypes() : [];
    const names = actual.map((each) => each.name);
    const missing = members.split(' ').filter((each) => !names.includes(each));
    expect(missing).toEqual([]);
  });

  test('media images as owners of metafields are deprecated', () => {
    const type = schema.getType('MetafieldOwnerType');
    const value = isEnumType(type) ? type.getValue('MEDIA_IMAGE') : undefined;
    expect(value?.deprecationReason).toBeTruthy();
  });

  test.each(['URL', 'DateTime', 'JSON', 'UnsignedInt64', 'HTML', 'FormattedString', 'StorefrontID'])(
    'has the scalar %s',
    (name) => {
      expect(isScalarType(schema.getType(name))).toBe(true);
    },
  );
});

describe('the table of deviations in docs/compatibility.md', () => {
  const page = readFileSync('docs/compatibility.md', 'utf8');
  const missing = (names: readonly string[]) => names.filter((name) => !page.includes(`\`${name}\``));

  test('names every field that is other than in the specification', () => {
    expect(missing(Object.keys(EXCEPTIONS))).toEqual([]);
  });

  test('names every field of a contract and of an image that customers do not have', () => {
    const closed = ['SubscriptionContract', 'Image'].flatMap((typeName) => {
      const type = getSchema('customer').getType(typeName);
      const open = isObjectType(type) ? type.getFields() : {};
      return LINES.filter(([of]) => of === typeName)
        .map(([, line]) => /^\w+/.exec(line)?.[0] ?? '')
        .filter((name) => open[name] === undefined);
    });
    expect(closed.length).toBeGreaterThan(0);
    expect(missing(closed)).toEqual([]);
  });

  test('names every code of the sign-in that the specification does not have', () => {
    const routes = Object.entries(openApi.paths).filter(([path]) => path.startsWith('/headless-auth/'));
    const answers = routes.flatMap(([, methods]) =>
      Object.values(methods).flatMap(({ responses }) => Object.values(responses)),
    );
    const codes = new Set(answers.flatMap((answer) => answer['x-error-codes'] ?? []));
    for (const code of SIGN_IN_CODES) expect(codes.delete(code)).toBe(true);
    expect(missing([...codes])).toEqual([]);
  });
});

describe('the operations that the platform document names', () => {
  test('the query of billing cycles takes a contract that may be left out', () => {
    const field = fieldsOf('QueryRoot').subscriptionBillingCycles;
    expect(String(field?.args.find(({ name }) => name === 'contractId')?.type)).toBe('ID');
    expect(String(field?.type)).toBe('SubscriptionBillingCycleConnection');
  });

  test('skipping takes contract, index and skip', () => {
    const field = fieldsOf('Mutation').subscriptionBillingCycleSkip;
    expect(field && describeField(field)).toBe(
      'subscriptionBillingCycleSkip(billingCycleIndex: Int!, contractId: ID!, expectedDate: DateTime, skip: Boolean = true): SubscriptionBillingCycleSkipPayload',
    );
  });

  test.each(['customerAddressUpdate', 'customerPaymentMethodSendUpdateEmail'])(
    'has the mutation %s',
    (name) => {
      expect(fieldsOf('Mutation')[name]).toBeDefined();
    },
  );

  test('the roots have the names of the document', () => {
    expect(schema.getQueryType()?.name).toBe('QueryRoot');
    expect(schema.getMutationType()?.name).toBe('Mutation');
  });
});
