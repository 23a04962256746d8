/** A refusal under AWS's own name for it, of whatever service; each answers it with 400, in its own form. */
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
