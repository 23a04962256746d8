import { describe, expect, test } from '@jest/globals';
import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
  validateSchema,
} from 'graphql';
import { schemaTable } from '../../../../graphql/schema/generated/schema-table.ts';
import { getSchema } from '../../../../graphql/schema/schema.ts';
import { buildSchemaFromSource } from '../../../../graphql/schema/table/build-schema.ts';
import { selectCustomerTypes } from '../../../../graphql/schema/table/select-customer-types.ts';

const schema = getSchema('customer');
const types = Object.values(schema.getTypeMap()).filter(
  (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
);
const fields = types.flatMap((type) =>
  isObjectType(type) || isInterfaceType(type)
    ? Object.values(type.getFields()).map((field) => ({ type: type.name, field }))
    : [],
);
const inputs = [
  ...fields.flatMap(({ type, field }) => field.args.map(({ name }) => `${type}.${field.name}(${name}:)`)),
  ...types.flatMap((type) =>
    isInputObjectType(type) ? Object.keys(type.getFields()).map((name) => `${type.name}.${name}`) : [],
  ),
];

describe('the customers’ part is closed in itself', () => {
  test('it is a valid schema, and all its types are in it', () => {
    const rebuilt = buildSchemaFromSource(selectCustomerTypes(schemaTable));
    expect(validateSchema(Object.assign(rebuilt, { __validationErrors: undefined }))).toEqual([]);
  });

  test('it holds nothing that nothing open returns or takes', () => {
    const used = new Set<string>(['QueryRoot', 'Mutation']);
    for (const { field } of fields) {
      for (const each of [field, ...field.args]) used.add(getNamedType(each.type).name);
    }
    for (const type of types) {
      if (isUnionType(type)) for (const member of type.getTypes()) used.add(member.name);
      if (isObjectType(type)) for (const each of type.getInterfaces()) used.add(each.name);
      if (isInputObjectType(type)) {
        for (const field of Object.values(type.getFields())) used.add(getNamedType(field.type).name);
      }
    }
    for (const type of types) {
      if (isInterfaceType(type) && used.has(type.name)) {
        for (const possible of schema.getPossibleTypes(type)) used.add(possible.name);
      }
    }
    expect(types.map(({ name }) => name).filter((name) => !used.has(name))).toEqual([]);
  });

  test('an interface’s field is open only if it is open on every type that has the interface', () => {
    for (const type of types.filter(isObjectType)) {
      for (const parent of type.getInterfaces()) {
        const missing = Object.keys(parent.getFields()).filter((name) => !type.getFields()[name]);
        expect({ type: type.name, missing }).toEqual({ type: type.name, missing: [] });
      }
    }
  });
});

describe('never open to customers', () => {
  test.each([
    /\(actor:\)$/,
    /\(email:\)$/,
    /\(savedSearchId:\)$/,
    /^MailingAddressInput\.id$/,
    /^EmailInput/,
  ])('has no argument or input field like %s', (pattern) => {
    expect(inputs.filter((coordinate) => pattern.test(coordinate))).toEqual([]);
  });

  test('has no search of the platform', () => {
    // The timeline is this service's own: its `query` never leaves it.
    expect(inputs.filter((coordinate) => coordinate.endsWith('(query:)'))).toEqual([
      'SubscriptionContract.events(query:)',
    ]);
  });

  test.each(['app', 'appAdminUrl', 'note', 'customAttributes'])(
    'does not have SubscriptionContract.%s',
    (name) => {
      const type = schema.getType('SubscriptionContract');
      expect(isObjectType(type) && type.getFields()[name]).toBeFalsy();
    },
  );

  test.each([
    'App',
    'AppInstallation',
    'Channel',
    'Publication',
    'Collection',
    'Market',
    'Metafield',
    'MetafieldDefinition',
    'BasicEvent',
    'Company',
    'OrderTransaction',
    'SubscriptionDraft',
    'StorefrontAccessToken',
    'Shop',
    'Job',
    'SubscriptionActor',
    'EmailInput',
    'PaymentMandateResource',
    'Attribute',
    'InventoryItem',
    'Translation',
  ])('does not have the type %s', (name) => {
    expect(schemaTable[name]).toBeDefined();
    expect(schema.getType(name)).toBeUndefined();
  });

  test('tags, notes and addresses of the administration', () => {
    const closed = fields.filter(({ field }) =>
      /^(tags|note|adminUrl|legacyResourceId|metafields?)$/.test(field.name),
    );
    expect(closed).toEqual([]);
  });
});

describe('open to customers', () => {
  test('has everything of a contract but four fields', () => {
    const type = schema.getType('SubscriptionContract');
    const open = isObjectType(type) ? Object.keys(type.getFields()) : [];
    const all = schemaTable.SubscriptionContract;
    const closed = Object.keys(all && 'fields' in all ? all.fields : {}).filter(
      (name) => !open.includes(name),
    );
    expect(closed.sort()).toEqual(['app', 'appAdminUrl', 'customAttributes', 'note']);
  });

  test('has eight queries and twenty-one mutations', () => {
    expect(Object.keys(schema.getQueryType()?.getFields() ?? {})).toHaveLength(8);
    expect(Object.keys(schema.getMutationType()?.getFields() ?? {})).toHaveLength(21);
  });

  test('has every value of each of its enums', () => {
    const valuesOf = (type: unknown) => isEnumType(type) && type.getValues().map(({ name }) => name);
    const enums = types.filter(isEnumType);
    expect(enums.length).toBeGreaterThan(10);
    for (const { name } of enums) {
      const all = valuesOf(getSchema('admin').getType(name));
      expect([name, valuesOf(schema.getType(name))]).toEqual([name, all]);
    }
  });
});
