/** The state of one walk over the platform's answer, with what it notes on its way. */
import type { ServiceField } from './answer-shape.ts';
import type { Variables } from './client-document.ts';
import type { Identity } from './identity.ts';
import type { Path } from './result-error.ts';
import type { AnswerBudget } from './root-answer.ts';

type Json = Record<string, unknown>;

/**
 * The place in the answer of a field that the service fills in. `parent` is the platform's object, with our keys;
 * `path` is the platform's.
 */
export type ServiceTask = {
  readonly field: ServiceField;
  readonly walk: Walk;
  readonly parent: Readonly<Json>;
  /** Puts the field's value into the answer. */
  readonly fill: (value: unknown) => void;
  readonly path: Path;
};

/** An object that was taken out of the answer; its path is the platform's, below its root. */
export type Removal = { readonly path: Path; readonly isItem: boolean };

/**
 * An object of the platform's response that has another place in the client's response, inside a value of the service.
 */
type Graft = { readonly from: Path; readonly to: Path };

export type Walk = {
  /** The path at which the walk stands. */
  readonly path: (string | number)[];
  readonly identity: Identity;
  readonly variables: Variables;
  readonly budget: AnswerBudget;
  readonly tasks: ServiceTask[];
  readonly removals: Removal[];
  readonly grafts: Graft[];
  /** Names a platform's id as the clients do. */
  readonly toClient: (value: unknown) => unknown;
  /** Whether an id in the platform's namespace is the acting customer's. */
  readonly isOwn: (id: unknown) => boolean;
};
