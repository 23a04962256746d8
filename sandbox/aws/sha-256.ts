/** SHA-256, and HMAC-SHA-256 with a key, as the class that @smithy/signature-v4 requires. */
import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';

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

/** Returns bytes as a key object: Node spends several times an HMAC's time on recognizing a key of bytes. */
function toHashKey(key: HashInput): string | KeyObject {
  if (typeof key === 'string') return key;
  return createSecretKey(
    ArrayBuffer.isView(key)
      ? new Uint8Array(key.buffer, key.byteOffset, key.byteLength)
      : new Uint8Array(key),
  );
}
