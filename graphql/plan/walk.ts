/**
 * The state of one walk over the platform's response, and what it has collected: fields to resolve, removed objects,
 * errors.
 */

import type { Variables } from './client-document.ts';
import type { RequestIdentity } from './identity.ts';
import type { ServiceField } from './response-shape.ts';
import type { ResponsePath } from './result-error.ts';
import type { LocatedError, ResponseBudget } from './root-response.ts';

type JsonObject = Record<string, unknown>;

/**
 * A field in the response that the service fills in. `parent` is the platform's object, with internal keys; `path` is
 * the path in the platform's response.
 */
export type ServiceTask = {
  readonly field: ServiceField;
  readonly walk: ResponseWalk;
  readonly parent: Readonly<JsonObject>;
  /** Writes the field's value into the response. */
  readonly fill: (value: unknown) => void;
  readonly path: ResponsePath;
};

/** An object that was removed from the response, with its path below the root in the platform's response. */
export type RemovedObject = { readonly path: ResponsePath; readonly isItem: boolean };

/**
 * An object of the platform's response that has another place in the client's response, inside a value of the service.
 */
type PathGraft = { readonly from: ResponsePath; readonly to: ResponsePath };

export type ResponseWalk = {
  /** The current path of the walk. */
  readonly path: (string | number)[];
  readonly identity: RequestIdentity;
  readonly variables: Variables;
  readonly budget: ResponseBudget;
  readonly tasks: ServiceTask[];
  readonly removals: RemovedObject[];
  readonly grafts: PathGraft[];
  /** The platform's errors in responses to further requests, at their paths in the client's response. */
  readonly furtherErrors: LocatedError[];
  /** Rewrites an id of the platform to the clients' namespace. Returns any other value unchanged. */
  readonly toClientId: (value: unknown) => unknown;
  /** Whether an id in the platform's namespace is the acting customer's. */
  readonly isActingCustomer: (id: unknown) => boolean;
};
