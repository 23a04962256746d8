/** Checks a parsed document against the schema and the policy of its surface. Only valid documents are compiled. */
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getEnterLeaveForKind,
  Kind,
  print,
  TypeInfo,
  ValidationContext,
  type ValidationRule,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { getSchema, type Surface } from '../schema/schema.ts';
import { createTooComplexError } from './errors/document-errors.ts';
import { shortenMessage } from './errors/shorten-message.ts';
import { MAX_FRAGMENT_WORK } from './limits/limits.ts';
import type { ExplainIdempotencyKeyRefusal } from './meaning/idempotent-roots.ts';
import { createRulesBySurface, type SurfaceRules } from './rules.ts';
import { visitInOneTraversal } from './visit-in-one-traversal.ts';

/** The maximum number of errors of a response: the author of a document fixes it step by step. */
const MAX_ERRORS = 20;

/** Completes an error for the client: adds a code, and shortens quotes of a long document in its message. */
function toPublicError(error: GraphQLError): GraphQLError {
  const { message, nodes, source, positions, extensions } = error;
  const shortenedMessage = shortenMessage(message, (nodes ?? []).map(print));
  if (extensions.code !== undefined && shortenedMessage === message) return error;
  return new GraphQLError(shortenedMessage, {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED', ...extensions },
  });
}

type DocumentToCheck = {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly hideSuggestions: boolean;
};

/** Thrown after MAX_ERRORS errors, to end the traversal of the document. */
const ERROR_LIMIT_REACHED = Symbol('enough errors');

type DocumentCheck = { readonly errors: GraphQLError[]; readonly context: ValidationContext };

function prepareDocumentCheck(
  { schema, document, hideSuggestions }: DocumentToCheck,
  typeInfo: TypeInfo,
): DocumentCheck {
  const errors: GraphQLError[] = [];
  const onError = (error: GraphQLError) => {
    if (errors.length >= MAX_ERRORS) throw ERROR_LIMIT_REACHED;
    errors.push(error);
  };
  return { errors, context: new ValidationContext(schema, document, typeInfo, onError, hideSuggestions) };
}

/**
 * Runs rules until they end, or have reported MAX_ERRORS errors. graphql-js throws an error when following the fragments
 * takes more than MAX_FRAGMENT_WORK steps, which is reported as an exceeded limit.
 */
function runUntilErrorLimit({ errors }: DocumentCheck, runRules: () => void): void {
  try {
    runRules();
  } catch (error) {
    if (error === ERROR_LIMIT_REACHED) return;
    if (!(error instanceof GraphQLError)) throw error;
    const max = MAX_FRAGMENT_WORK;
    errors.push(createTooComplexError({ limit: 'fragments', max, actual: max, isMinimum: true }));
  }
}

/** Runs rules for the document as a whole, without visiting its nodes. */
function runDocumentRules(
  subject: DocumentToCheck,
  rules: readonly ValidationRule[],
): readonly GraphQLError[] {
  const documentCheck = prepareDocumentCheck(subject, new TypeInfo(subject.schema));
  runUntilErrorLimit(documentCheck, () => {
    for (const rule of rules) {
      const visitor = rule(documentCheck.context);
      const { enter } = getEnterLeaveForKind(visitor, Kind.DOCUMENT);
      enter?.call(visitor, subject.document, undefined, undefined, [], []);
    }
  });
  return documentCheck.errors;
}

/** Runs the rules for nodes in one traversal. Errors of names hide the errors of meaning. */
function runNodeRules(subject: DocumentToCheck, rules: SurfaceRules): readonly GraphQLError[] {
  const typeInfo = new TypeInfo(subject.schema);
  const namesCheck = prepareDocumentCheck(subject, typeInfo);
  const meaningCheck = prepareDocumentCheck(subject, typeInfo);
  const ruleVisitors = [
    ...rules.names.map((rule) => rule(namesCheck.context)),
    ...rules.meaning.map((rule) => rule(meaningCheck.context)),
  ];
  runUntilErrorLimit(meaningCheck, () =>
    visit(subject.document, visitWithTypeInfo(typeInfo, visitInOneTraversal(ruleVisitors))),
  );
  return namesCheck.errors.length > 0 ? namesCheck.errors : meaningCheck.errors;
}

/**
 * Returns the errors of a document, each with its code; none if it may be compiled. Customers get no suggestions, and no
 * other errors while a name is not available to them. Any document takes less than 50 ms of CPU.
 * `explainKeyRefusal` returns why a mutation takes no idempotency key.
 */
export function checkDocument(
  surface: Surface,
  document: DocumentNode,
  explainKeyRefusal: ExplainIdempotencyKeyRefusal,
): readonly GraphQLError[] {
  const surfaceRules = createRulesBySurface[surface](explainKeyRefusal);
  const checkSubject = { schema: getSchema(surface), document, hideSuggestions: surface === 'customer' };
  const ruleStages = [
    () => runDocumentRules(checkSubject, surfaceRules.limits),
    () => runNodeRules(checkSubject, surfaceRules),
    () => runDocumentRules(checkSubject, surfaceRules.counts),
  ];
  for (const runStage of ruleStages) {
    const errors = runStage();
    if (errors.length > 0) return errors.map(toPublicError);
  }
  return [];
}
