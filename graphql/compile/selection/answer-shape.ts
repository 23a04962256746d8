/**
 * What the walk over an answer has to know about it: where ids stand, what is filled in here, what is ours and
 * goes. Built once with the plan from the client's selection; by response key, for all fragments together.
 */

import type { ReadArguments } from './read-arguments.ts';
import type { ServiceSelection } from './service-selection.ts';

/** A variable that includes (`if: true`) or skips what stands below it. */
export type Condition = { readonly variable: string; readonly includes: boolean };

/** A field that is not forwarded. It stands in an object if its marker does and one of `when` holds. */
export type ServiceField = {
  /** `Type.field`, or `closed` for a field that is closed while a customer is acting. */
  readonly coordinate: string;
  readonly marker: string;
  readonly when: readonly (readonly Condition[])[];
  /** Of its value; undefined: a scalar. */
  readonly selection: ServiceSelection | undefined;
  readonly args: ReadArguments;
};

export type FieldShape = {
  readonly key: string;
  readonly type: string;
  readonly kind: 'plain' | 'id' | 'object' | 'metafield-value' | 'metafield-json';
  /** Of an object. */
  readonly shape: AnswerShape | undefined;
  readonly locals: readonly ServiceField[];
  /** Contact and address fields of an order, which are not shown if it has no customer. */
  readonly isContact: boolean;
};

export type AnswerShape = {
  /** In the order of the client's selection. */
  readonly fields: readonly FieldShape[];
  /** Those that the walk has to look at. */
  readonly active: readonly FieldShape[];
  /** Whether objects can hold keys of ours that tell their owner; those that do are put together anew. */
  readonly isOwnerChecked: boolean;
  /** Whether objects hold other keys of ours, or miss keys of the client's: all are put together anew. */
  readonly isRebuilt: boolean;
};

/** Whether all of these hold for the variables of a request. */
export function conditionsHold(
  conditions: readonly Condition[],
  variables: Readonly<Record<string, unknown>>,
): boolean {
  return conditions.every(({ variable, includes }) => (variables[variable] === true) === includes);
}

/** Whether the walk over an answer has anything to do below this field. */
export function isActive({ kind, shape, locals, isContact }: FieldShape): boolean {
  if (locals.length > 0 || isContact) return true;
  if (kind === 'object') {
    return shape !== undefined && (shape.isOwnerChecked || shape.isRebuilt || shape.active.length > 0);
  }
  return kind !== 'plain';
}
