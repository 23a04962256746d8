/** Rights that a function has and that the journey does not make it use: with the reason. */

type UncalledRight = { readonly action: RegExp; readonly of: RegExp; readonly reason: string };

export const uncalledRights: readonly UncalledRight[] = [
  {
    action: /^logs:(CreateLogStream|PutLogEvents)$/,
    of: /./,
    reason: "Lambda itself writes the function's log, in its name.",
  },
  {
    action: /^kms:/,
    of: /./,
    reason: "DynamoDB uses the table's key in the function's name; the stand-in does not encrypt.",
  },
  {
    action: /^dynamodb:(DescribeStream|GetRecords|GetShardIterator|ListStreams)$/,
    of: /-webhook-deliveries$/,
    reason: "Lambda itself reads the table's stream, in the function's name; the stand-in has no streams.",
  },
];
