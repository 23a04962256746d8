/** The steps of a sequence: the test creates them, and the app in the browser runs them. */

/**
 * A fault of the network. `lost`: the response is lost after the service has processed the request. `cut`: the request is
 * not sent. `slow`: the response is late.
 */
export type FaultKind = 'lost' | 'cut' | 'slow';

export type Tap =
  | { readonly name: 'skip' | 'unskip'; readonly order: number }
  | { readonly name: 'pause' | 'resume' }
  | { readonly name: 'updateLines'; readonly quantity: number };

export type Step =
  | { readonly kind: 'tap'; readonly tap: Tap; readonly fault?: FaultKind | undefined }
  /** A change that the service rejects. */
  | { readonly kind: 'reject' }
  /** A change by another tab, after which this tab gets the focus. */
  | { readonly kind: 'otherTab'; readonly order: number; readonly isSkip: boolean }
  | { readonly kind: 'refetch'; readonly delayMs: number }
  | { readonly kind: 'wait'; readonly ms: number };
