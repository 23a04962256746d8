/**
 * The shape of an answer tells the walk over it where ids stand, what is filled in here, and what is ours and goes. It
 * is built once with the plan from the client's selection, by response key, for all fragments together.
 */
import type { Condition } from './client-document.ts';

type Values = Readonly<Record<string, unknown>>;

/** The arguments by name, for the coerced variables of a request; undefined: not given, and without a default. */
export type ReadArguments = (variables: Values) => Values;

/** A field that is not forwarded. It stands in an object if its marker does and one of `when` holds. */
export type ServiceField = {
  /** `Type.field`, or `closed` for a field that is closed while a customer is acting. */
  readonly coordinate: string;
  readonly marker: string;
  readonly when: readonly (readonly Condition[])[];
  /** The selection of its value; undefined: a scalar. */
  readonly selection: ServiceSelection | undefined;
  readonly args: ReadArguments;
};

export type FieldShape = {
  readonly key: string;
  readonly type: string;
  readonly kind: 'plain' | 'id' | 'object' | 'metafield-value' | 'metafield-json';
  /** The shape of an object's fields; undefined: a scalar. */
  readonly shape: AnswerShape | undefined;
  readonly serviceFields: readonly ServiceField[];
  /** Whether it is a contact or address field of an order, which is not shown if the order has no customer. */
  readonly isContact: boolean;
};

export type AnswerShape = {
  /** All fields, in the order of the client's selection. */
  readonly fields: readonly FieldShape[];
  /** The fields that the walk has to look at. */
  readonly active: readonly FieldShape[];
  /** Whether objects can hold keys of ours that tell their owner; those that do are put together anew. */
  readonly isOwnerChecked: boolean;
  /** Whether objects hold other keys of ours, or miss keys of the client's: all are put together anew. */
  readonly isRebuilt: boolean;
};

/** Whether the walk over an answer has anything to do below this field. */
export function isActive({ kind, shape, serviceFields, isContact }: FieldShape): boolean {
  if (serviceFields.length > 0 || isContact) return true;
  if (kind === 'object') {
    return shape !== undefined && (shape.isOwnerChecked || shape.isRebuilt || shape.active.length > 0);
  }
  return kind !== 'plain';
}

/** The fields of one object, in the client's order. */
export type ServiceSelection = { readonly typeName: string; readonly fields: readonly SelectedField[] };

export type SelectedField = {
  readonly key: string;
  readonly name: string;
  readonly type: string;
  /** It is there if one of these holds. */
  readonly when: readonly (readonly Condition[])[];
  /** Undefined: a scalar. Of a part one level, for where the platform's object cannot be had. */
  readonly below: ServiceSelection | undefined;
  /** Set: the platform's object, read from where the resolver says. */
  readonly part: Part | undefined;
};

/** An object of the platform's inside a value of ours. */
type Part = {
  /** Keys of the platform's answer, one for each place where the client asks for it; they are merged. */
  readonly aliases: readonly string[];
  readonly shape: FieldShape;
};
