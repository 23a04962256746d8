/** The platform's two levels of protected customer data, with the names that operators and merchants see. */

/** Level 1 allows access to customers and orders. */
export const PROTECTED_DATA_LEVEL_1 = 'protected customer data, level 1';
/** Level 2 allows access to their names, addresses, e-mail addresses and phone numbers. */
export const PROTECTED_DATA_LEVEL_2 = 'protected customer data, level 2';
