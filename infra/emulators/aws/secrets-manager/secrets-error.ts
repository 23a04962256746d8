/** An error in Secrets Manager's own words; the server answers it with 400. */
export class SecretsError extends Error {
  override readonly name = 'SecretsError';
  readonly type: SecretsErrorType;

  constructor(type: SecretsErrorType, message: string) {
    super(message);
    this.type = type;
  }
}

export type SecretsErrorType =
  | 'AccessDeniedException'
  | 'IncompleteSignatureException'
  | 'InvalidParameterException'
  | 'InvalidRequestException'
  | 'InvalidSignatureException'
  | 'ResourceExistsException'
  | 'ResourceNotFoundException'
  | 'SerializationException'
  | 'UnknownOperationException'
  | 'UnrecognizedClientException';
