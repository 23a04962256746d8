/** Identifies the caller by the credentials of the command. */
import { GetCallerIdentityCommand, type STSClient } from '@aws-sdk/client-sts';
import type { Caller } from './trace-line.ts';
import { TraceRefused } from './trace-refused.ts';

/** @throws TraceRefused when AWS does not identify the caller, because no change is made without a name */
export async function whoAmI(client: STSClient): Promise<Caller> {
  try {
    const { Account = '', Arn = '', UserId = '' } = await client.send(new GetCallerIdentityCommand({}));
    return { account: Account, arn: Arn, userId: UserId };
  } catch (error) {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : `${error}`;
    throw new TraceRefused(
      `Nothing was changed, because AWS did not identify you (sts:GetCallerIdentity). ${message}. Check your AWS credentials.`,
    );
  }
}
