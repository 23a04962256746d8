/** An error with AWS's name of it. Each emulator returns it with status 400, in the form of its service. */
export class AwsError extends Error {
  override readonly name = 'AwsError';
  readonly type: AwsErrorType;

  constructor(type: AwsErrorType, message: string) {
    super(message);
    this.type = type;
  }
}

type AwsErrorType =
  | 'AccessDeniedException'
  | 'IncompleteSignatureException'
  | 'InvalidParameterException'
  | 'InvalidRequestException'
  | 'InvalidSignatureException'
  | 'ResourceAlreadyExistsException'
  | 'ResourceExistsException'
  | 'ResourceNotFoundException'
  | 'SerializationException'
  | 'UnknownOperationException'
  | 'UnrecognizedClientException';
