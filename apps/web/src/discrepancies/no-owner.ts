/** The owner filter's value for discrepancies without an owner, in addresses too. */
export const NO_OWNER = 'NONE';
