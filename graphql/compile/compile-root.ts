/** Compiles one root field of an operation: its handler, and its text in the upstream document. */
import type { FlattenedField } from '../plan/client-document.ts';
import type {
  CompiledRoot,
  FindRootHandler,
  RootCompileContext,
  RootFieldsAtKey,
  RootHandler,
  WrittenRoot,
} from '../plan/root-handler.ts';
import { decideActingRoot } from '../policy/acting-customer.ts';
import { findFieldPolicy } from '../schema/field-policy.ts';
import { writeArguments } from './selection/write-selection.ts';
import { buildUnsentRoot, writeRootFields } from './write-root.ts';

export type RootToCompile = {
  readonly context: RootCompileContext;
  readonly findRootHandler: FindRootHandler;
  readonly key: string;
  readonly fields: readonly FlattenedField[];
};

/**
 * Compiles the root fields that share a response key. A root without a handler of its own is forwarded to the platform, or, if
 * it is a field of the service, not sent. A root that is closed to an acting customer is not sent.
 */
export async function compileRoot({ context, findRootHandler, key, fields }: RootToCompile): Promise<{
  readonly root: CompiledRoot;
  readonly texts: readonly string[];
}> {
  const { rootType, isActing, writer } = context;
  const rootName = fields[0]?.field.name.value ?? '';
  const isMetaField = rootName.startsWith('__');
  const actingDecision = isActing && !isMetaField ? decideActingRoot(`${rootType}.${rootName}`) : undefined;
  const isClosedWhileActing = actingDecision?.kind === 'closed';
  const isServiceRoot = !isMetaField && findFieldPolicy(rootType, rootName)?.isService === true;
  const defaultHandler = isServiceRoot ? unsentRootHandler : forwardedRootHandler;
  const rootHandler = isClosedWhileActing
    ? closedRootHandler
    : ((await findRootHandler(rootType, rootName, actingDecision)) ?? defaultHandler);
  const access = isClosedWhileActing ? 'closed' : actingDecision?.kind === 'owned' ? 'owned' : 'open';
  const { root, texts } = rootHandler.compile(context, { key, fields, access, decision: actingDecision });
  return { root: { ...root, handler: rootHandler, injected: [...writer.scope] }, texts };
}

/** The handler of a root that is forwarded: the client gets the platform's value, converted by walk-response.ts. */
const forwardedRootHandler: RootHandler<undefined> = {
  compile(context, { key, fields, access }) {
    const { isActing } = context;
    const { texts, runVariables } = writeRootFields(context, {
      key,
      fields,
      isDecided: isActing,
      overrides: {},
    });
    const responseKeysByUpstream = new Map([[key, [key]]]);
    return {
      texts,
      root: {
        ...buildUnsentRoot(context, key, fields),
        access,
        runVariables,
        clientPathByPlatformKey: responseKeysByUpstream,
        read: (data) => data[key],
      },
    };
  },
};

/**
 * The handler of a root that is closed while a customer is acting: nothing is sent, and its arguments are not evaluated.
 */
const closedRootHandler: RootHandler<undefined> = { compile: compileWithoutText };

/**
 * The handler of a field that the service performs without forwarding it. Its arguments are evaluated, so that their ids
 * are checked.
 */
const unsentRootHandler: RootHandler<undefined> = {
  compile(context, fieldsAtKey) {
    const [first] = fieldsAtKey.fields;
    if (first !== undefined) writeArguments(context.writer, first.field, context.rootType);
    return compileWithoutText(context, fieldsAtKey);
  },
};

function compileWithoutText(
  context: RootCompileContext,
  { key, fields, access }: RootFieldsAtKey,
): WrittenRoot<undefined> {
  return { texts: [], root: { ...buildUnsentRoot(context, key, fields), access } };
}
