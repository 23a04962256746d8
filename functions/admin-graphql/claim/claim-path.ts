/**
 * This constant has its own file, so that the handler can compare paths without loading the code of the claim route.
 */

/** The start of the path of every one-time link. The link's id follows. */
export const CLAIM_PATH = '/admin-keys/claim/';
