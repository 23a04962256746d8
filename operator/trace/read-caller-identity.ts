/** Identifies the caller by the credentials of the command. */
import { GetCallerIdentityCommand, type STSClient } from '@aws-sdk/client-sts';
import type { AwsCallerIdentity } from './trace-line.ts';
import { TraceWriteError } from './trace-write-error.ts';

/** @throws TraceWriteError when AWS does not identify the caller, because no change is made without a name */
export async function readCallerIdentity(client: STSClient): Promise<AwsCallerIdentity> {
  try {
    const { Account = '', Arn = '', UserId = '' } = await client.send(new GetCallerIdentityCommand({}));
    return { account: Account, arn: Arn, userId: UserId };
  } catch (error) {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : `${error}`;
    throw new TraceWriteError(
      `Nothing was changed, because AWS did not identify you (sts:GetCallerIdentity). ${message}. Check your AWS credentials.`,
    );
  }
}
