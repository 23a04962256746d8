/**
 * A mutation of our own runs fixed documents. Of the client's selection only what stands below the changed
 * object goes to the platform; `userErrors` and `__typename` are answered here.
 */
import type { AnswerSelection } from '../../lib/subscriptions/answer-selection.ts';
import type { OperationError } from '../../lib/subscriptions/operation-error.ts';
import { type FlatField, flattenSelection, responseKey } from './flatten-selection.ts';
import { bracedSelection } from './root-draft.ts';
import { type Condition, conditionsHold } from './shape.ts';
import { fieldType, namedType } from './type-reference.ts';
import {
  finishDocument,
  type UpstreamDocument,
  type UpstreamWriter,
  type Variables,
} from './upstream-writer.ts';

type Place = {
  readonly key: string;
  readonly selection: string;
  readonly when: readonly Condition[];
};

export type OwnPayload = {
  readonly typeName: string;
  readonly places: readonly Place[];
  /** What is answered here. */
  readonly locals: readonly FlatField[];
  /** Fragments and variables of the selections. */
  readonly upstream: UpstreamDocument;
  readonly writer: UpstreamWriter;
};

/** Plans the payload's selection. `objectField`: the field of the changed object, for example `billingCycle`. */
export function planOwnPayload(
  writer: UpstreamWriter,
  fields: readonly FlatField[],
  payload: { readonly typeName: string; readonly objectField: string | undefined },
): OwnPayload {
  const { typeName, objectField } = payload;
  const flat = fields.flatMap(({ field, when }) =>
    field.selectionSet === undefined ? [] : flattenSelection(writer.client, field.selectionSet, when),
  );
  const [forwarded, locals] = [
    flat.filter(({ field }) => field.name.value === objectField),
    flat.filter(({ field }) => field.name.value !== objectField),
  ];
  const places = forwarded.map(({ field, when }): Place => {
    const below = { typeName: namedType(fieldType(typeName, field.name.value) ?? ''), isFromCustomer: false };
    return { key: responseKey(field), selection: bracedSelection(writer, field, below), when };
  });
  return { typeName, places, locals, upstream: finishDocument(writer, []), writer };
}

/** The selection for one request: `variables` are the client's, `ours` the computed ones. */
export function answerSelection(
  { places, upstream }: OwnPayload,
  variables: Variables,
  ours: Variables,
): AnswerSelection {
  const values: Record<string, unknown> = {};
  for (const name of upstream.clientVariables)
    if (variables[name] !== undefined) values[name] = variables[name];
  for (const name of upstream.ownVariables) if (ours[name] !== undefined) values[name] = ours[name];
  return {
    places: places
      .filter(({ when }) => conditionsHold(when, variables))
      .map(({ key, selection }) => ({ key, selection })),
    declarations: upstream.declarations,
    variables: values,
    fragments: upstream.fragments,
  };
}

/** The payload before the walk: the platform's part, and what is answered here. */
export function assemblePayload(
  { locals, places, typeName, writer }: OwnPayload,
  { answered, userErrors }: PayloadParts,
  variables: Variables,
): Record<string, unknown> {
  const payload: Record<string, unknown> = { ...answered };
  for (const { key, when } of places) {
    if (answered === null && conditionsHold(when, variables)) payload[key] = null;
  }
  for (const { field, when } of locals) {
    if (!conditionsHold(when, variables)) continue;
    const name = field.name.value;
    const errorType = namedType(fieldType(typeName, 'userErrors') ?? '');
    if (name === '__typename') payload[responseKey(field)] = typeName;
    else if (name !== 'userErrors' || field.selectionSet === undefined) payload[responseKey(field)] = null;
    else {
      const selected = flattenSelection(writer.client, field.selectionSet);
      const shown = selected.filter((one) => conditionsHold(one.when, variables));
      payload[responseKey(field)] = userErrors.map((error) => project(error, shown, errorType));
    }
  }
  return payload;
}

type PayloadParts = {
  readonly answered: Readonly<Record<string, unknown>> | null;
  readonly userErrors: readonly OperationError[];
};

function project(error: OperationError, fields: readonly FlatField[], typeName: string) {
  const values: Readonly<Record<string, unknown>> = { ...error, __typename: typeName };
  return Object.fromEntries(
    fields.map(({ field }) => [responseKey(field), values[field.name.value] ?? null]),
  );
}
