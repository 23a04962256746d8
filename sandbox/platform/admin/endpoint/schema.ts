/**
 * The executable schema: exactly the platform's SDL, from the files below, with the resolvers that exist. A field
 * without a resolver and without a value in its record returns NOT_EMULATED, never an invented value.
 */
import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLFieldResolver,
  GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import { createApiError } from '../api-error.ts';
import type { AdminContext } from '../context.ts';
import { type AccessRequirements, checkAccess, requirementsOfField } from '../field-access.ts';
import { createUserErrorPayload } from '../user-error.ts';
import { resolvers } from './all-resolvers.ts';
import { attachScalars } from './scalars.ts';

/**
 * The subset's SDL, as the platform documents it.
 * @internal A test validates it, because the start does not.
 */
export const schemaText = [
  '../../../../graphql/schema/platform/admin-2026-07.graphql',
  './webhook-subscriptions-2026-07.graphql',
  './attempt-codes-2026-10.graphql',
]
  .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  .join('\n');

/** The schema that the emulator executes. A test validates it: validation at each start would double the time. */
export const schema = attachResolvers(buildSchema(schemaText, { noLocation: true, assumeValid: true }));

function attachResolvers(builtSchema: GraphQLSchema): GraphQLSchema {
  attachScalars(builtSchema);
  for (const type of Object.values(builtSchema.getTypeMap())) {
    if (!(type instanceof GraphQLObjectType) || type.name.startsWith('__')) continue;
    const typeResolvers = resolvers[type.name] ?? {};
    const typeFields = type.getFields();
    for (const name of Object.keys(typeResolvers)) {
      if (typeFields[name] === undefined)
        throw new Error(`A resolver for ${type.name}.${name}, which is not in the schema.`);
    }
    for (const field of Object.values(typeFields)) {
      const resolveField =
        (typeResolvers[field.name] as FieldResolver | undefined) ?? createRecordResolver(type, field);
      const accessRequirements = requirementsOfField(type, field);
      const checkedResolve =
        accessRequirements === undefined ? resolveField : withAccessCheck(accessRequirements, resolveField);
      field.resolve = type.name === 'Mutation' ? withPlannedError(checkedResolve) : checkedResolve;
    }
  }
  return builtSchema;
}

type FieldResolver = GraphQLFieldResolver<unknown, AdminContext>;

function withAccessCheck(requirements: AccessRequirements, resolve: FieldResolver): FieldResolver {
  return (parent, args, context, info) => {
    checkAccess(context.store, info.fieldName, requirements);
    return resolve(parent, args, context, info);
  };
}

function withPlannedError(resolve: FieldResolver): FieldResolver {
  return (parent, args, context, info) =>
    context.shouldRefuseNextMutation()
      ? createUserErrorPayload(null, 'The platform refuses this mutation', 'INVALID')
      : resolve(parent, args, context, info);
}

/** Reads the field from its record. A missing field of a payload is null, and missing userErrors are an empty list. */
function createRecordResolver(
  type: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
): GraphQLFieldResolver<unknown, AdminContext> {
  const isRootType = type.name === 'QueryRoot' || type.name === 'Mutation';
  const isPayloadType = type.name.endsWith('Payload');
  const fieldLabel = isRootType ? field.name : `${type.name}.${field.name}`;
  return (parent) => {
    const propertyValue = isRootType ? undefined : (parent as Record<string, unknown> | null)?.[field.name];
    if (propertyValue !== undefined) return propertyValue;
    if (isPayloadType) return field.name === 'userErrors' ? [] : null;
    throw createApiError(`"${fieldLabel}" does not behave in this emulator yet`, 'NOT_EMULATED');
  };
}
