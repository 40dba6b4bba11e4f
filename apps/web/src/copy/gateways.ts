/** A gateway's name as people write it. */
export function gatewayTitle(name: string): string {
  return name === '' ? 'None' : `${name[0]?.toUpperCase()}${name.slice(1)}`;
}

const METHODS: Readonly<Record<string, string>> = {
  CARD: 'Card',
  TRANSFER: 'Transfer',
  USSD: 'USSD',
  BANK: 'Bank',
  QR: 'QR',
  WALLET: 'Wallet',
  MOBILE_MONEY: 'Mobile money',
  DIRECT_DEBIT: 'Direct debit',
};

/** The names of payment methods, in the order in which filters list them. */
export const METHOD_NAMES = Object.keys(METHODS);

/** A payment method as people write it; a dash when none was given. */
export function methodTitle(method: string | null): string {
  return method === null ? '–' : (METHODS[method] ?? method);
}

/** Fault of an account: the part that the gateway refuses, for which the account is out of rotation. */
export const FAULT_LABELS = { credentials: 'Credentials refused', settings: 'Settings refused' } as const;
