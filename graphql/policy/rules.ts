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
  limitImagesRule,
  limitObjects,
  limitOperations,
  limitSelections,
} from './limits/limit-rules.ts';
import { type DocumentLimits, LIMITS_BY_SURFACE } from './limits/limits.ts';
import { refuseBareDaysRule } from './meaning/bare-days.ts';
import { type ExplainIdempotencyKeyRefusal, idempotentRootsRule } from './meaning/idempotent-roots.ts';
import { mergeableFieldsRule } from './meaning/mergeable-fields.ts';
import { noFragmentCyclesRule } from './meaning/no-fragment-cycles.ts';
import { singleMutationRootRule } from './meaning/single-mutation-root.ts';
import {
  availableArgumentsRule,
  availableDirectivesRule,
  availableFieldsRule,
  availableInputFieldsRule,
  availableTypesRule,
  knownOperationsRule,
  noIntrospectionRule,
  reservedNamesRule,
} from './name-rules.ts';

/** The rules of a surface. `limits` and `counts` run for the document as a whole, the others for each node. */
export type SurfaceRules = {
  readonly limits: readonly ValidationRule[];
  readonly names: readonly ValidationRule[];
  readonly meaning: readonly ValidationRule[];
  readonly counts: readonly ValidationRule[];
};

const createLimitRules = (limits: DocumentLimits): readonly ValidationRule[] => [
  noFragmentCyclesRule,
  limitOperations(limits),
  limitDepth(limits),
  limitAliases(limits),
  limitDirectives(limits),
  limitSelections(limits),
];

/** The rules of names: customers get the same message for every unavailable name. */
const CUSTOMER_NAME_RULES: readonly ValidationRule[] = [
  knownOperationsRule('customer'),
  noIntrospectionRule,
  availableFieldsRule,
  availableArgumentsRule,
  availableInputFieldsRule,
  availableTypesRule,
  availableDirectivesRule,
];

/**
 * graphql-js's own rules except two: no-fragment-cycles.ts runs before them, and mergeable-fields.ts replaces the
 * other.
 */
const SPECIFIED_RULES: readonly ValidationRule[] = [
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
const createMeaningRules = (explainKeyRefusal: ExplainIdempotencyKeyRefusal): readonly ValidationRule[] => [
  ...SPECIFIED_RULES,
  mergeableFieldsRule,
  reservedNamesRule,
  limitImagesRule,
  refuseBareDaysRule,
  idempotentRootsRule(explainKeyRefusal),
];

/** Creates the rules of a surface. `explainKeyRefusal` returns why a mutation takes no idempotency key. */
export const createRulesBySurface: Readonly<
  Record<Surface, (explainKeyRefusal: ExplainIdempotencyKeyRefusal) => SurfaceRules>
> = {
  admin: (explainKeyRefusal) => ({
    limits: createLimitRules(LIMITS_BY_SURFACE.admin),
    names: [],
    meaning: [...createMeaningRules(explainKeyRefusal), knownOperationsRule('admin')],
    counts: [limitObjects(LIMITS_BY_SURFACE.admin)],
  }),
  customer: (explainKeyRefusal) => ({
    limits: createLimitRules(LIMITS_BY_SURFACE.customer),
    names: CUSTOMER_NAME_RULES,
    meaning: [...createMeaningRules(explainKeyRefusal), singleMutationRootRule],
    counts: [limitObjects(LIMITS_BY_SURFACE.customer)],
  }),
};
