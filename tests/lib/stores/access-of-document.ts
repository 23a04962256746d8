/** What the platform asks for, of an app that sends a document: in the words of the table of access. */
import { isCompositeType, isObjectType, parse, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { type FieldNeeds, needsOf, needsOfObject } from '../../../infra/local/platform/admin/field-access.ts';
import { schema } from '../../../infra/local/platform/admin/schema.ts';
import { LEVEL_1, LEVEL_2 } from '../../../lib/stores/needed-access.ts';

export function handlesOf({ scope, object, kind }: FieldNeeds): string[] {
  const handles = [scope, object && LEVEL_1, kind && LEVEL_2];
  return handles.filter((handle) => handle !== undefined);
}

/** Each access with one of the fields that need it. */
export function accessOfDocument(text: string): Map<string, string> {
  const needed = new Map<string, string>();
  const info = new TypeInfo(schema);
  const note = (needs: FieldNeeds | undefined, where: string) => {
    for (const handle of handlesOf(needs ?? {})) needed.set(handle, where);
  };
  const visitor = visitWithTypeInfo(info, {
    Field({ name }) {
      const type = info.getParentType();
      const field = info.getFieldDef();
      if (!isCompositeType(type) || !field) return;
      const types = isObjectType(type) ? [type] : schema.getPossibleTypes(type);
      for (const each of types) {
        const own = each.getFields()[name.value];
        if (own) note(needsOf(each, own), `${type.name}.${name.value}`);
      }
    },
    InlineFragment({ typeCondition }) {
      if (typeCondition) note(needsOfObject(typeCondition.name.value), `... on ${typeCondition.name.value}`);
    },
  });
  visit(parse(text), visitor);
  return needed;
}
