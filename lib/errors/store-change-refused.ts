/**
 * Why a change was refused. `INPUT`: the value is invalid for every store. `ABSENT`: the named object does not exist.
 * `STATE`: the store's present state does not allow the change.
 */
export type RefusalReason = 'INPUT' | 'ABSENT' | 'STATE';

/**
 * The refusal of an operator's change of a store or its keys. The message explains what to do, and never contains a
 * secret.
 */
export class StoreChangeRefused extends Error {
  readonly reason: RefusalReason;

  constructor(message: string, reason: RefusalReason = 'STATE') {
    super(message);
    this.name = 'StoreChangeRefused';
    this.reason = reason;
  }
}
