/**
 * `INPUT`: the value is invalid for every store; `ABSENT`: the named object does not exist; `STATE`: the present
 * state does not allow the change.
 */
export type RefusalReason = 'INPUT' | 'ABSENT' | 'STATE';

/** A change of a store or its keys that is refused. The message describes the remedy and never contains a secret. */
export class StoreChangeRefused extends Error {
  readonly reason: RefusalReason;

  constructor(message: string, reason: RefusalReason = 'STATE') {
    super(message);
    this.name = 'StoreChangeRefused';
    this.reason = reason;
  }
}
