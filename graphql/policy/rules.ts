/**
 * The rules of both endpoints, in the order in which check-document.ts runs them. Linear and cheap rules come first,
 * and the others never see what they refuse; then names, whose errors hide all others; then the rest.
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
import { limitAliases } from './limits/limit-aliases.ts';
import { limitDepth } from './limits/limit-depth.ts';
import { limitDirectives } from './limits/limit-directives.ts';
import { limitImages } from './limits/limit-images.ts';
import { limitObjects } from './limits/limit-objects.ts';
import { limitOperations } from './limits/limit-operations.ts';
import { limitSelections } from './limits/limit-selections.ts';
import { LIMITS, type Limits } from './limits/limits.ts';
import { idempotentRoots } from './meaning/idempotent-roots.ts';
import { mergeableFields } from './meaning/mergeable-fields.ts';
import { noFragmentCycles } from './meaning/no-fragment-cycles.ts';
import { singleMutationRoot } from './meaning/single-mutation-root.ts';
import { availableArguments } from './names/available-arguments.ts';
import { availableDirectives } from './names/available-directives.ts';
import { availableFields } from './names/available-fields.ts';
import { availableInputFields } from './names/available-input-fields.ts';
import { availableTypes } from './names/available-types.ts';
import { knownOperations } from './names/known-operations.ts';
import { noIntrospection } from './names/no-introspection.ts';
import { reservedNames } from './names/reserved-names.ts';

/** The rules of a surface. `limits` and `counts` look at the document alone, the others at every node. */
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

/** The rules of names: a customer who uses any other name always gets the same words. */
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
 * graphql-js's own rules but two: no-fragment-cycles.ts runs before them, and mergeable-fields.ts replaces the other.
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

/** The rules of what the names mean together, on both surfaces. */
const meaning: readonly ValidationRule[] = [
  ...specified,
  mergeableFields,
  reservedNames,
  limitImages,
  idempotentRoots,
];

export const rulesOf: Readonly<Record<Surface, Rules>> = {
  admin: {
    limits: limits(LIMITS.admin),
    names: [],
    meaning: [...meaning, knownOperations('admin')],
    counts: [limitObjects(LIMITS.admin)],
  },
  customer: {
    limits: limits(LIMITS.customer),
    names,
    meaning: [...meaning, singleMutationRoot],
    counts: [limitObjects(LIMITS.customer)],
  },
};
