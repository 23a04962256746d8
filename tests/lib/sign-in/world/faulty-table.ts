import { ServiceError } from '../../../../lib/errors/service-error.ts';
import type { Table } from '../../../../lib/storage/table.ts';

/**
 * `before`: not done, no answer. `after`: done, no answer. `repeated`: done, its answer lost, and tried again
 * as the SDK does.
 */
export type TableFault = 'before' | 'after' | 'repeated';
export type TableCall = { readonly operation: keyof Table; readonly update: string };

/** Creates a table with faults: `plan` is called before every operation. */
export function createFaultyTable(table: Table) {
  const faults = { plan: (_call: TableCall): TableFault | undefined => undefined };
  const wrap = <Name extends keyof Table>(operation: Name): Table[Name] => {
    const real = table[operation] as (...parameters: unknown[]) => Promise<unknown>;
    const faulty = async (...parameters: unknown[]) => {
      const [first] = parameters as [{ update?: string } | undefined];
      const fault = faults.plan({ operation, update: first?.update ?? '' });
      if (fault === 'before') throw unavailable();
      const result = await real(...parameters);
      if (fault === 'after') throw unavailable();
      return fault === 'repeated' ? real(...parameters) : result;
    };
    return faulty as Table[Name];
  };
  const faulty: Table = {
    get: wrap('get'),
    batchGet: wrap('batchGet'),
    put: wrap('put'),
    update: wrap('update'),
    delete: wrap('delete'),
    query: wrap('query'),
  };
  return { table: faulty, faults };
}

function unavailable(): ServiceError {
  return new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: 'the table did not answer' });
}
