/**
 * How a document becomes a function: its variables without those that the client fills in, its value without the wrapping.
 * A change with `userErrors` throws, so nobody takes for done what was not.
 */
import { type DeliveryOption, ServiceError, type UserError } from '../errors/service-error.ts';
import type { TypedDocument } from '../request/document.ts';
import type { Arguments, FieldError, Request, RequestOptions, RequestResult } from '../request/request.ts';

export type OperationOptions = Pick<RequestOptions, 'idempotencyKey' | 'deadlineMs'>;

/** What came. `errors` tells what of it could not be read: null stands there, or further up. */
export type Answer<Value> = Value & { readonly errors: readonly FieldError[] };

/** What the document's one root field brings. */
export type ValueOf<Result> = NonNullable<Result[keyof Result]>;

type FilledIn = 'customerId' | 'idempotencyKey';

/** Throws ServiceError: what went wrong has its code, and a change that was not made is USER_ERRORS. */
export type Operation<Variables, Value> = (
  ...given: Arguments<Omit<Variables, FilledIn>, OperationOptions>
) => Promise<Answer<Value>>;

/** Who asks: for whom, and through what. */
export type Requester = {
  readonly request: Request;
  /** The global id of the customer whose data it is. */
  readonly customerId: () => Promise<string>;
};

/** A query. `part`: of its value, what is meant; null where there is no such thing. It is told the id to quote. */
export function query<Result, Variables, Value extends object = ValueOf<Result> & object>(
  requester: Requester,
  document: TypedDocument<Result, Variables> & object,
  part: (value: ValueOf<Result>, requestId?: string) => Value | null = (value) => value as unknown as Value,
): Operation<Variables, Value> {
  return async (variables?: object, options?: OperationOptions) => {
    const isOfCustomer = String(document).includes('$customerId');
    const given = { ...variables, ...(isOfCustomer && { customerId: await requester.customerId() }) };
    const send = requester.request as (...all: unknown[]) => Promise<RequestResult<object>>;
    const { data, errors, requestId } = await send(document, given, options);
    const whole = Object.values(data)[0] as ValueOf<Result> | null;
    const value = whole && part(whole, requestId);
    if (value) return { ...value, errors };
    const { contractId, id, customerId } = given as Record<string, unknown>;
    const { code, message } = errors[0] ?? {
      code: 'ABSENT',
      message: `There is no ${contractId ?? id ?? customerId}.`,
    };
    throw new ServiceError(code, { message, status: 200, requestId });
  };
}

/** What a payload has for a change that was not made. */
type Refusal = {
  readonly userErrors: readonly UserError[];
  /** Of `updateDelivery` alone: what there is to choose from. */
  readonly deliveryOptions?: readonly DeliveryOption[];
};

/** A change. Its payload comes without what tells of a refusal: that is thrown, as USER_ERRORS. */
export function change<Result, Variables>(
  requester: Requester,
  document: TypedDocument<Result, Variables> & object,
): Operation<Variables, Omit<ValueOf<Result>, keyof Refusal>> {
  return query(requester, document, (value, requestId) => {
    const { userErrors, deliveryOptions = [], ...done } = value as unknown as Refusal;
    const [first] = userErrors;
    if (first)
      throw new ServiceError('USER_ERRORS', {
        ...{ message: first.message, status: 200, requestId, userErrors, deliveryOptions },
      });
    return done as unknown as Omit<ValueOf<Result>, keyof Refusal>;
  });
}
