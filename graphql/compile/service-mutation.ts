/** A mutation of the service's own, as far as its document's compilation has to know it. */
export type ServiceMutation = {
  /** The payload's fields that hold objects of the platform, for example `contract`. */
  readonly objectFields: readonly string[];
};
