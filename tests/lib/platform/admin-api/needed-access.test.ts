/** Compares the table of access with the platform's requirements, field by field. tests/contract tests the effects. */
import { describe, expect, test } from '@jest/globals';
import { getNamedType, isObjectType } from 'graphql';
import { isScopeHandle, NEEDED_ACCESS } from '../../../../lib/platform/admin-api/needed-access.ts';
import {
  PROTECTED_DATA_LEVEL_1,
  PROTECTED_DATA_LEVEL_2,
} from '../../../../lib/platform/admin-api/protected-data.ts';
import { schema } from '../../../../sandbox/platform/admin/endpoint/schema.ts';
import {
  type AccessRequirements,
  requirementsOfField,
} from '../../../../sandbox/platform/admin/field-access.ts';
import { KNOWN_SCOPES } from '../../../../sandbox/platform/state/store-access.ts';

function handlesOf({ scope, object, kind }: AccessRequirements): string[] {
  const handles = [scope, object && PROTECTED_DATA_LEVEL_1, kind && PROTECTED_DATA_LEVEL_2];
  return handles.filter((handle) => handle !== undefined);
}

/** Every field of the platform, with the names that the table may have for it. */
const fields = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .filter(({ name }) => !name.startsWith('__'))
  .flatMap((type) =>
    Object.values(type.getFields()).map((field) => ({
      coordinate: `${type.name}.${field.name}`,
      brings: type.name === 'Mutation' ? '' : getNamedType(field.type).name.replace(/(Connection|Edge)$/, ''),
      needs: requirementsOfField(type, field) ?? {},
    })),
  );
type Field = (typeof fields)[number];

const isOpenedBy = ({ coordinate, brings }: Field) => {
  return (name: string) =>
    name.endsWith('*') ? coordinate.startsWith(name.slice(0, -1)) : name === coordinate || name === brings;
};

describe('the table and the platform', () => {
  test.each(NEEDED_ACCESS)(
    '$handle opens exactly what the platform closes without it',
    ({ handle, openedNames: opens }) => {
      const closed = fields.filter(({ needs }) => handlesOf(needs).includes(handle));
      const opened = fields.filter((field) => opens.some(isOpenedBy(field)));
      expect(opened.map(({ coordinate }) => coordinate)).toEqual(closed.map(({ coordinate }) => coordinate));
      expect(opens.filter((name) => !fields.some((field) => isOpenedBy(field)(name)))).toEqual([]);
    },
  );

  test('no field needs what the table does not have, and the table names what there is', () => {
    const named = NEEDED_ACCESS.map(({ handle }) => handle);
    const requests = new Set(fields.flatMap(({ needs }) => handlesOf(needs)));
    expect([...requests].filter((handle) => !named.includes(handle))).toEqual([]);
    const scopes = NEEDED_ACCESS.filter(isScopeHandle).map(({ handle }) => handle);
    expect(scopes.sort()).toEqual(Object.keys(KNOWN_SCOPES).sort());
  });
});
