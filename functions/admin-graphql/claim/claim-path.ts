/** Known to the function from its start on; what answers there is loaded by the first such request. */

/** Every address of the claim route begins with it; the link's id follows. */
export const CLAIM_PATH = '/admin-keys/claim/';
