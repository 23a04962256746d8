/**
 * A change of a store or its keys that cannot be made as asked for. The message tells the operator what to do
 * instead; it never holds a secret.
 */
export class StoreChangeRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StoreChangeRefused';
  }
}
