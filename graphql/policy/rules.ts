/**
 * The rules of both endpoints, in the order in which they are run. Each stage runs only on documents that passed the
 * one before: what is linear comes first, and no rule that describes the schema sees a name that is closed.
 */
import {
  ExecutableDefinitionsRule,
  FieldsOnCorrectTypeRule,
  KnownArgumentNamesRule,
  KnownDirectivesRule,
  KnownFragmentNamesRule,
  KnownTypeNamesRule,
  LoneAnonymousOperationRule,
  NoFragmentCyclesRule,
  NoUndefinedVariablesRule,
  NoUnusedFragmentsRule,
  NoUnusedVariablesRule,
  PossibleFragmentSpreadsRule,
  ProvidedRequiredArgumentsRule,
  ScalarLeafsRule,
  SingleFieldSubscriptionsRule,
  UniqueArgumentNamesRule,
  UniqueDirectivesPerLocationRule,
  UniqueFragmentNamesRule,
  UniqueInputFieldNamesRule,
  UniqueOperationNamesRule,
  UniqueVariableNamesRule,
  type ValidationRule,
  ValuesOfCorrectTypeRule,
  VariablesAreInputTypesRule,
  VariablesInAllowedPositionRule,
} from 'graphql';
import type { Surface } from '../schema/schema.ts';
import { availableArguments } from './available-arguments.ts';
import { availableDirectives } from './available-directives.ts';
import { availableFields } from './available-fields.ts';
import { availableInputFields } from './available-input-fields.ts';
import { availableTypes } from './available-types.ts';
import { knownOperations } from './known-operations.ts';
import { limitAliases } from './limit-aliases.ts';
import { limitDepth } from './limit-depth.ts';
import { limitDirectives } from './limit-directives.ts';
import { limitImages } from './limit-images.ts';
import { limitObjects } from './limit-objects.ts';
import { limitOperations } from './limit-operations.ts';
import { limitSelections } from './limit-selections.ts';
import { LIMITS, type Limits } from './limits.ts';
import { mergeableFields } from './mergeable-fields.ts';
import { noIntrospection } from './no-introspection.ts';
import { reservedNames } from './reserved-names.ts';
import { singleMutationRoot } from './single-mutation-root.ts';

export type Stage = { readonly name: string; readonly rules: readonly ValidationRule[] };

const limits = (of: Limits): Stage => ({
  name: 'limits',
  rules: [
    NoFragmentCyclesRule,
    limitOperations(of),
    limitDepth(of),
    limitAliases(of),
    limitDirectives(of),
    limitSelections(of),
  ],
});

/** Which names a customer may use: everything else gets the same words. */
const names: Stage = {
  name: 'names',
  rules: [
    knownOperations('customer'),
    noIntrospection,
    availableFields,
    availableArguments,
    availableInputFields,
    availableTypes,
    availableDirectives,
  ],
};

/** graphql-js's own rules but two: cycles come first, and merging is mergeable-fields.ts's. */
const specified: readonly ValidationRule[] = [
  ExecutableDefinitionsRule,
  UniqueOperationNamesRule,
  LoneAnonymousOperationRule,
  SingleFieldSubscriptionsRule,
  KnownTypeNamesRule,
  VariablesAreInputTypesRule,
  ScalarLeafsRule,
  FieldsOnCorrectTypeRule,
  UniqueFragmentNamesRule,
  KnownFragmentNamesRule,
  NoUnusedFragmentsRule,
  PossibleFragmentSpreadsRule,
  UniqueVariableNamesRule,
  NoUndefinedVariablesRule,
  NoUnusedVariablesRule,
  KnownDirectivesRule,
  UniqueDirectivesPerLocationRule,
  KnownArgumentNamesRule,
  UniqueArgumentNamesRule,
  ValuesOfCorrectTypeRule,
  ProvidedRequiredArgumentsRule,
  VariablesInAllowedPositionRule,
  UniqueInputFieldNamesRule,
];

/** What the names mean together, and whose they are. */
const meaning = (rules: readonly ValidationRule[]): Stage => ({
  name: 'meaning',
  rules: [...specified, mergeableFields, reservedNames, limitImages, ...rules],
});

const counts = (of: Limits): Stage => ({ name: 'counts', rules: [limitObjects(of)] });

export const customerRules: readonly Stage[] = [
  limits(LIMITS.customer),
  names,
  meaning([singleMutationRoot]),
  counts(LIMITS.customer),
];

export const adminRules: readonly Stage[] = [
  limits(LIMITS.admin),
  meaning([knownOperations('admin')]),
  counts(LIMITS.admin),
];

export const rulesOf: Readonly<Record<Surface, readonly Stage[]>> = {
  admin: adminRules,
  customer: customerRules,
};
