import { ServiceError } from '../../errors/service-error.ts';
import type { GrantRefusal } from '../../storage/stores.ts';

/** STORE_DISCONNECTED, because the platform gives no further token for the grant. */
export class GrantRefused extends ServiceError {
  /** False: the platform is asked again, until the token has ended. */
  readonly isFinal: boolean;
  /** The platform's code for it, or its status. */
  readonly reason: string;

  constructor({ reason, isFinal }: Pick<GrantRefusal, 'reason' | 'isFinal'>) {
    super('STORE_DISCONNECTED', { internal: `the platform refuses to renew the grant: ${reason}` });
    this.isFinal = isFinal;
    this.reason = reason;
  }
}
