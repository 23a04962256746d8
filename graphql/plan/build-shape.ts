/** The shape of an answer, from the client's selection. Fragments are followed; the number of fields is bounded. */
import type { FieldNode, FragmentDefinitionNode, SelectionNode, SelectionSetNode } from 'graphql';
import { ServiceError } from '../../lib/errors/service-error.ts';
import { conditionsOf } from './conditions.ts';
import { isBlank } from './is-blank.ts';
import { type Condition, type FieldShape, isActive, type LocalField, type Shape } from './shape.ts';
import { isOrderContact, OURS, ownerCheck, treatField } from './treat-field.ts';
import { namedType } from './type-reference.ts';

export type ShapeContext = {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly isActing: boolean;
  /** Counts down: a document whose fragments multiply is refused before it takes memory. */
  readonly budget: { left: number };
};

/** A selection set and the type it stands on. */
export type TypedSelection = { readonly selectionSet: SelectionSetNode; readonly typeName: string };

type Draft = {
  readonly key: string;
  type: string;
  kind: FieldShape['kind'];
  readonly below: TypedSelection[];
  readonly locals: { coordinate: string; marker: string; when: (readonly Condition[])[] }[];
  isContact: boolean;
};

/** Fields that one document may select, fragments spread out. */
export const MAX_SELECTED_FIELDS = 20_000;

/** The shape of objects that all of these selections apply to. QUERY_TOO_COMPLEX if fragments multiply. */
export function buildShape(
  context: ShapeContext,
  selections: readonly TypedSelection[],
  hasOwnerCheck = false,
): Shape {
  const drafts = new Map<string, Draft>();
  for (const { selectionSet, typeName } of selections) {
    collect(context, { selections: selectionSet.selections, typeName, when: [] }, drafts);
  }
  const fields = [...drafts.values()].map((draft) => finish(context, draft));
  const isPartlyBlank = selections.some(({ selectionSet }) => isBlank(selectionSet, context.fragments));
  const hasOurs = fields.some(({ kind, locals }) => locals.length > 0 || kind.startsWith('metafield'));
  return { fields, active: fields.filter(isActive), isRebuilt: hasOurs || hasOwnerCheck || isPartlyBlank };
}

type Level = {
  readonly selections: readonly SelectionNode[];
  readonly typeName: string;
  readonly when: readonly Condition[];
};

function collect(context: ShapeContext, level: Level, drafts: Map<string, Draft>): void {
  for (const selection of level.selections) {
    const own = conditionsOf(selection);
    if (own === 'never') continue;
    const when = own.length === 0 ? level.when : [...level.when, ...own];
    if (selection.kind === 'Field') {
      addField(context, { field: selection, typeName: level.typeName, when }, drafts);
      continue;
    }
    const spread =
      selection.kind === 'InlineFragment' ? selection : fragmentOf(context, selection.name.value);
    const typeName = spread.typeCondition?.name.value ?? level.typeName;
    collect(context, { selections: spread.selectionSet.selections, typeName, when }, drafts);
  }
}

function fragmentOf({ fragments }: ShapeContext, name: string): FragmentDefinitionNode {
  const fragment = fragments.get(name);
  if (fragment === undefined) throw new ServiceError('GRAPHQL_VALIDATION_FAILED');
  return fragment;
}

type Selected = {
  readonly field: FieldNode;
  readonly typeName: string;
  readonly when: readonly Condition[];
};

function addField(
  context: ShapeContext,
  { field, typeName, when }: Selected,
  drafts: Map<string, Draft>,
): void {
  spend(context);
  const key = field.alias?.value ?? field.name.value;
  const treatment = treatField(typeName, field.name.value, context.isActing);
  const draft = drafts.get(key) ?? newDraft(key, treatment.type);
  drafts.set(key, draft);
  if (treatment.kind === 'local') {
    addLocal(draft, treatment, when);
    return;
  }
  draft.type = treatment.type;
  draft.kind = treatment.as;
  draft.isContact ||= context.isActing && isOrderContact(typeName, field.name.value);
  if (field.selectionSet !== undefined) {
    draft.below.push({ selectionSet: field.selectionSet, typeName: namedType(treatment.type) });
  }
}

function newDraft(key: string, type: string): Draft {
  return { key, type, kind: 'plain', below: [], locals: [], isContact: false };
}

function addLocal(draft: Draft, treatment: LocalTreatment, when: readonly Condition[]): void {
  const known = draft.locals.find(
    ({ coordinate, marker }) => coordinate === treatment.coordinate && marker === treatment.marker,
  );
  if (known !== undefined) known.when.push(when);
  else draft.locals.push({ coordinate: treatment.coordinate, marker: treatment.marker, when: [when] });
}

type LocalTreatment = Pick<LocalField, 'coordinate' | 'marker'>;

function finish(context: ShapeContext, draft: Draft): FieldShape {
  const { key, type, kind, locals, isContact } = draft;
  const isChecked = context.isActing && ownerCheck(namedType(type)) !== '';
  const shape = kind === 'object' ? buildShape(context, draft.below, isChecked) : undefined;
  return { key, type, kind, shape, locals, isContact };
}

function spend({ budget }: ShapeContext): void {
  budget.left -= 1;
  if (budget.left >= 0) return;
  throw new ServiceError('QUERY_TOO_COMPLEX', {
    message: `The document selects more than ${MAX_SELECTED_FIELDS} fields when its fragments are spread out.`,
  });
}

/** Whether a key is one of ours. */
export function isOurs(key: string): boolean {
  return key.startsWith(OURS);
}
