/** The path is in its own module, so that the claim route's code is loaded by its first request only. */

/** The prefix of all claim paths; the link's id follows. */
export const CLAIM_PATH = '/admin-keys/claim/';
