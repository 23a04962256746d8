/** SHA-256, and HMAC-SHA-256 with a key, as the class that @smithy/signature-v4 requires. */
import { createHash, createHmac } from 'node:crypto';

type HashInput = string | ArrayBuffer | ArrayBufferView;

export class Sha256 {
  readonly #hash;

  constructor(key?: HashInput) {
    this.#hash = key === undefined ? createHash('sha256') : createHmac('sha256', toHashKey(key));
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  /** Does nothing: an instance computes one hash only. */
  reset(): void {}
}

function toHashKey(key: HashInput): string | Uint8Array {
  if (typeof key === 'string') return key;
  return ArrayBuffer.isView(key)
    ? new Uint8Array(key.buffer, key.byteOffset, key.byteLength)
    : new Uint8Array(key);
}
