/** `INPUT`: no store takes such a value; `ABSENT`: the named object does not exist; `STATE`: not as things are now. */
export type RefusalReason = 'INPUT' | 'ABSENT' | 'STATE';

/**
 * A requested change of a store or its keys that cannot be made. The message says what to do instead; it never holds a
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
