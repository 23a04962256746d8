/** What is to be known of a mutation of the service's own while its document is compiled. */
export type OwnMutation = {
  /** The payload's fields that hold objects of the platform, for example `contract`. */
  readonly objectFields: readonly string[];
};
