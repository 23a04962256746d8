/** A switch over all codes with which the service refuses a skip, as an app writes it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { getAdminSchema } from '../../graphql/schema/schema.ts';

const SKIP_CODES = 'SubscriptionBillingCycleSkipUserErrorCode';

/** Returns the cases; with `default`, which the compiler accepts only if no code of the schema is missing. */
export function casesOfSkip(): string {
  const type = getAdminSchema().getType(SKIP_CODES);
  const names = type && 'getValues' in type ? type.getValues().map(({ name }) => name) : [];
  return `${names.map((name) => `case '${name}':`).join('\n')}
    case 'UNKNOWN':
      return code;
    default:
      // A code of a later service.
      code satisfies never;
      return message;`;
}

/** Adds NEW_CODE to the codes in the declarations of a client's package, as those of a later service have it. */
export function addNewCode(packageFolder: string): void {
  const declarations = `${packageFolder}/esm/operations/generated/shared/types.d.ts`;
  const before = readFileSync(declarations, 'utf8');
  const head = `export type ${SKIP_CODES} = `;
  if (!before.includes(head)) throw new Error(`${declarations} does not declare ${SKIP_CODES}.`);
  writeFileSync(declarations, before.replace(head, `${head}'NEW_CODE' | `));
}
