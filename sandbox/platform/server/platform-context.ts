/** The parts of a running platform, which every endpoint receives. create-platform-context.ts composes them. */
import type { AdminApi } from '../admin/endpoint/admin-api.ts';
import type { OtherServer } from '../control/other-server.ts';
import type { PlatformFaultPlan } from '../control/platform-fault-plan.ts';
import type { RequestLog } from '../control/request-log.ts';
import type { AppGrants } from '../grants/app-grants.ts';
import type { StoreSignIn } from '../sign-in/store-sign-in.ts';
import type { TokenLifetimes } from '../sign-in/token-lifetimes.ts';
import type { PlatformClock } from '../state/platform-clock.ts';
import type { PlatformState } from '../state/state.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

export type PlatformContext = {
  readonly origin: string;
  readonly clock: PlatformClock;
  readonly announce: (line: string) => void;
  readonly lifetimes: TokenLifetimes;
  /** Returns the state, which a reset replaces as a whole. */
  readonly state: () => PlatformState;
  readonly adminApi: AdminApi;
  readonly grants: AppGrants;
  /** The sign-ins by shop. */
  readonly signIns: ReadonlyMap<string, StoreSignIn>;
  readonly faults: PlatformFaultPlan;
  readonly requests: RequestLog;
  readonly webhooks: Webhooks;
  readonly otherServer: OtherServer;
  /** Seconds by which id_tokens are ahead of the clock. */
  readonly skew: { seconds: number };
  readonly stateChanged: () => void;
  readonly signInChanged: () => void;
  /** Resets the platform to the seed, at the clock's time; signing keys stay. */
  readonly reset: () => void;
};
