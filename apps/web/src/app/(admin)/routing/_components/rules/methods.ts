/** Every method a payment can be made by, in the order pages list them. */
export const METHODS = ['CARD', 'TRANSFER', 'USSD', 'BANK', 'QR', 'WALLET', 'MOBILE_MONEY', 'DIRECT_DEBIT'] as const;
