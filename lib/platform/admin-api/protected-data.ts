/** The platform's two levels of protected customer data, as operators and merchants read them. */

/** Customers and orders at all. */
export const LEVEL_1 = 'protected customer data, level 1';
/** Their names, addresses, e-mail addresses and phone numbers. */
export const LEVEL_2 = 'protected customer data, level 2';
