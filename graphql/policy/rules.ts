/**
 * The rules of both endpoints, in the order of check-document.ts: first cheap rules in linear time, which protect the
 * others; then names, whose errors hide all others; then the rest.
 */
import {
  ExecutableDefinitionsRule,
  FieldsOnCorrectTypeRule,
  KnownArgumentNamesRule,
  KnownDirectivesRule,
  KnownFragmentNamesRule,
  KnownTypeNamesRule,
  LoneAnonymousOperationRule,
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
import {
  limitAliases,
  limitDepth,
  limitDirectives,
  limitImages,
  limitObjects,
  limitOperations,
  limitSelections,
} from './limits/limit-rules.ts';
import { LIMITS, type Limits } from './limits/limits.ts';
import { bareDays } from './meaning/bare-days.ts';
import { idempotentRoots, type KeyRefusal } from './meaning/idempotent-roots.ts';
import { mergeableFields } from './meaning/mergeable-fields.ts';
import { noFragmentCycles } from './meaning/no-fragment-cycles.ts';
import { singleMutationRoot } from './meaning/single-mutation-root.ts';
import {
  availableArguments,
  availableDirectives,
  availableFields,
  availableInputFields,
  availableTypes,
  knownOperations,
  noIntrospection,
  reservedNames,
} from './name-rules.ts';

/** The rules of a surface. `limits` and `counts` run for the document as a whole, the others for each node. */
export type Rules = {
  readonly limits: readonly ValidationRule[];
  readonly names: readonly ValidationRule[];
  readonly meaning: readonly ValidationRule[];
  readonly counts: readonly ValidationRule[];
};

const limits = (of: Limits): readonly ValidationRule[] => [
  noFragmentCycles,
  limitOperations(of),
  limitDepth(of),
  limitAliases(of),
  limitDirectives(of),
  limitSelections(of),
];

/** The rules of names: customers get the same message for every unavailable name. */
const names: readonly ValidationRule[] = [
  knownOperations('customer'),
  noIntrospection,
  availableFields,
  availableArguments,
  availableInputFields,
  availableTypes,
  availableDirectives,
];

/**
 * graphql-js's own rules except two: no-fragment-cycles.ts runs before them, and mergeable-fields.ts replaces the
 * other.
 */
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

/** The rules about the meaning of a document, on both surfaces. */
const meaning = (keyRefusal: KeyRefusal): readonly ValidationRule[] => [
  ...specified,
  mergeableFields,
  reservedNames,
  limitImages,
  bareDays,
  idempotentRoots(keyRefusal),
];

/** `keyRefusal`: see idempotent-roots.ts. */
export const rulesOf: Readonly<Record<Surface, (keyRefusal: KeyRefusal) => Rules>> = {
  admin: (keyRefusal) => ({
    limits: limits(LIMITS.admin),
    names: [],
    meaning: [...meaning(keyRefusal), knownOperations('admin')],
    counts: [limitObjects(LIMITS.admin)],
  }),
  customer: (keyRefusal) => ({
    limits: limits(LIMITS.customer),
    names,
    meaning: [...meaning(keyRefusal), singleMutationRoot],
    counts: [limitObjects(LIMITS.customer)],
  }),
};
