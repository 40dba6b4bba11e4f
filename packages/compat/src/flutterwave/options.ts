import type { PaymentMethod } from '@switchyard/routing';

/** Flutterwave's payment options by the payment method they are. */
export const OPTIONS: Readonly<Record<string, PaymentMethod>> = {
  card: 'CARD',
  banktransfer: 'TRANSFER',
  bank_transfer: 'TRANSFER',
  'bank transfer': 'TRANSFER',
  account: 'BANK',
  ussd: 'USSD',
  nqr: 'QR',
  qr: 'QR',
  opay: 'WALLET',
  mobilemoney: 'MOBILE_MONEY',
};

const TYPES: Readonly<Record<PaymentMethod, string>> = {
  CARD: 'card',
  TRANSFER: 'bank_transfer',
  BANK: 'account',
  USSD: 'ussd',
  QR: 'nqr',
  WALLET: 'opay',
  MOBILE_MONEY: 'mobilemoney',
  DIRECT_DEBIT: 'account',
};

/** Flutterwave's `payment_type` of a payment method; null while none is known. */
export function paymentTypeOf(method: string | null): string | null {
  const found = Object.entries(TYPES).find(([name]) => name === method);
  return found === undefined ? null : found[1];
}
