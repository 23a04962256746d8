/** `__typename` of a root type is answered without a request to the platform. */
import { buildUnsentRoot } from '../compile/write-root.ts';
import type { RootHandler } from '../plan/root-handler.ts';
import { startWithArguments } from '../run/start-root.ts';

export const typenameRoot: RootHandler<string> = {
  compile: (context, { key, fields, access }) => ({
    texts: [],
    root: { ...buildUnsentRoot(context, key, fields), access, special: context.rootType },
  }),
  start: (context, root, variables) =>
    startWithArguments(context, root, { variables, knownOutcome: { kind: 'found', found: undefined } }),
  respond: (_request, { special }) => ({ value: special, errors: [] }),
};
