import { describe, expect, test } from '@jest/globals';
import { parse, print, Source } from 'graphql';
import { mergeSchema } from '../../../tools/generate/merge-schema.ts';

const PLATFORM = `
  type QueryRoot { customer(id: ID!, old: Int): Customer  shop: Shop! }
  type Customer implements Node { displayName: String!  email: String @deprecated(reason: "use phone")  phone: String }
  type Shop { name: String! }
  interface Node { id: ID! }
  enum State { ENABLED DISABLED }
`;

const merged = (service: string) =>
  print(mergeSchema(parse(PLATFORM), parse(new Source(service, 'customers.graphql')))).replace(/\s+/g, ' ');

describe('a schema of the platform and of the service', () => {
  test('keeps the platform’s fields, arguments and interfaces where the service names none', () => {
    const schema = merged(
      '"A person." type Customer { phone: String @customer } type QueryRoot { customer: Customer @scope }',
    );
    expect(schema).toContain(
      '"A person." type Customer implements Node { displayName: String! email: String @deprecated(reason: "use phone") phone: String @customer }',
    );
    expect(schema).toContain('type QueryRoot { customer(id: ID!, old: Int): Customer @scope shop: Shop! }');
    expect(schema).toContain('type Shop { name: String! }');
  });

  test('has the service’s own types, and its own members in the order of a type that it names whole', () => {
    const schema = merged(
      'type Shop { domain: URL  name: String! } enum State { DISABLED ERASED ENABLED } type Pause { until: Int }',
    );
    expect(schema).toContain('type Shop { domain: URL name: String! }');
    expect(schema).toContain('enum State { DISABLED ERASED ENABLED }');
    expect(schema).toContain('type Pause { until: Int }');
  });

  test('has the service’s declaration of a field that is marked @redefined', () => {
    expect(merged('type QueryRoot { customer(id: ID): Customer @redefined }')).toContain(
      'customer(id: ID): Customer @redefined',
    );
  });

  test.each([
    [
      'a type of a field differs',
      'type Customer { phone: String! }',
      'Customer.phone is `phone: String` at the platform and `phone: String!` in customers.graphql.',
    ],
    [
      'an argument is missing',
      'type QueryRoot { customer(id: ID!): Customer }',
      /^QueryRoot\.customer is `customer\(id: ID!, old: Int\)/,
    ],
    [
      'a deprecation is missing',
      'type Customer { email: String }',
      /@deprecated\(reason: "use phone"\)` at the platform/,
    ],
    [
      'a field is marked @redefined and is the same',
      'type Customer { phone: String @redefined }',
      'Customer.phone is what the platform has: remove @redefined.',
    ],
    [
      'a field of the service is marked @redefined',
      'type Shop { name: String!  own: Int @redefined }',
      "Shop.own is not the platform's: remove @redefined.",
    ],
    [
      'a field is added among fields that are not named',
      'type Customer { own: Int }',
      /^Customer adds own: name all members/,
    ],
    [
      'the interfaces differ',
      'type Customer implements Other { phone: String }',
      'Customer has Node at the platform, not Other.',
    ],
    ['the kind of a type differs', 'enum Shop { NAME }', 'Shop is another kind of type at the platform.'],
  ])('is refused when %s', (_case, service, message) => {
    expect(() => merged(service)).toThrow(message);
  });
});
