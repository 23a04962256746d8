/** A parsed document against the schema and the policy of its surface: the plan is compiled from what passes. */
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getEnterLeaveForKind,
  Kind,
  TypeInfo,
  ValidationContext,
  type ValidationRule,
  visit,
  visitInParallel,
  visitWithTypeInfo,
} from 'graphql';
import { type Surface, schemaOf } from '../schema/schema.ts';
import { rulesOf } from './rules.ts';

/** More than these are not collected: who wrote the document mends it step by step. */
const MAX_ERRORS = 20;
const MAX_MESSAGE_LENGTH = 500;

/** Every error has a code; an error that quotes the document does not quote all of it. */
function finished(error: GraphQLError): GraphQLError {
  const { message, nodes, source, positions, extensions } = error;
  if (extensions.code !== undefined && message.length <= MAX_MESSAGE_LENGTH) return error;
  const shortened =
    message.length <= MAX_MESSAGE_LENGTH ? message : `${message.slice(0, MAX_MESSAGE_LENGTH)}…`;
  return new GraphQLError(shortened, {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED', ...extensions },
  });
}

type Subject = {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly hideSuggestions: boolean;
};

/** Thrown to end a traversal whose outcome is decided. */
const ENOUGH = Symbol('enough errors');

type Check = { readonly errors: GraphQLError[]; readonly context: ValidationContext };

function prepare(
  { schema, document, hideSuggestions }: Subject,
  typeInfo: TypeInfo,
  isDecisive: boolean,
): Check {
  const errors: GraphQLError[] = [];
  const onError = (error: GraphQLError) => {
    if (errors.length < MAX_ERRORS) errors.push(error);
    else if (isDecisive) throw ENOUGH;
  };
  return { errors, context: new ValidationContext(schema, document, typeInfo, onError, hideSuggestions) };
}

function untilEnough(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error !== ENOUGH) throw error;
  }
}

/** Rules that look at the document as a whole: none of its nodes is visited for them. */
function runOnDocument(subject: Subject, rules: readonly ValidationRule[]): readonly GraphQLError[] {
  const { errors, context } = prepare(subject, new TypeInfo(subject.schema), true);
  untilEnough(() => {
    for (const rule of rules) {
      const visitor = rule(context);
      const { enter } = getEnterLeaveForKind(visitor, Kind.DOCUMENT);
      enter?.call(visitor, subject.document, undefined, undefined, [], []);
    }
  });
  return errors;
}

/** Rules that look at every node: all in one traversal. The errors of the first list that has any. */
function runOnNodes(
  subject: Subject,
  lists: readonly (readonly ValidationRule[])[],
): readonly GraphQLError[] {
  const typeInfo = new TypeInfo(subject.schema);
  const checks = lists.map((_, index) => prepare(subject, typeInfo, index === 0));
  const visitors = lists.flatMap((rules, index) => {
    const context = checks[index]?.context;
    return context ? rules.map((rule) => rule(context)) : [];
  });
  untilEnough(() => visit(subject.document, visitWithTypeInfo(typeInfo, visitInParallel(visitors))));
  return checks.find(({ errors }) => errors.length > 0)?.errors ?? [];
}

/**
 * The errors of a document, each with its code; none if it may be planned. Customers get no suggestions, and while a
 * name is not available to them they hear of nothing else. Whatever the document, this takes less than 50 ms of CPU.
 */
export function checkDocument(surface: Surface, document: DocumentNode): readonly GraphQLError[] {
  const rules = rulesOf[surface];
  const subject = { schema: schemaOf(surface), document, hideSuggestions: surface === 'customer' };
  const stages = [
    () => runOnDocument(subject, rules.limits),
    () => runOnNodes(subject, [rules.names, rules.meaning]),
    () => runOnDocument(subject, rules.counts),
  ];
  for (const stage of stages) {
    const errors = stage();
    if (errors.length > 0) return errors.map(finished);
  }
  return [];
}
