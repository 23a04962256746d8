import { ServiceError } from '../../errors/service-error.ts';
import type { GrantRefusal } from '../../storage/stores.ts';

/** STORE_DISCONNECTED: the platform refuses to renew the grant. */
export class GrantRefused extends ServiceError {
  /** False when the platform is called again until the token has expired. */
  readonly isFinal: boolean;
  /** The platform's error code, or its status. */
  readonly reason: string;

  constructor({ reason, isFinal }: Pick<GrantRefusal, 'reason' | 'isFinal'>) {
    super('STORE_DISCONNECTED', { internal: `the platform refuses to renew the grant: ${reason}` });
    this.isFinal = isFinal;
    this.reason = reason;
  }
}
