/** Rights that a function has and that no test makes it use, each with the reason why it has it. */

type UncalledRight = { readonly action: RegExp; readonly of: RegExp; readonly reason: string };

export const uncalledRights: readonly UncalledRight[] = [
  {
    action: /^logs:(CreateLogStream|PutLogEvents)$/,
    of: /./,
    reason: "Lambda itself writes the function's log, in its name.",
  },
  {
    action: /^xray:Put(TraceSegments|TelemetryRecords)$/,
    of: /./,
    reason: "Lambda itself sends the function's traces, in its name.",
  },
  {
    action: /^kms:/,
    of: /./,
    reason: "DynamoDB uses the table's key in the function's name; the stand-in does not encrypt.",
  },
  {
    action: /^dynamodb:DeleteItem$/,
    of: /-headless-auth$/,
    reason:
      'Sign-ins remove the oldest of more tombstones than are kept; the journey does not revoke so many.',
  },
];
