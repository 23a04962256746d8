/** The arguments of a mutation, as the operations of this service take them. */
import { getArgumentValues } from 'graphql';
import { mapInput } from '../compile/ownership/global-ids.ts';
import { argumentEntry } from '../compile/selection/type-reference.ts';
import type { Run } from '../plan/mutation-run.ts';
import type { CompiledMutation } from '../plan/plan.ts';
import { adminSchema } from '../schema/schema.ts';
import { mappingFor } from './evaluate-root.ts';

/** The coerced arguments of a root, its ids as the platform names them. */
export function argumentsOf(
  { variables, context }: Run,
  { root, own, forwarded }: CompiledMutation,
): Record<string, unknown> {
  const field = own?.fields[0]?.field ?? forwarded?.field;
  const definition = adminSchema().getMutationType()?.getFields()[root.name];
  if (field === undefined || definition === undefined) throw new Error(`no mutation ${root.name}`);
  const values = getArgumentValues(definition, field, variables as Record<string, unknown>);
  const mapping = mappingFor(root, context.identity, () => undefined);
  const mapped = Object.entries(values).map(([name, value]) => {
    const entry = argumentEntry('Mutation', root.name, name);
    return [name, entry === undefined ? value : mapInput(value, entry, mapping)];
  });
  return Object.fromEntries(mapped);
}
