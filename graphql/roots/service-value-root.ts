/** The handler of a root whose value the service reads from its own table, separately for each place in the document. */
import { ServiceError } from '../../lib/errors/service-error.ts';
import { compileServiceSelection } from '../compile/selection/build-response-shape.ts';
import { createFieldArgumentsReader } from '../compile/selection/read-arguments.ts';
import { buildUnsentRoot } from '../compile/write-root.ts';
import type { Variables } from '../plan/client-document.ts';
import type { ReadArguments, ServiceSelection } from '../plan/response-shape.ts';
import type { CompiledRoot, RootHandler } from '../plan/root-handler.ts';
import type { RunContext } from '../plan/run-context.ts';
import { startUnsentRoot } from '../run/start-root.ts';
import {
  buildServiceValueResponse,
  type SelectedServiceValue,
  type ServiceValueResult,
} from './build-service-value-response.ts';

type CompiledServiceRoot = SelectedServiceValue & { readonly key: string; readonly args: ReadArguments };

/** The client's selection of the root's value, those of all such roots of the document, and its variables. */
export type SelectedValue = {
  readonly selection: ServiceSelection;
  readonly allSelections: readonly ServiceSelection[];
  readonly variables: Variables;
};

/** Returns the value by field names, or undefined for null. */
type ReadServiceValue = (
  context: RunContext,
  args: ReturnType<ReadArguments>,
  selected: SelectedValue,
) => Promise<object | undefined>;

/** Creates the handler of a root. An error of the root's arguments is an error of that root only. */
export function createServiceValueRoot(
  typeName: string,
  read: ReadServiceValue,
): RootHandler<CompiledServiceRoot, ServiceValueResult> {
  return {
    compile: (context, { key, fields, access }) => {
      const [firstField] = fields;
      if (firstField === undefined) throw new Error(`${key} stands nowhere`);
      const args = createFieldArgumentsReader('QueryRoot', firstField.field);
      const selection = compileServiceSelection(context, fields, typeName);
      return {
        texts: [],
        root: { ...buildUnsentRoot(context, key, fields), access, special: { key, args, selection } },
      };
    },
    start: (_context, root) => startUnsentRoot(root),
    async follow(context, roots, { variables }) {
      const valueResults: ServiceValueResult[] = [];
      const allSelections = roots.map(({ root }) => root.special.selection);
      for (const { root } of roots) {
        const { args, selection } = root.special;
        const readRoot = () => read(context, args(variables), { selection, allSelections, variables });
        valueResults.push(await resolveRoot(root, readRoot));
      }
      return valueResults;
    },
    respond: buildServiceValueResponse,
  };
}

async function resolveRoot(
  { special }: CompiledRoot<CompiledServiceRoot>,
  read: () => Promise<object | undefined>,
): Promise<ServiceValueResult> {
  try {
    return { value: (await read()) ?? null, errors: [] };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'GRAPHQL_VALIDATION_FAILED') throw error;
    return { value: null, errors: [{ error, path: [special.key] }] };
  }
}
