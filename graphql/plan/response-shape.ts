/**
 * The shape of a response. It lists for the walk where ids are, which fields the service resolves, and which internal
 * keys to remove. It is built once per plan from the client's selection, by response key, with all fragments merged.
 */
import type { IncludeCondition } from './client-document.ts';
import type { InjectedArgument, UpstreamDocument } from './upstream-document.ts';

type VariableValues = Readonly<Record<string, unknown>>;

/**
 * Reads the arguments by name, for the coerced variables of a request. An argument that is omitted and has no default
 * is undefined.
 */
export type ReadArguments = (variables: VariableValues) => VariableValues;

/** A field that is not forwarded. An object has it if the object has its marker and one of `when` holds. */
export type ServiceField = {
  /** `Type.field`, or `closed` for a field that is closed while a customer is acting. */
  readonly coordinate: string;
  readonly marker: string;
  readonly when: readonly (readonly IncludeCondition[])[];
  /** The selection of its value, or undefined for a scalar and for a field with a further read. */
  readonly selection: ServiceSelection | undefined;
  /** Set for a field whose value the platform returns for a further request. */
  readonly furtherRead?: FurtherRead | undefined;
  readonly args: ReadArguments;
};

/** The compiled request of a field that is a root field at the platform. */
export type FurtherRead = {
  /** The document, with the value under the key `FURTHER_READ_KEY`. */
  readonly upstream: UpstreamDocument;
  readonly injected: readonly InjectedArgument[];
  readonly shape: FieldShape;
};

export type FieldShape = {
  readonly key: string;
  readonly type: string;
  readonly kind: 'plain' | 'id' | 'object' | 'metafield-value' | 'metafield-json';
  /** The shape of an object's fields, or undefined for a scalar. */
  readonly shape: ResponseShape | undefined;
  readonly serviceFields: readonly ServiceField[];
  /** Whether it is a contact or address field of an order, which is not shown if the order has no customer. */
  readonly isOrderContact: boolean;
};

export type ResponseShape = {
  /** All fields, in the order of the client's selection. */
  readonly fields: readonly FieldShape[];
  /** The fields that the walk has to process. */
  readonly fieldsToWalk: readonly FieldShape[];
  /** Whether objects can have internal keys with their owner. Such objects are rebuilt. */
  readonly isOwnerChecked: boolean;
  /** Whether objects have other internal keys, or lack keys of the client's. Then all objects are rebuilt. */
  readonly isRebuilt: boolean;
};

/** Whether the walk over a response has to process anything at or below this field. */
export function needsWalk({ kind, shape, serviceFields, isOrderContact }: FieldShape): boolean {
  if (serviceFields.length > 0 || isOrderContact) return true;
  if (kind === 'object') {
    return shape !== undefined && (shape.isOwnerChecked || shape.isRebuilt || shape.fieldsToWalk.length > 0);
  }
  return kind !== 'plain';
}

/** The fields of one object, in the client's order. */
export type ServiceSelection = {
  readonly typeName: string;
  readonly fields: readonly SelectedServiceField[];
};

export type SelectedServiceField = {
  readonly key: string;
  readonly name: string;
  readonly type: string;
  /** The conditions. The field applies if one of these lists holds. */
  readonly when: readonly (readonly IncludeCondition[])[];
  /**
   * The selection, or undefined for a scalar. A part has one level of it, for the case that the platform's object is
   * missing.
   */
  readonly subselection: ServiceSelection | undefined;
  /** Set for an object of the platform. The resolver's value contains its place in the platform's response. */
  readonly part: PlatformPartPlace | undefined;
  /** Set for a field with arguments, whose value is under `serviceValueKey`. */
  readonly args?: ReadArguments | undefined;
};

/** Returns the name of a field in a service value. A field with arguments has a value for each response key. */
export function serviceValueKey({ name, key, args }: SelectedServiceField): string {
  return args === undefined ? name : `${name}(${key})`;
}

/** An object of the platform inside a value of the service. */
type PlatformPartPlace = {
  /**
   * Keys of the platform's response, one for each place of the field in the client's document. Their objects are
   * merged.
   */
  readonly aliases: readonly string[];
  readonly shape: FieldShape;
};
